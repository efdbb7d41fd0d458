// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"
#include "base/source.h"
#include "campaign/campaign_report.h"
#include "campaign/recorded_runs.h"
#include "litmus/dialect.h"

namespace weakspot::campaign::fleet_test {
namespace {

using stats::OutcomeClass;

constexpr const char* kMp = R"(weakspot MP
 P0      | P1       ;
 st x, 1 | ld r0, y ;
 st y, 1 | ld r1, x ;
exists (1:r0=1 /\ 1:r1=0)
)";

litmus::LitmusTest test_named(const std::string& name) {
  litmus::LitmusTest test;
  test.name = name;
  return test;
}

// Tests that differ in nothing but their names are one test.
RunTest fake_test(const std::string& name) { return RunTest(test_named(name), "text of " + name, "hash-" + name); }

codegen::TestEnvironment sized(int size) {
  codegen::TestEnvironment environment;
  environment.workgroup_size = size;
  return environment;
}

CampaignPlan small_plan() {
  CampaignPlan plan;
  plan.suite = "small";
  plan.tests = {fake_test("A"), fake_test("B")};
  plan.classes = {{"cuda", {sized(32), sized(64)}}, {"cpu", {sized(1)}}};
  plan.seconds = 0.05;
  plan.first_seed = 10;
  plan.seeds = 5;
  plan.seeds_per_shard = 2;
  return plan;
}

RunRecord run_of(const CampaignPlan& plan, const Shard& shard, std::uint64_t seed, std::uint64_t forbidden = 0) {
  RunRequest request;
  request.test = *plan.test_with(shard.test);
  request.device = shard.device_class + ":0";
  request.environment = shard.environment;
  request.seed = seed;
  RunRecord record = begin_record(request);
  record.device_name = "card";
  record.driver = "1";
  record.status = RunState::finished;
  record.seconds = 0.1 / static_cast<double>(seed);
  record.outcomes = {{"r=0;", 100 + seed, OutcomeClass::sequential, false, {}},
                     {"r=1;", seed, OutcomeClass::weak, true, {}}};
  if (forbidden != 0) record.outcomes.push_back({"r=2;", forbidden, OutcomeClass::forbidden, false, {}});
  for (const OutcomeCount& outcome : record.outcomes) record.instances += outcome.count;
  return record;
}

std::vector<ShardResult> all_results(const CampaignPlan& plan) {
  std::vector<ShardResult> results;
  for (const Shard& shard : shards_of(plan)) {
    ShardResult result{shard_id(plan.id(), shard), 1, {}};
    for (std::uint64_t i = 0; i < shard.seeds; ++i) {
      const std::uint64_t seed = shard.first_seed + i;
      const bool violates = shard.test == "hash-B" && shard.device_class == "cpu";
      result.records.push_back(run_of(plan, shard, seed, violates ? seed - 10 : 0));
    }
    results.push_back(std::move(result));
  }
  return results;
}

CampaignReport merged(const CampaignPlan& plan, const std::vector<ShardResult>& results) {
  CampaignMerge merge(plan);
  for (const ShardResult& result : results) merge.add(result);
  return merge.report();
}

TEST(CampaignPlan, HasAShardForEveryTestEnvironmentClassAndRangeOfSeeds) {
  const CampaignPlan plan = small_plan();
  const std::vector<Shard> shards = shards_of(plan);
  EXPECT_EQ(shards.size(), 2u * 3 * 3);
  EXPECT_EQ(shards.size(), count_shards(plan));
  std::uint64_t runs = 0;
  std::set<std::string> ids;
  for (const Shard& shard : shards) {
    runs += shard.seeds;
    ids.insert(shard_id(plan.id(), shard));
    EXPECT_GE(shard.first_seed, 10u);
    EXPECT_LE(shard.first_seed + shard.seeds, 15u);
  }
  EXPECT_EQ(runs, 2u * 3 * 5);
  EXPECT_EQ(ids.size(), shards.size());
}

TEST(CampaignPlan, IsTheSameCampaignWhenPlannedTwice) {
  EXPECT_EQ(small_plan().id(), small_plan().id());
  CampaignPlan other = small_plan();
  other.seconds = 0.06;
  EXPECT_NE(other.id(), small_plan().id());
  EXPECT_NE(shard_id(other.id(), shards_of(other)[0]), shard_id(small_plan().id(), shards_of(small_plan())[0]));
}

TEST(CampaignPlan, ReadsBackTheSame) {
  CampaignPlan plan = small_plan();
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("MP", kMp));
  ASSERT_TRUE(tests) << base::render(tests.errors());
  plan.tests = {RunTest(tests->front())};
  plan.model = "ptx";
  plan.memory = 1 << 20;
  const auto read = plan_from_json(base::Source("plan", to_json(plan)));
  ASSERT_TRUE(read) << base::render(read.errors());
  EXPECT_EQ(*read, plan);
  EXPECT_EQ(read->id(), plan.id());
}

TEST(CampaignPlan, SaysWhatIsWrongWithAText) {
  EXPECT_FALSE(plan_from_json(base::Source("plan", "[]")));
  const auto read = plan_from_json(base::Source(
      "plan", R"({"format":1,"suite":"s","seconds":1,"instances":0,"first_seed":1,"seeds":1,"seeds_per_shard":1,)"
              R"("model":"","memory":0,"classes":[{"name":"cpu","environments":["nonsense=1"]}],"tests":[3]})"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.errors().size(), 2u);
}

TEST(Shard, ReadsBackTheSame) {
  for (const Shard& shard : shards_of(small_plan())) {
    const auto read = shard_from_json(to_json(shard));
    ASSERT_TRUE(read) << base::render(read.errors());
    EXPECT_EQ(*read, shard);
  }
  EXPECT_FALSE(shard_from_json("{}"));
}

TEST(Shard, ShortOnesAreClaimedTogether) {
  Shard shard;
  shard.seconds = 0.05;
  EXPECT_EQ(shards_per_claim(shard), 40u);
  shard.seconds = 10;
  EXPECT_EQ(shards_per_claim(shard), 1u);
  shard.seconds = 1e-6;
  EXPECT_EQ(shards_per_claim(shard), 256u);
}

TEST(CampaignPlan, DropsTestsThatDifferInNothingButTheirNames) {
  std::vector<RunTest> tests = {fake_test("A"), RunTest(test_named("Z"), "", "hash-A"), fake_test("B")};
  EXPECT_EQ(drop_duplicates(tests), 1u);
  EXPECT_EQ(tests.size(), 2u);
  EXPECT_EQ(tests[0]->name, "A");
}

TEST(CampaignReport, CountsEveryRunOnce) {
  const CampaignPlan plan = small_plan();
  const CampaignReport report = merged(plan, all_results(plan));
  EXPECT_EQ(report.done, report.shards);
  ASSERT_EQ(report.cells.size(), 6u);
  const std::vector<CampaignCell> rows = report.by_test();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].test, "A");
  EXPECT_EQ(rows[0].device_class, "cuda");
  EXPECT_EQ(rows[0].tally.runs, 10u);
  EXPECT_EQ(rows[0].tally.count(OutcomeClass::weak), 2u * (10 + 11 + 12 + 13 + 14));
  EXPECT_EQ(rows[0].tally.verdict(), "weak");
  const CampaignCell& violated = rows[3];
  EXPECT_EQ(violated.tally.verdict(), "FORBIDDEN");
  EXPECT_EQ(violated.tally.count(OutcomeClass::forbidden), 0u + 1 + 2 + 3 + 4);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].count, 10u);
  EXPECT_EQ(report.findings[0].runs, 4u);
  EXPECT_EQ(report.findings[0].first.seed, 11u);
  EXPECT_NE(campaign_commands(report).find("weakspot run B.litmus --device cpu:0 --seed 11"), std::string::npos);
}

TEST(CampaignReport, DoesNotDependOnOrderOrRepetition) {
  const CampaignPlan plan = small_plan();
  const std::vector<ShardResult> results = all_results(plan);
  const CampaignReport expected = merged(plan, results);
  base::Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<ShardResult> arrived = results;
    for (const ShardResult& result : results) {
      if (!rng.percent(30)) continue;
      arrived.push_back(result);  // the same attempt again
      ShardResult later = result;
      later.attempt = 2;
      later.records.clear();
      arrived.push_back(later);
    }
    arrived.push_back({"of another campaign", 1, results[0].records});
    rng.shuffle(arrived);
    const CampaignReport report = merged(plan, arrived);
    EXPECT_EQ(report, expected);
    EXPECT_EQ(base::json_compact(to_json_value(report)), base::json_compact(to_json_value(expected)));
    EXPECT_EQ(campaign_html(report), campaign_html(expected));
  }
}

TEST(CampaignReport, SaysWhatIsMissingAndWhatIsQuarantined) {
  const CampaignPlan plan = small_plan();
  std::vector<ShardResult> results = all_results(plan);
  results.resize(3);
  CampaignMerge merge(plan);
  for (const ShardResult& result : results) merge.add(result);
  merge.add(Quarantined{"test", "B", "the device process died"});
  merge.add(Quarantined{"device", "host/cuda:0", "lost three times"});
  merge.add(Quarantined{"test", "B", "the device process died"});
  const CampaignReport report = merge.report();
  EXPECT_EQ(report.done, 3u);
  EXPECT_EQ(report.shards, 18u);
  ASSERT_EQ(report.quarantined.size(), 2u);
  EXPECT_EQ(report.quarantined[0].kind, "device");
  EnvironmentNames names;
  const std::string text = campaign_text(report, 80, names);
  EXPECT_NE(text.find("3 of 18 shards done"), std::string::npos) << text;
  EXPECT_NE(text.find("quarantined test B: the device process died"), std::string::npos) << text;
}

TEST(CampaignReport, APageExplainsItsEnvironmentsAtItsEnd) {
  CampaignReport report;
  report.suite = "small";
  CampaignCell cell;
  cell.test = "MP";
  cell.device_class = "cpu";
  cell.device_name = "a <CPU>";
  cell.environment = "workgroup_size=32,memory_stride=4";
  cell.tally.instances = 1234567;
  report.cells = {cell, cell};
  report.cells[1].environment = "basic";
  const std::string page = campaign_html(report);
  for (const char* part :
       {"<li><a href=\"#device-1\">Tests on cpu: a &lt;CPU&gt;</a></li>", "<h2 id=\"device-1\">Tests on cpu: a",
        "<a href=\"#env-1\">env 1</a>", "<code>basic</code>", "<span title=\"1234567\">1.23 M</span>",
        "<tr id=\"env-1\"><th>env 1</th><td><code>workgroup_size=32,<wbr>memory_stride=4</code>"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  }
  EXPECT_EQ(page.find("memory_stride"), page.rfind("memory_stride")) << "settings stand only in the legend";
}

TEST(CampaignReport, HasTheNameThatPeopleGaveIt) {
  const CampaignPlan plan = small_plan();
  CampaignReport report = CampaignMerge(plan).report();
  EXPECT_NE(campaign_html(report).find("<h1>Campaign of small</h1>"), std::string::npos);
  report.name = "<nightly>";
  const std::string page = campaign_html(report);
  EXPECT_NE(page.find("<h1>Campaign &lt;nightly&gt;</h1>\n<p>small: 0 of 18 shards done"), std::string::npos) << page;
  EXPECT_NE(page.find("<title>Weakspot: Campaign &lt;nightly&gt;</title>"), std::string::npos) << page;
}

TEST(RecordedRuns, AnswerTheSameRequestTheSameWay) {
  const CampaignPlan plan = small_plan();
  const Shard shard = shards_of(plan)[0];
  RunRecord recorded = run_of(plan, shard, 1);
  recorded.seconds = 1;
  const auto executor = recorded_executor({recorded});
  RunRequest request;
  request.test = plan.tests[0];
  request.environment = shard.environment;
  request.seconds = 10;
  request.seed = 7;
  RunObserver observer;
  const RunRecord first = executor->execute(request, observer);
  EXPECT_EQ(first.status, RunState::finished);
  EXPECT_NEAR(static_cast<double>(first.instances), 1020, 200);
  EXPECT_DOUBLE_EQ(first.seconds, 10);
  EXPECT_EQ(executor->execute(request, observer), first);
  request.seed = 8;
  EXPECT_NE(executor->execute(request, observer).outcomes, first.outcomes);
  request.environment = sized(128);
  EXPECT_EQ(executor->execute(request, observer).status, RunState::refused);
}

}  // namespace
}  // namespace weakspot::campaign::fleet_test
