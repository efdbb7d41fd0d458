// SPDX-License-Identifier: MIT
// Measures how fast a store takes submissions and gives out shards, each durable when it is acknowledged. The targets
// are 500 submissions per second on two cores with either database, and 3,000 claims per second by 32 agents on
// PostgreSQL.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "store/campaign_store.h"
#include "store/open_store.h"
#include "store/submission_store.h"
#include "support/postgres_server.h"
#include "system/temporary_folder.h"
#if WEAKSPOT_HAS_POSTGRES
#include "store/postgres/postgres_database.h"
#endif

namespace {

using namespace weakspot;
using store::Engine;

const store::Time kNow{store::Duration(1'800'000'000'000)};

support::PostgresServer& server() {
  static support::PostgresServer started(true);
  return started;
}

// A new, empty place; empty if this database is missing.
std::string new_place(Engine engine) {
  static base::TemporaryFolder folder;
  static int count = 0;
  const std::string name = fmt::format("s{}", ++count);
  if (engine == Engine::sqlite) return (folder.path() / (name + ".db")).string();
  if (!server().problem().empty()) return "";
#if WEAKSPOT_HAS_POSTGRES
  auto database = store::open_postgres(server().address(), store::Access::create, store::Duration(10'000));
  if (!database || !(*database)->run_script("CREATE SCHEMA " + name)) return "";
  return server().address(name);
#else
  return "";
#endif
}

std::unique_ptr<store::Database> open(const std::string& place) {
  auto database = store::open_store(place, store::Access::create, store::Duration(60'000));
  return database ? *std::move(database) : nullptr;
}

// About 4 kB with 20 rows, as a page sends.
store::Submission submission(std::int64_t number) {
  store::Submission one{.token = fmt::format("token{}", number),
                        .vendor = "acme",
                        .architecture = "one",
                        .device = "",
                        .document = fmt::format("{{\"number\":{},\"text\":\"{}\"}}", number, std::string(4000, 'x')),
                        .rows = {}};
  for (int i = 0; i < 20; ++i) {
    one.rows.push_back({.test = fmt::format("test{}", i), .test_hash = fmt::format("hash{}", i), .instances = 1000});
  }
  return one;
}

// The argument is how many submissions share a transaction.
void submit(benchmark::State& state, Engine engine) {
  const std::string place = new_place(engine);
  const std::unique_ptr<store::Database> database = place.empty() ? nullptr : open(place);
  if (!database) {
    state.SkipWithError("no such database here");
    return;
  }
  store::SubmissionStore submissions(*database);
  std::int64_t number = 0;
  for (auto _ : state) {
    std::vector<store::Submission> batch;
    for (std::int64_t i = 0; i < state.range(0); ++i) batch.push_back(submission(number++));
    if (!submissions.submit(batch, kNow)) state.SkipWithError("failed");
  }
  state.SetItemsProcessed(number);
}
BENCHMARK_CAPTURE(submit, sqlite, Engine::sqlite)->Arg(1)->Arg(16)->UseRealTime();
BENCHMARK_CAPTURE(submit, postgresql, Engine::postgresql)->Arg(1)->Arg(16)->UseRealTime();

constexpr int kClaims = 400;  // per agent
std::string claimed_place;    // made by the first agent before the others start

void make_campaign(Engine engine, std::int64_t shards) {
  claimed_place = new_place(engine);
  const std::unique_ptr<store::Database> database = claimed_place.empty() ? nullptr : open(claimed_place);
  std::vector<store::Shard> plan;
  for (std::int64_t i = 0; i < shards; ++i) plan.push_back({fmt::format("s{}", i), "cpu", 0.05, std::string(300, '{')});
  if (!database || !store::CampaignStore(*database).create({"c", "bench", "{}"}, plan, kNow)) claimed_place.clear();
}

// An agent is a thread with a connection of its own. The argument is how many shards it claims at once; with
// `finishes` each also stores a result of 1 kB.
void claim(benchmark::State& state, Engine engine, bool finishes) {
  if (state.thread_index() == 0) make_campaign(engine, state.range(0) * kClaims * state.threads());
  std::unique_ptr<store::Database> database;
  const std::string agent = fmt::format("agent{}", state.thread_index());
  const store::ClaimRequest request{.agent = agent,
                                    .device = agent + "/cpu",
                                    .device_classes = {"cpu"},
                                    .campaign = "",
                                    .most = static_cast<std::size_t>(state.range(0))};
  std::int64_t claimed = 0;
  for (auto _ : state) {
    if (!database && !claimed_place.empty()) database = open(claimed_place);
    if (!database) {
      state.SkipWithError("no such database here");
      break;
    }
    store::CampaignStore campaigns(*database);
    const base::Result<store::Claims> claims = campaigns.claim(request, kNow);
    if (!claims) {
      state.SkipWithError(base::messages(claims.errors()).c_str());
      break;
    }
    claimed += static_cast<std::int64_t>(claims->claims.size());
    if (!finishes) continue;
    std::vector<store::FinishedShard> done;
    for (const store::Claim& one : claims->claims) {
      const std::string document = fmt::format("{}{}", one.attempt.shard, std::string(1000, ' '));
      done.push_back({one.attempt, request.device, 0.05, {{.document = document}}});
    }
    if (!campaigns.finish(agent, done, kNow)) state.SkipWithError("failed");
  }
  state.SetItemsProcessed(claimed);
}
BENCHMARK_CAPTURE(claim, sqlite, Engine::sqlite, false)->Arg(1)->Arg(16)->Iterations(kClaims)->UseRealTime();
BENCHMARK_CAPTURE(claim, postgresql, Engine::postgresql, false)
    ->Arg(1)
    ->Arg(16)
    ->Iterations(kClaims)
    ->Threads(32)
    ->UseRealTime();
BENCHMARK_CAPTURE(claim, sqlite_and_finish, Engine::sqlite, true)->Arg(1)->Arg(16)->Iterations(kClaims)->UseRealTime();
BENCHMARK_CAPTURE(claim, postgresql_and_finish, Engine::postgresql, true)
    ->Arg(1)
    ->Arg(16)
    ->Iterations(kClaims)
    ->Threads(8)
    ->UseRealTime();

}  // namespace
