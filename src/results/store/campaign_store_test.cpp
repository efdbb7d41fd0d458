// SPDX-License-Identifier: MIT
#include "store/campaign_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "support/store_test.h"

namespace weakspot::store::campaign_store_test {
namespace {

class CampaignStoreTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, CampaignStoreTest, support::both_engines(), support::engine_name);

constexpr Duration kMinute{60'000};
Time at(std::int64_t seconds) { return Time(Duration(1'800'000'000'000 + seconds * 1000)); }

const Campaign kNightly{"c1", "nightly", "{\"suite\":\"small\"}"};

std::vector<Shard> shards(int count, const std::string& device_class = "cpu") {
  std::vector<Shard> made;
  for (int i = 0; i < count; ++i) {
    made.push_back({fmt::format("{}-{}", device_class, i), device_class, 0.5, fmt::format("{{\"shard\":{}}}", i)});
  }
  return made;
}

ClaimRequest asking(const std::string& agent, std::size_t most = 1) {
  return {.agent = agent,
          .device = agent + "/cpu:0",
          .device_classes = {"cpu"},
          .campaign = "",
          .most = most,
          .lease = kMinute};
}

FinishedShard finished(const Claim& claim, const std::string& device, std::vector<std::string> documents) {
  FinishedShard shard{claim.attempt, device, 0.4, {}};
  for (std::string& document : documents) shard.records.push_back({.test = "mp", .document = std::move(document)});
  return shard;
}

FailedShard failed(const Claim& claim, const std::string& agent, const std::string& reason = "lost") {
  return {claim.attempt, agent, agent + "/cpu:0", "mp", reason};
}

std::vector<std::string> ids(const Claims& claims) {
  std::vector<std::string> names;
  for (const Claim& claim : claims.claims) names.push_back(claim.attempt.shard);
  return names;
}

std::vector<std::string> results(CampaignStore& store) {
  std::vector<std::string> texts;
  EXPECT_TRUE(store.visit_results("c1", [&](const ShardResult& result) {
    std::string text = fmt::format("{}#{}", result.shard, result.attempt);
    for (const StoredRecord& record : result.records) text += " " + record.record.document;
    texts.push_back(text);
    return base::ok_status();
  }));
  return texts;
}

using Texts = std::vector<std::string>;

TEST_P(CampaignStoreTest, ACampaignIsMadeOnce) {
  const auto database = new_store();
  CampaignStore store(*database);
  EXPECT_TRUE(*store.create(kNightly, shards(3), at(0)));
  EXPECT_FALSE(*store.create(kNightly, shards(3), at(5)));
  const base::Result<bool> other = store.create(kNightly, shards(4), at(5));
  ASSERT_FALSE(other);
  EXPECT_EQ(database->place() + ": error: campaign 'c1' has another plan already\n", base::render(other.errors()));
  ASSERT_EQ(1U, store.campaigns()->size());
  EXPECT_EQ(at(0), store.campaigns()->at(0).created);
  EXPECT_EQ("c1", store.find("nightly")->campaign.id);
  EXPECT_FALSE(store.find("none"));
  ASSERT_TRUE(*store.create({"c2", "nightly", "{}"}, {}, at(6)));
  EXPECT_FALSE(store.find("nightly"));
  EXPECT_EQ("c2", store.find("c2")->campaign.id);
}

TEST_P(CampaignStoreTest, ShardsAreClaimedInTheOrderOfThePlan) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(3), at(0)));
  const base::Result<Claims> two = store.claim(asking("a", 2), at(1));
  ASSERT_TRUE(two) << base::render(two.errors());
  EXPECT_EQ((Texts{"cpu-0", "cpu-1"}), ids(*two));
  EXPECT_EQ((Attempt{"c1", "cpu-0", 1}), two->claims[0].attempt);
  EXPECT_EQ("{\"shard\":0}", two->claims[0].document);
  EXPECT_EQ(0.5, two->claims[0].seconds);
  EXPECT_EQ(at(61), two->claims[0].deadline);
  EXPECT_EQ((Texts{"cpu-2"}), ids(*store.claim(asking("b", 2), at(1))));
  EXPECT_TRUE(store.claim(asking("c"), at(1))->claims.empty());
}

TEST_P(CampaignStoreTest, ADeviceGetsShardsOfItsClasses) {
  const auto database = new_store();
  CampaignStore store(*database);
  std::vector<Shard> plan = shards(1, "cuda");
  plan.push_back(shards(1, "cpu")[0]);
  ASSERT_TRUE(store.create(kNightly, plan, at(0)));
  EXPECT_EQ((Texts{"cpu-0"}), ids(*store.claim(asking("a", 5), at(1))));
  ClaimRequest both = asking("a", 5);
  both.device_classes = {"opencl", "cuda"};
  EXPECT_EQ((Texts{"cuda-0"}), ids(*store.claim(both, at(1))));
}

TEST_P(CampaignStoreTest, OldCampaignsComeFirstAndThenClassesInTheirOrder) {
  const auto database = new_store();
  CampaignStore store(*database);
  std::vector<Shard> plan = shards(2, "cuda");
  plan.push_back(shards(1, "cpu")[0]);
  ASSERT_TRUE(store.create({"young", "", "{}"}, plan, at(1)));
  ASSERT_TRUE(store.create({"old", "", "{}"}, plan, at(0)));
  ASSERT_TRUE(store.create({"paused", "", "{}"}, plan, at(-1)));
  ASSERT_TRUE(store.pause("paused"));
  ClaimRequest request = asking("a", 4);
  request.device_classes = {"opencl", "cpu", "cuda"};
  const auto places = [](const Claims& claims) {
    Texts texts;
    for (const Claim& claim : claims.claims) texts.push_back(claim.attempt.campaign + " " + claim.attempt.shard);
    return texts;
  };
  EXPECT_EQ((Texts{"old cpu-0", "old cuda-0", "old cuda-1", "young cpu-0"}), places(*store.claim(request, at(2))));
  request.most = 1;
  EXPECT_EQ((Texts{"young cuda-0"}), places(*store.claim(request, at(2))));
  request.campaign = "old";
  EXPECT_TRUE(store.claim(request, at(2))->claims.empty());
  request.campaign = "paused";
  EXPECT_TRUE(store.claim(request, at(2))->claims.empty());
  request.device_classes.clear();
  EXPECT_TRUE(store.claim(request, at(2))->claims.empty());
}

TEST_P(CampaignStoreTest, AResultIsStoredOnce) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(2), at(0)));
  const base::Result<Claims> claims = store.claim(asking("a", 2), at(1));
  ASSERT_EQ(2U, claims->claims.size());
  const FinishedShard second = finished(claims->claims[1], "a/cpu:0", {"{\"r\":1}", "{\"r\":2}"});
  EXPECT_EQ(Finished::stored, *store.finish("a", second, at(2)));
  EXPECT_EQ(Finished::already_stored, *store.finish("a", second, at(3)));
  // The same document in another shard counts there as well.
  EXPECT_EQ(Finished::stored, *store.finish("a", finished(claims->claims[0], "a/cpu:0", {"{\"r\":1}"}), at(4)));
  EXPECT_EQ((Texts{"cpu-0#1 {\"r\":1}", "cpu-1#1 {\"r\":1} {\"r\":2}"}), results(store));
  EXPECT_EQ(2, *ResultStore(*database).count());
  EXPECT_TRUE(store.claim(asking("a", 2), at(1000))->claims.empty());
  EXPECT_EQ(Finished::lease_lost, *store.finish("a", {{"c1", "none", 1}, "", 0, {}}, at(4)));
}

TEST_P(CampaignStoreTest, AnExpiredLeaseIsTheNextAttempt) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(1), at(0)));
  const Claim first = store.claim(asking("a"), at(0))->claims.at(0);
  EXPECT_TRUE(store.claim(asking("b"), at(59))->claims.empty());
  const Claim second = store.claim(asking("b"), at(60))->claims.at(0);
  EXPECT_EQ(2, second.attempt.number);
  EXPECT_EQ(Finished::lease_lost, *store.finish("a", finished(first, "a/cpu:0", {"1"}), at(61)));
  EXPECT_EQ(0, *ResultStore(*database).count());
  // Late, but nobody has claimed it since.
  EXPECT_EQ(Finished::stored, *store.finish("b", finished(second, "b/cpu:0", {"2"}), at(500)));
  EXPECT_EQ((Texts{"cpu-0#2 2"}), results(store));
  EXPECT_EQ(Finished::lease_lost, *store.finish("a", finished(first, "a/cpu:0", {"1"}), at(501)));
}

TEST_P(CampaignStoreTest, NobodyEndsTheLeaseOfAnother) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(9), at(0)));
  const Claim held = store.claim(asking("a"), at(1))->claims.at(0);
  FailedShard blamed = failed(held, "b");
  EXPECT_TRUE(store.fail(blamed, at(2))->lease_lost);
  blamed.device = "a/cpu:0";
  EXPECT_TRUE(store.fail(blamed, at(2))->lease_lost);
  EXPECT_EQ(Finished::lease_lost, *store.finish("b", finished(held, "a/cpu:0", {"made up"}), at(2)));
  EXPECT_EQ(Finished::lease_lost, *store.finish("a", finished(held, "b/cpu:0", {"made up"}), at(2)));
  EXPECT_TRUE(store.extend("a", std::vector<Attempt>{held.attempt}, kMinute, at(3))->empty());
  EXPECT_EQ(Finished::stored, *store.finish("a", finished(held, "a/cpu:0", {"true"}), at(4)));
  EXPECT_EQ(Finished::lease_lost, *store.finish("b", finished(held, "a/cpu:0", {"true"}), at(5)));
  EXPECT_EQ((Texts{"cpu-0#1 true"}), results(store));
  // Failures of one's own shards in the name of another device quarantine nothing.
  for (int i = 0; i < kMostFailures; ++i) {
    blamed = failed(store.claim(asking("b"), at(6))->claims.at(0), "b");
    blamed.device = "a/cpu:0";
    EXPECT_TRUE(store.fail(blamed, at(6))->lease_lost);
  }
  EXPECT_TRUE(store.quarantined_devices()->empty());
  EXPECT_EQ(1U, store.claim(asking("a"), at(7))->claims.size());
}

TEST_P(CampaignStoreTest, AHeartbeatKeepsALease) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(2), at(0)));
  const base::Result<Claims> claims = store.claim(asking("a", 2), at(0));
  const std::vector<Attempt> attempts = {claims->claims[0].attempt, claims->claims[1].attempt};
  EXPECT_TRUE(store.extend("a", attempts, kMinute, at(50))->empty());
  EXPECT_TRUE(store.claim(asking("b", 2), at(100))->claims.empty());
  const Claim taken = store.claim(asking("b"), at(110))->claims.at(0);
  EXPECT_EQ((std::vector<Attempt>{attempts[0]}), *store.extend("a", attempts, kMinute, at(111)));
  ASSERT_TRUE(store.release("b", std::vector<Attempt>{taken.attempt}, at(112)));
  EXPECT_EQ((Texts{"cpu-0"}), ids(*store.claim(asking("c", 2), at(112))));
}

TEST_P(CampaignStoreTest, APoisonousShardIsQuarantined) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(2), at(0)));
  for (int round = 0; round < 3; ++round) {
    Claims claims = *store.claim(asking("a", 2), at(round));
    const Claim& bad = claims.claims.at(0);
    ASSERT_EQ("cpu-0", bad.attempt.shard);
    const base::Result<Failure> failure = store.fail(failed(bad, "a", fmt::format("crash {}", round)), at(round));
    ASSERT_TRUE(failure) << base::render(failure.errors());
    EXPECT_EQ(round == 2, failure->shard_quarantined);
    // The only shard that ever failed on it: the shard is to blame.
    EXPECT_FALSE(failure->device_quarantined);
    EXPECT_TRUE(store.fail(failed(bad, "a"), at(round))->lease_lost);
  }
  EXPECT_TRUE(store.claim(asking("a"), at(10))->claims.empty());
  const auto quarantined = store.quarantined_shards("c1");
  ASSERT_EQ(1U, quarantined->size());
  EXPECT_EQ("cpu-0", quarantined->at(0).shard);
  EXPECT_EQ("mp", quarantined->at(0).test);
  EXPECT_EQ("crash 2", quarantined->at(0).reason);
  ASSERT_TRUE(store.pardon_shards("c1", at(11)));
  EXPECT_EQ(4, store.claim(asking("a"), at(12))->claims.at(0).attempt.number);
}

TEST_P(CampaignStoreTest, AShardThatFailedComesLast) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(3), at(0)));
  ASSERT_TRUE(store.fail(failed(store.claim(asking("a"), at(1))->claims.at(0), "a"), at(1)));
  EXPECT_EQ((Texts{"cpu-1"}), ids(*store.claim(asking("a"), at(2))));
  EXPECT_EQ((Texts{"cpu-2"}), ids(*store.claim(asking("a"), at(2))));
  EXPECT_EQ((Texts{"cpu-0"}), ids(*store.claim(asking("a"), at(2))));
}

TEST_P(CampaignStoreTest, ALeaseThatAlwaysExpiresQuarantinesItsShard) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(1), at(0)));
  for (int i = 0; i < kMostExpired; ++i) ASSERT_EQ(1U, store.claim(asking("a"), at(60 * i))->claims.size());
  EXPECT_TRUE(store.claim(asking("a"), at(60 * kMostExpired))->claims.empty());
  EXPECT_EQ("its lease expired 10 times", store.quarantined_shards("c1")->at(0).reason);
  EXPECT_TRUE(store.status("c1", at(10'000))->over());
}

TEST_P(CampaignStoreTest, ShardsWhoseLeasesExpireAreHandedOutAlone) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(5), at(0)));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(5U, store.claim(asking("a", 5), at(60 * i))->claims.size());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(1U, store.claim(asking("a", 5), at(180))->claims.size());
  EXPECT_TRUE(store.claim(asking("a", 5), at(180))->claims.empty());
}

TEST_P(CampaignStoreTest, ADeviceThatFailsThreeShardsIsQuarantined) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(9), at(0)));
  const auto next = [&](const std::string& agent) { return store.claim(asking(agent), at(1))->claims.at(0); };
  EXPECT_FALSE(store.fail(failed(next("bad"), "bad"), at(1))->device_quarantined);
  EXPECT_FALSE(store.fail(failed(next("bad"), "bad"), at(1))->device_quarantined);
  // A success in between: it starts again.
  EXPECT_EQ(Finished::stored, *store.finish("bad", finished(next("bad"), "bad/cpu:0", {"1"}), at(1)));
  EXPECT_FALSE(store.fail(failed(next("bad"), "bad"), at(1))->device_quarantined);
  EXPECT_FALSE(store.fail(failed(next("bad"), "bad"), at(1))->device_quarantined);
  EXPECT_TRUE(store.fail(failed(next("bad"), "bad", "no memory"), at(1))->device_quarantined);
  const base::Result<Claims> none = store.claim(asking("bad"), at(2));
  EXPECT_TRUE(none->claims.empty());
  EXPECT_EQ("no memory", none->quarantined);
  EXPECT_EQ(1U, store.claim(asking("good"), at(2))->claims.size());
  const auto devices = store.quarantined_devices();
  ASSERT_EQ(1U, devices->size());
  EXPECT_EQ("bad/cpu:0", devices->at(0).device);
  EXPECT_EQ("mp", devices->at(0).test);
  ASSERT_TRUE(store.pardon_device("bad/cpu:0"));
  EXPECT_FALSE(store.pardon_device("bad/cpu:0"));
  EXPECT_EQ(1U, store.claim(asking("bad"), at(2))->claims.size());
}

TEST_P(CampaignStoreTest, APausedCampaignGivesNothing) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(2), at(0)));
  ASSERT_TRUE(store.create({"c2", "weekly", "{}"}, shards(1), at(1)));
  const Claim running = store.claim(asking("a"), at(1))->claims.at(0);
  ASSERT_TRUE(store.pause("c1"));
  EXPECT_EQ("c2", store.claim(asking("a", 9), at(2))->claims.at(0).attempt.campaign);
  EXPECT_TRUE(store.claim(asking("a", 9), at(2))->claims.empty());
  EXPECT_EQ(Finished::stored, *store.finish("a", finished(running, "a/cpu:0", {"1"}), at(3)));
  ASSERT_TRUE(store.resume("c1"));
  ClaimRequest only = asking("a", 9);
  only.campaign = "c1";
  EXPECT_EQ((Texts{"cpu-1"}), ids(*store.claim(only, at(4))));
  EXPECT_FALSE(store.pause("none"));
}

TEST_P(CampaignStoreTest, StatusAddsUp) {
  const auto database = new_store();
  CampaignStore store(*database);
  ASSERT_TRUE(store.create(kNightly, shards(5), at(0)));
  const base::Result<Claims> claims = store.claim(asking("a", 3), at(0));
  ASSERT_EQ(Finished::stored, *store.finish("a", finished(claims->claims[0], "a/cpu:0", {"1"}), at(10)));
  const base::Result<CampaignStatus> status = store.status("nightly", at(10));
  ASSERT_TRUE(status) << base::render(status.errors());
  ASSERT_EQ(1U, status->classes.size());
  const ClassStatus& cpu = status->classes[0];
  EXPECT_EQ("cpu", cpu.device_class);
  EXPECT_EQ(1, cpu.done);
  EXPECT_EQ(2, cpu.running);
  EXPECT_EQ(2, cpu.left);
  EXPECT_EQ(0.5, cpu.seconds_done);
  EXPECT_EQ(2.0, cpu.seconds_left);
  EXPECT_DOUBLE_EQ(0.05, cpu.rate);
  EXPECT_DOUBLE_EQ(40, *cpu.time_left());
  EXPECT_FALSE(status->over());
  // All leases are over, and nothing was finished in the last minutes.
  const ClassStatus later = store.status("c1", at(1000))->classes[0];
  EXPECT_EQ(0, later.running);
  EXPECT_EQ(4, later.left);
  EXPECT_EQ(0, later.rate);
  EXPECT_FALSE(later.time_left());
  EXPECT_FALSE(store.status("none", at(0)));
}

// Claims until nothing is left, and writes what it got.
void claim_all(const std::string& place, const std::string& agent, int pipe) {
  base::Result<std::unique_ptr<Database>> database = open_store(place, Access::write, Duration(60'000));
  if (!database) ::_exit(1);
  CampaignStore store(**database);
  for (;;) {
    const base::Result<Claims> claims = store.claim(asking(agent, 3), at(1));
    if (!claims) ::_exit(2);
    if (claims->claims.empty()) ::_exit(0);
    for (const Claim& claim : claims->claims) {
      const std::string line = fmt::format("{}#{}\n", claim.attempt.shard, claim.attempt.number);
      if (::write(pipe, line.data(), line.size()) != static_cast<ssize_t>(line.size())) ::_exit(3);
    }
  }
}

TEST_P(CampaignStoreTest, ProcessesNeverGetTheSameShard) {
  constexpr int kShards = 120, kProcesses = 4;
  const std::string place = new_place();
  ASSERT_TRUE(CampaignStore(*open(place)).create(kNightly, shards(kShards), at(0)));
  int ends[2];
  ASSERT_EQ(0, ::pipe(ends));
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(::fork());
    if (children.back() == 0) claim_all(place, fmt::format("agent{}", i), ends[1]);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t read = 0; (read = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(read));
  }
  ::close(ends[0]);
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(child, ::waitpid(child, &status, 0));
    EXPECT_EQ(0, status);
  }
  std::multiset<std::string> expected, claimed;
  for (int i = 0; i < kShards; ++i) expected.insert(fmt::format("cpu-{}#1", i));
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    claimed.insert(text.substr(begin, end - begin));
  }
  EXPECT_EQ(expected, claimed);
}

}  // namespace
}  // namespace weakspot::store::campaign_store_test
