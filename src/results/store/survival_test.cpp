// SPDX-License-Identifier: MIT
// Programs and servers that are killed at any moment: nothing that was acknowledged is lost, nothing counts twice.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "base/rng.h"
#include "store/campaign_store.h"
#include "store/maintain.h"
#include "support/store_test.h"

namespace weakspot::store::survival_test {
namespace {

class SurvivalTest : public support::StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, SurvivalTest, support::both_engines(), support::engine_name);

Time at(std::int64_t seconds) { return Time(Duration(1'800'000'000'000 + seconds * 1000)); }

void pause_for(std::uint64_t microseconds) { std::this_thread::sleep_for(std::chrono::microseconds(microseconds)); }

// Does `work` in a process of its own.
pid_t in_child(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  work();
  ::_exit(0);
}

int status_of(pid_t child) {
  int status = 0;
  EXPECT_EQ(child, ::waitpid(child, &status, 0));
  return status;
}

// Adds one record after the other, and tells of each that was acknowledged.
void add_records(const std::string& place, int round, int pipe) {
  base::Result<std::unique_ptr<Database>> database = open_store(place, Access::write);
  if (!database) ::_exit(1);
  ResultStore store(**database);
  for (int i = 0;; ++i) {
    const std::string document = fmt::format("{}-{}", round, i);
    if (!store.add(std::vector<Record>{{.document = document}})) ::_exit(2);
    const std::string line = document + "\n";
    if (::write(pipe, line.data(), line.size()) < 0) ::_exit(3);
  }
}

TEST_P(SurvivalTest, AKilledWriterLosesNothingThatWasAcknowledged) {
  const std::string place = new_place();
  const auto database = open(place);
  ResultStore store(*database);
  base::Rng rng(7);
  int ends[2];
  ASSERT_EQ(0, ::pipe(ends));
  constexpr int kRounds = 12;
  for (int round = 0; round < kRounds; ++round) {
    const pid_t child = in_child([&] { add_records(place, round, ends[1]); });
    pause_for(20'000 + rng.below(40'000));
    ::kill(child, SIGKILL);
    EXPECT_EQ(SIGKILL, status_of(child));
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t read = 0; (read = ::read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(read));
  }
  ::close(ends[0]);
  std::int64_t acknowledged = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string document = text.substr(begin, end - begin);
    const base::Result<std::optional<StoredRecord>> found = store.find(content_hash(document));
    EXPECT_TRUE(found && *found) << document;
    ++acknowledged;
  }
  // One of each round may have been stored and not yet acknowledged.
  EXPECT_LE(*store.count() - acknowledged, kRounds);
  EXPECT_TRUE(verify_store(*database)->problems.empty());
}

constexpr int kShards = 40;

void make_campaign(Database& database) {
  std::vector<Shard> shards;
  for (int i = 0; i < kShards; ++i) shards.push_back({fmt::format("s{}", i), "cpu", 1, "{}"});
  ASSERT_TRUE(CampaignStore(database).create({"c", "c", "{}"}, shards, at(0)));
}

// Runs shards like an agent, until none is left. The result of a shard is the same whoever runs it.
void run_shards(const std::string& place, int round) {
  base::Result<std::unique_ptr<Database>> database = open_store(place, Access::write);
  if (!database) ::_exit(1);
  CampaignStore store(**database);
  const std::string agent = fmt::format("agent{}", round);
  for (;;) {
    // Leases of the rounds before are over.
    const base::Result<Claims> claims = store.claim({.agent = agent,
                                                     .device = agent,
                                                     .device_classes = {"cpu"},
                                                     .campaign = "",
                                                     .most = 2,
                                                     .lease = Duration(1000)},
                                                    at(round * 10));
    if (!claims) ::_exit(2);
    if (claims->claims.empty()) return;
    for (const Claim& claim : claims->claims) {
      pause_for(1000);
      const FinishedShard done{claim.attempt, agent, 1, {{.document = "result of " + claim.attempt.shard}}};
      if (!store.finish(agent, done, at(round * 10))) ::_exit(3);
    }
  }
}

void expect_whole_campaign(Database& database) {
  CampaignStore store(database);
  std::vector<std::string> results, expected;
  ASSERT_TRUE(store.visit_results("c", [&](const ShardResult& result) {
    for (const StoredRecord& record : result.records) results.push_back(record.record.document);
    return base::ok_status();
  }));
  for (int i = 0; i < kShards; ++i) expected.push_back(fmt::format("result of s{}", i));
  EXPECT_EQ(expected, results);
  EXPECT_EQ(kShards, *ResultStore(database).count());
  EXPECT_TRUE(verify_store(database)->problems.empty());
}

TEST_P(SurvivalTest, ACampaignWithKilledAgentsEndsAsAnyOther) {
  const std::string place = new_place();
  const auto database = open(place);
  make_campaign(*database);
  base::Rng rng(11);
  int round = 1;
  for (; round <= 8; ++round) {
    const pid_t child = in_child([&] { run_shards(place, round); });
    pause_for(15'000 + rng.below(20'000));
    ::kill(child, SIGKILL);
    status_of(child);
  }
  EXPECT_EQ(0, status_of(in_child([&] { run_shards(place, round); })));
  expect_whole_campaign(*database);
}

#if WEAKSPOT_HAS_POSTGRES
// The same work by an agent that tries again after every error.
void insist_on_shards(const std::string& place) {
  base::Result<std::unique_ptr<Database>> database = open_store(place, Access::write);
  for (int tries = 0; !database && tries < 1000; ++tries) {
    pause_for(20'000);
    database = open_store(place, Access::write);
  }
  if (!database) ::_exit(1);
  CampaignStore store(**database);
  for (int failures = 0, second = 0; failures < 2000; ++second) {
    const base::Result<Claims> claims = store.claim(
        {.agent = "a", .device = "a", .device_classes = {"cpu"}, .campaign = "", .most = 1, .lease = Duration(1000)},
        at(second));
    if (claims && claims->claims.empty()) return;
    if (!claims) {
      ++failures;
      pause_for(20'000);
      continue;
    }
    pause_for(15'000);
    const Attempt& attempt = claims->claims[0].attempt;
    const FinishedShard done{attempt, "a", 1, {{.document = "result of " + attempt.shard}}};
    while (!store.finish("a", done, at(second)) && ++failures < 2000) pause_for(20'000);
  }
  ::_exit(4);
}

TEST(Survival, ACampaignWithAKilledServerEndsAsAnyOther) {
  support::PostgresServer server;
  if (!server.problem().empty()) GTEST_SKIP() << server.problem();
  {
    base::Result<std::unique_ptr<Database>> database = open_store(server.address(), Access::create);
    ASSERT_TRUE(database) << base::render(database.errors());
    make_campaign(**database);
  }
  const pid_t child = in_child([&] { insist_on_shards(server.address()); });
  base::Rng rng(13);
  for (int round = 0; round < 4; ++round) {
    pause_for(50'000 + rng.below(150'000));
    server.stop(SIGKILL);
    server.start();
    ASSERT_EQ("", server.problem());
  }
  EXPECT_EQ(0, status_of(child));
  base::Result<std::unique_ptr<Database>> database = open_store(server.address(), Access::read);
  ASSERT_TRUE(database) << base::render(database.errors());
  expect_whole_campaign(**database);
}
#endif

}  // namespace
}  // namespace weakspot::store::survival_test
