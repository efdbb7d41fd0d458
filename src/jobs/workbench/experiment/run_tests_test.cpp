// SPDX-License-Identifier: MIT
#include "workbench/run_tests.h"

#include <gtest/gtest.h>

#include <set>

#include "campaign/record_json.h"
#include "system/temporary_folder.h"
#include "workbench/replay.h"

namespace weakspot::workbench::run_tests_test {
namespace {

// Notes what it is told, and cancels after a number of groups.
class Notes final : public RunWatch {
 public:
  explicit Notes(std::size_t most_groups = 1000) : most_groups_(most_groups) {}

  void planned(std::size_t tests, std::size_t devices, std::size_t runs) override {
    plan = std::to_string(tests) + " tests, " + std::to_string(devices) + " devices, " + std::to_string(runs) + " runs";
  }
  void group_ended(const campaign::RunGroup& group) override { groups.push_back(group.test() + " " + group.device()); }
  void test_ended(const std::vector<campaign::RunGroup>& ended) override { tables.push_back(ended.size()); }
  bool cancelled() override { return groups.size() >= most_groups_; }

  std::string plan;
  std::vector<std::string> groups;
  std::vector<std::size_t> tables;

 private:
  std::size_t most_groups_;
};

RunTestsRequest request_for(std::vector<std::string> devices) {
  RunTestsRequest request;
  request.tests = {"MP", "SB"};
  request.devices = std::move(devices);
  request.instances = 1000;
  return request;
}

TEST(RunTests, EveryTestOnEveryDeviceInEveryEnvironment) {
  RunTestsRequest request = request_for({"testing:one", "testing:all"});
  request.environments = {"basic", "workgroup_size=32"};
  Notes notes;
  const auto executor = campaign::in_process_executor();
  const auto result = run_tests(request, *executor, notes);
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(notes.plan, "2 tests, 2 devices, 8 runs");
  EXPECT_EQ(notes.groups,
            (std::vector<std::string>{"MP testing:one", "MP testing:all", "SB testing:one", "SB testing:all"}));
  EXPECT_EQ(notes.tables, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(result->records.size(), 8u);
  EXPECT_EQ(result->records.front().started, "") << "the clock was read unasked";
}

// Notes what is announced, and runs it.
class Announced final : public campaign::Executor {
 public:
  campaign::RunRecord execute(const campaign::RunRequest& request, campaign::RunObserver& observer) override {
    was_ahead = was_ahead && programs.contains(request.test.text() + codegen::to_text(request.environment));
    return executor_->execute(request, observer);
  }
  void prepare(std::span<const campaign::RunRequest> requests) override {
    most = std::max(most, requests.size());
    for (const campaign::RunRequest& one : requests) {
      programs.insert(one.test.text() + codegen::to_text(one.environment));
    }
    executor_->prepare(requests);
  }

  std::set<std::string> programs;
  bool was_ahead = true;
  std::size_t most = 0;

 private:
  std::unique_ptr<campaign::Executor> executor_ = campaign::in_process_executor();
};

TEST(RunTests, ProgramsAreAnnouncedToDevicesThatCompileBesideTheRun) {
  RunTestsRequest asked;
  asked.tests = {"MP", "SB", "LB", "S", "R", "2+2W", "WRC", "ISA2", "IRIW", "RWC"};
  asked.devices = {"testing:parallel"};
  asked.environments = {"sweep"};
  asked.instances = 1;
  Announced executor;
  Notes notes;
  const base::Result<RunTestsResult> result = run_tests(asked, executor, notes);
  ASSERT_TRUE(result) << base::render(result.errors());
  EXPECT_TRUE(executor.was_ahead);
  EXPECT_GT(executor.programs.size(), 256u);
  EXPECT_LT(executor.most, 256u + 64);
  for (const campaign::RunRecord& record : result->records) {
    EXPECT_EQ(campaign::RunState::finished, record.status) << record.message;
  }
}

TEST(RunTests, EnvironmentsAreLeftOutOnceTheOutcomeWasSeen) {
  RunTestsRequest asked;
  asked.tests = {"MP"};
  asked.devices = {"testing:all"};
  asked.environments = {"basic", "stress", "interleave"};
  asked.instances = 1000;
  asked.until_seen = true;
  const std::unique_ptr<campaign::Executor> executor = campaign::in_process_executor();
  Notes notes;
  const base::Result<RunTestsResult> result = run_tests(asked, *executor, notes);
  ASSERT_TRUE(result) << base::render(result.errors());
  EXPECT_EQ(1u, result->records.size());
}

TEST(RunTests, RecordsBeginWhenTheClockSays) {
  RunTestsRequest request = request_for({"testing:one"});
  request.now = [] { return std::string("2026-01-31T12:00:00Z"); };
  Notes notes;
  const auto executor = campaign::in_process_executor();
  const auto result = run_tests(request, *executor, notes);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->records.front().started, "2026-01-31T12:00:00Z");
}

TEST(RunTests, AnUnusableDeviceIsInTheRecords) {
  Notes notes;
  const auto executor = campaign::in_process_executor();
  const auto result = run_tests(request_for({"testing:one", "testing:closed"}), *executor, notes);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->records[1].status, campaign::RunState::failed);
  EXPECT_EQ(result->ending, Ending::failed);
}

TEST(RunTests, CancelledRunsEndWithWhatThereIs) {
  Notes notes(1);
  const auto executor = campaign::in_process_executor();
  const auto result = run_tests(request_for({"testing:one"}), *executor, notes);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(notes.groups, std::vector<std::string>{"MP testing:one"});
  EXPECT_EQ(result->ending, Ending::cancelled);
}

TEST(RunTests, BadInputIsAnErrorBeforeAnythingRuns) {
  const auto executor = campaign::in_process_executor();
  for (auto spoil : {+[](RunTestsRequest& request) { request.tests = {"no-such-test"}; },
                     +[](RunTestsRequest& request) { request.devices = {"no-such-device"}; },
                     +[](RunTestsRequest& request) { request.environments = {"no-such-preset"}; },
                     +[](RunTestsRequest& request) { request.model = "no-such-model"; },
                     +[](RunTestsRequest& request) { request.files.html = "/dev/null/x.html"; }}) {
    RunTestsRequest request = request_for({"testing:one"});
    spoil(request);
    Notes notes;
    const auto result = run_tests(request, *executor, notes);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(base::kind_of(result.errors()), base::ErrorKind::bad_input);
    EXPECT_TRUE(notes.groups.empty());
  }
}

TEST(Replay, RepeatsTheRecordThatIsMostInteresting) {
  const base::TemporaryFolder folder;
  RunTestsRequest request = request_for({"testing:all"});
  request.model = "sc";
  request.files.records = (folder.path() / "runs.jsonl").string();
  Notes notes;
  const auto executor = campaign::in_process_executor();
  const auto ran = run_tests(request, *executor, notes);
  ASSERT_TRUE(ran.ok());
  ASSERT_EQ(ran->ending, Ending::finding);
  const auto result = replay({.file = request.files.records}, *executor, notes);
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(result->record.test, "MP");
  ASSERT_EQ(result->outcomes.size(), 1u);
  EXPECT_GT(result->outcomes.front().then, 0u);
  EXPECT_GT(result->outcomes.front().now, 0u);
  EXPECT_EQ(result->ending, Ending::finding);
  EXPECT_FALSE(replay({.file = request.files.records, .number = 3}, *executor, notes).ok());
}

}  // namespace
}  // namespace weakspot::workbench::run_tests_test
