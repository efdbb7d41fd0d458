// SPDX-License-Identifier: MIT
#include "workbench/agent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "campaign/record_json.h"
#include "workbench/campaigns.h"
#include "workbench/fleet/device_classes.h"
#include "workbench/fleet/device_worker.h"
#include "workbench/launch.h"

namespace weakspot::workbench::agent_test {
namespace {

// A source in memory, which notes what agents do and can refuse to answer.
class FakeSource final : public WorkSource {
 public:
  explicit FakeSource(campaign::CampaignPlan plan) : plan_(std::move(plan)) {
    for (const campaign::Shard& shard : campaign::shards_of(plan_)) {
      const std::string id = campaign::shard_id(plan_.id(), shard);
      shards_[id] = {campaign::to_json(shard), shard.device_class, 0, false, 0};
      open_.push_back(id);
    }
  }

  base::Result<campaign::CampaignPlan> plan(const std::string&) override { return plan_; }

  base::Result<store::Claims> claim(const store::ClaimRequest& request) override {
    const std::lock_guard lock(mutex_);
    if (refusals_ > 0) {
      --refusals_;
      return base::error("the store is locked", base::ErrorKind::environment);
    }
    store::Claims claims;
    for (auto id = open_.begin(); id != open_.end() && claims.claims.size() < request.most;) {
      Entry& entry = shards_[*id];
      const auto& classes = request.device_classes;
      if (std::find(classes.begin(), classes.end(), entry.device_class) == classes.end()) {
        ++id;
        continue;
      }
      claims.claims.push_back(
          {{plan_.id(), *id, ++entry.attempts}, entry.device_class, 0, entry.document, store::Time{}});
      id = open_.erase(id);
    }
    largest_claim_ = std::max(largest_claim_, claims.claims.size());
    leased_ += claims.claims.size();
    return claims;
  }
  base::Result<std::vector<store::Attempt>> extend(const std::string&, std::span<const store::Attempt>,
                                                   store::Duration) override {
    ++heartbeats_;
    return std::vector<store::Attempt>();
  }
  base::Result<std::vector<store::Finished>> finish(const std::string&,
                                                    std::span<const store::FinishedShard> shards) override {
    const std::lock_guard lock(mutex_);
    if (lost_answers_ > 0) --lost_answers_;
    std::vector<store::Finished> answers;
    for (const store::FinishedShard& shard : shards) {
      Entry& entry = shards_[shard.attempt.shard];
      answers.push_back(entry.done ? store::Finished::already_stored : store::Finished::stored);
      if (!entry.done) records_.insert(records_.end(), shard.records.begin(), shard.records.end());
      leased_ -= entry.done ? 0 : 1;
      entry.done = true;
    }
    // Stored, but the agent does not hear of it.
    if (lost_answers_ > 0) return base::error("the connection was lost", base::ErrorKind::environment);
    return answers;
  }
  base::Result<store::Failure> fail(const store::FailedShard& failed) override {
    const std::lock_guard lock(mutex_);
    failed_.push_back(failed);
    --leased_;
    const bool last = ++shards_[failed.attempt.shard].failures >= store::kMostFailures;
    if (!last) open_.push_back(failed.attempt.shard);
    blamed_ += failed.device.empty() ? 0 : 1;
    return store::Failure{false, last, blamed_ >= store::kMostFailures};
  }
  base::Status release(const std::string&, std::span<const store::Attempt> attempts) override {
    const std::lock_guard lock(mutex_);
    for (const store::Attempt& attempt : attempts) open_.push_back(attempt.shard);
    leased_ -= attempts.size();
    return base::ok_status();
  }
  base::Result<bool> is_over(const std::string&, std::span<const std::string>) override {
    const std::lock_guard lock(mutex_);
    return open_.empty() && leased_ == 0;
  }

  struct Entry {
    std::string document, device_class;
    std::int64_t attempts = 0;
    bool done = false;
    int failures = 0;
  };
  campaign::CampaignPlan plan_;
  std::mutex mutex_;
  std::map<std::string, Entry> shards_;
  std::vector<std::string> open_;
  std::vector<store::Record> records_;
  std::vector<store::FailedShard> failed_;
  int blamed_ = 0;  // failures of devices
  std::size_t largest_claim_ = 0;
  std::size_t leased_ = 0;
  int refusals_ = 0;
  int lost_answers_ = 0;  // the last of these finish() calls is answered
  std::atomic<int> heartbeats_ = 0;
};

struct Notes final : AgentWatch {
  void note(const std::string& text) override { texts.push_back(text); }
  std::vector<std::string> texts;
};

PlanRequest asked(std::vector<std::string> tests, std::vector<std::string> classes,
                  std::vector<std::string> environments = {}) {
  PlanRequest request;
  request.tests = std::move(tests);
  request.classes = std::move(classes);
  request.environments = std::move(environments);
  return request;
}

campaign::CampaignPlan plan_for(const std::string& device_class, std::uint64_t seeds) {
  PlanRequest request = asked({"MP", "SB"}, {device_class}, {"workgroup_size=32"});
  request.instances = 1000;
  request.seeds = seeds;
  return plan_campaign(request).value();
}

AgentRequest request_for(const std::string& device) {
  AgentRequest request;
  request.devices = {device};
  request.until_done = true;
  request.host = "here";
  return request;
}

TEST(Agent, RunsEveryShardOnce) {
  FakeSource source(plan_for("testing", 20));
  Notes notes;
  const auto result = run_agent(request_for("testing:one"), source, {}, notes);
  ASSERT_TRUE(result) << base::render(result.errors());
  EXPECT_EQ(result->ending, Ending::fine);
  ASSERT_EQ(result->devices.size(), 1u);
  EXPECT_EQ(result->devices[0].shards, 40u);
  EXPECT_EQ(source.records_.size(), 40u);
  EXPECT_GT(source.largest_claim_, 1u);
  std::set<std::string> runs;
  for (const store::Record& record : source.records_) {
    const auto run = campaign::record_from_json(record.document);
    ASSERT_TRUE(run);
    runs.insert(run->hash + std::to_string(run->seed));
    EXPECT_EQ(record.device_class, "testing");
    EXPECT_EQ(record.campaign, source.plan_.id());
    EXPECT_EQ(run->model, "ptx");
  }
  EXPECT_EQ(runs.size(), 40u);
}

TEST(Agent, LeavesOtherClassesAlone) {
  FakeSource source(plan_for("cuda", 2));
  Notes notes;
  AgentRequest request = request_for("testing:one");
  request.seconds = 0.2;
  const auto result = run_agent(request, source, {}, notes);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->devices[0].shards, 0u);
  EXPECT_EQ(source.open_.size(), 4u);
}

TEST(Agent, DeliversAgainWhatMayNotHaveArrived) {
  FakeSource source(plan_for("testing", 5));
  source.lost_answers_ = 3;
  Notes notes;
  const auto result = run_agent(request_for("testing:one"), source, {}, notes);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ending, Ending::fine);
  EXPECT_EQ(source.records_.size(), 10u);
  ASSERT_FALSE(notes.texts.empty());
  EXPECT_EQ(notes.texts[0], "the connection was lost; trying again");
}

TEST(Agent, EndsIfTheSourceNeverAnswered) {
  FakeSource source(plan_for("testing", 1));
  source.refusals_ = 1;
  Notes notes;
  const auto result = run_agent(request_for("testing:one"), source, {}, notes);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ending, Ending::failed);
  ASSERT_FALSE(result->problems.empty());
  EXPECT_EQ(result->problems[0].message, "the store is locked");
}

TEST(Agent, EndsWithADeviceThatIsQuarantined) {
  FakeSource source(plan_for("testing", 20));
  Notes notes;
  const auto result = run_agent(request_for("testing:lost"), source, {}, notes);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ending, Ending::failed);
  EXPECT_GE(source.failed_.size(), 3u);
  EXPECT_EQ(source.failed_[0].device, "here/testing:lost");
  EXPECT_EQ(source.failed_[0].test, "MP");
  EXPECT_EQ(source.failed_[0].reason, "the device fell off the bus");
  EXPECT_EQ(result->devices[0].quarantined, "the device fell off the bus");
  EXPECT_EQ(source.leased_, 0u);
}

// Runs everything but one test, which loses the device.
class PoisonedExecutor final : public campaign::Executor {
 public:
  explicit PoisonedExecutor(int& poisoned) : poisoned_(poisoned) {}
  campaign::RunRecord execute(const campaign::RunRequest& request, campaign::RunObserver&) override {
    campaign::RunRecord record = campaign::begin_record(request);
    const bool lost = request.test->name == "MP";
    poisoned_ += lost ? 1 : 0;
    record.status = lost ? campaign::RunState::lost : campaign::RunState::finished;
    record.message = lost ? "the device hung" : "";
    return record;
  }

 private:
  int& poisoned_;
};

TEST(DeviceWorker, BlamesAPoisonousTestAndNotItsDevice) {
  campaign::CampaignPlan plan = plan_for("testing", 10);
  std::reverse(plan.tests.begin(), plan.tests.end());  // SB, then MP
  FakeSource source(plan);
  const AgentRequest request = request_for("testing:one");
  std::vector<std::string> notes;
  const AgentShared shared{request, source, "here/1", [] { return false; },
                           [&](const std::string& text) { notes.push_back(text); }};
  int poisoned = 0;
  WorkerDevice device;
  device.id = "testing:one";
  device.key = "here/testing:one";
  device.classes = {"testing"};
  device.executor = [&]() -> std::unique_ptr<campaign::Executor> {
    return std::make_unique<PoisonedExecutor>(poisoned);
  };
  DeviceWorker worker(std::move(device), shared);
  worker.run();
  EXPECT_EQ(worker.tally().shards, 10u);
  EXPECT_EQ(worker.tally().failures, 30u);
  EXPECT_EQ(worker.tally().quarantined, "");
  // Three times is enough to know.
  EXPECT_EQ(poisoned, 3);
  for (const store::FailedShard& failed : source.failed_) {
    EXPECT_EQ(failed.device, "");
    EXPECT_EQ(failed.test, "MP");
    EXPECT_EQ(failed.reason, "the device hung");
  }
}

TEST(Agent, GivesBackWhatItHasNotBegun) {
  campaign::CampaignPlan plan = plan_for("testing", 50);
  plan.instances = 0;
  plan.seconds = 0.05;
  FakeSource source(plan);
  Notes notes;
  AgentRequest request = request_for("testing:slow");
  request.seconds = 0.5;
  request.lease = 0.3;
  const auto result = run_agent(request, source, {}, notes);
  ASSERT_TRUE(result);
  const AgentDevice& device = result->devices[0];
  EXPECT_GT(device.shards, 0u);
  EXPECT_LT(device.shards, 100u);
  EXPECT_GT(device.returned, 0u);
  EXPECT_EQ(source.leased_, 0u);
  EXPECT_EQ(source.open_.size() + device.shards, 100u);
  EXPECT_GT(source.heartbeats_, 0);
}

TEST(DeviceClasses, AreIdInterfaceFamilyAndName) {
  backend::DeviceInfo info;
  info.id = "cuda:1";
  info.name = "NVIDIA H200";
  info.target = codegen::Target::ptx;
  EXPECT_EQ(classes_of(info), (std::vector<std::string>{"cuda:1", "cuda", "nvidia", "NVIDIA H200"}));
  EXPECT_EQ(classes_of_recorded("recorded:x"), (std::vector<std::string>{"recorded:x", "recorded"}));
}

TEST(Plan, HasEnvironmentsForDevicesThatAreElsewhere) {
  const auto plan = plan_campaign(asked({"MP"}, {"no-such-card", "cpu"}, {"sweep"}));
  ASSERT_TRUE(plan) << base::render(plan.errors());
  ASSERT_EQ(plan->classes.size(), 2u);
  EXPECT_GT(plan->classes[0].environments.size(), 1u);
  EXPECT_NE(plan->classes[0].environments, plan->classes[1].environments);
  EXPECT_EQ(plan->suite, "MP");
}

TEST(Plan, TakesSuitesAndDropsDuplicates) {
  const auto once = plan_campaign(asked({"mc-mutants"}, {"cpu"}));
  const auto twice = plan_campaign(asked({"mc-mutants", "mc-mutants"}, {"cpu"}));
  ASSERT_TRUE(once && twice);
  EXPECT_EQ(once->tests.size(), twice->tests.size());
  EXPECT_FALSE(plan_campaign(asked({"no-such-test"}, {"cpu"})));
}

}  // namespace
}  // namespace weakspot::workbench::agent_test
