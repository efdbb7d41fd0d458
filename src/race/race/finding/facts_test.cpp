// SPDX-License-Identifier: MIT
// Facts survive their words, and reports with unknown words are refused at their place.
#include "race/facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "race/classes.h"
#include "race/report.h"

namespace weakspot::race::facts_test {
namespace {

TEST(Facts, IndicesHaveTheAxesOfTheLaunch) {
  EXPECT_EQ(thread_text({index_of(5, {8, 1, 1}), index_of(7, {4, 2, 1}), {}}), "threadIdx=5 blockIdx=(3,1)");
  EXPECT_EQ(thread_text({index_of(3, {1, 1, 4}), {}, "fill<int, 3>"}), "threadIdx=(0,0,3) blockIdx=0 of fill<int, 3>");
}

TEST(Facts, ActorsSurviveTheirWords) {
  const ThreadIndex threads[] = {{}, {{{3, 4}, 2}, {{1, 2, 3}, 3}, {}}, {{{9}}, {}, "k<int, 3> of x"}};
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Act::waits_here); ++i) {
    for (const ThreadIndex& thread : threads) {
      const Actor actor{static_cast<Act>(i), thread};
      EXPECT_EQ(read_actor(actor_text(actor)), actor) << actor_text(actor);
    }
  }
  EXPECT_EQ(actor_text({Act::asynchronous_write, {}}), "asynchronous write by threadIdx=0 blockIdx=0");
  EXPECT_EQ(actor_text({Act::waits_here, {}}), "threadIdx=0 blockIdx=0 waits here");
}

TEST(Facts, OtherWordsAreNotActors) {
  for (const char* text :
       {"", "write", "write by", "write by thread 3", "asynchronous by threadIdx=0 blockIdx=0", "write by threadIdx=0",
        "write by threadIdx=(0) blockIdx=0", "waits", "write by threadIdx=(0,1 blockIdx=0",
        "write by threadIdx=0 blockIdx=0x", "threadIdx=0 blockIdx=0", "threadIdx=0 blockIdx=0 sleeps"}) {
    EXPECT_EQ(read_actor(text), std::nullopt) << text;
  }
}

TEST(Facts, VariablesSurviveTheirWords) {
  struct Case {
    const char* text;
    Variable variable;
    const char* array;
  };
  for (const Case& test : {Case{"sums[3]", {"sums", "[3]", {}}, "sums"},
                           {"p.items[0][3]", {"p.items", "[0][3]", {}}, "p.items"},
                           {"sums + 12 bytes", {"sums", {}, 12}, "sums + 12 bytes"},
                           {"p.items[0] + 12 bytes", {"p.items", "[0]", 12}, "p.items"},
                           {"a + few bytes", {"a + few bytes", {}, {}}, "a + few bytes"},
                           {"", {}, ""}}) {
    EXPECT_EQ(read_variable(test.text), test.variable) << test.text;
    EXPECT_EQ(variable_text(test.variable), test.text);
    EXPECT_EQ(array_text(test.variable), test.array);
  }
}

// A report with one finding, which has everything that is said in words.
Report full_report() {
  Report report;
  Finding finding;
  classify(finding, ClassId::u1);
  finding.place = {"a.cu", 3, 1};
  finding.actor = Actor{Act::volatile_write, {}};
  finding.other = Place{"a.cu", 4, 1};
  finding.other_actor = Actor{Act::asynchronous_read, {}};
  finding.space = Space::shared;
  finding.repair = Repair{RepairKind::cluster_barrier, {}, {{"a.cu", 4, false}}};
  finding.witness.emplace();
  finding.witness->locations = {{{"x", {}, {}}, Space::global, 4}};
  const WitnessStep step{.kind = StepKind::update, .order = StepOrder::acquire, .scope = Scope::cluster};
  finding.witness->threads = {{{}, 0, 0, {step}}};
  report.findings = {finding};
  report.files = {{"a.cu", RaceVerdict::incomplete}, {"b.cu", std::nullopt}};
  report.not_modelled = {{"x", {}, Effect::grids, true}};
  return report;
}

TEST(Facts, ReportsSayThemInWords) {
  const std::string json = to_json(full_report());
  for (const char* word : {"\"possible-race\"", "\"volatile write by threadIdx=0 blockIdx=0\"", "\"cluster.sync()\"",
                           "\"update\"", "\"acquire\"", "\"cluster\"", "\"incomplete\"", "\"failed\"", "\"grids\""}) {
    EXPECT_NE(json.find(word), std::string::npos) << word << json;
  }
  const base::Result<Report> read = report_from_json(json);
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ(to_json(*read), json);
  EXPECT_EQ(read->findings[0].other_actor, full_report().findings[0].other_actor);
  EXPECT_EQ(read->findings[0].witness->threads[0].steps[0].scope, Scope::cluster);
  EXPECT_EQ(read->files[1].verdict, std::nullopt);
}

TEST(Facts, UnknownWordsOfAReportAreMistakes) {
  struct Case {
    const char *known, *unknown, *message;
  };
  for (const Case& test : {
           Case{"\"possible-race\"", "\"race\"", "'kind': expected 'possible-' and race, divergence"},
           {"\"possible-race\"", "\"possible-rage\"", "'kind': expected 'possible-' and race, divergence"},
           {"\"volatile write by threadIdx=0", "\"volatile wait by threadIdx=0", "'label': expected who does what"},
           {"\"asynchronous read by threadIdx=0", "\"read by lane 3", "'label': expected who does what"},
           {"\"space\": \"shared\"", "\"space\": \"local\"", "expected shared, global or tensor"},
           {"\"cluster.sync()\"", "\"grid.sync()\"", "'what': expected __syncwarp(), __syncthreads(), cluster.sync()"},
           {"\"update\"", "\"upgrade\"", "expected read, write, update, fence, barrier or warp-barrier"},
           {"\"acquire\"", "\"consume\"", "expected weak, relaxed, acquire, release or acq_rel"},
           {"\"cluster\"", "\"warp\"", "expected block, cluster, device or system"},
           {"\"threadIdx=0 blockIdx=0\"", "\"lane 3\"", "'name': expected a thread as in 'threadIdx=3 blockIdx=0'"},
           {"\"verdict\": \"failed\"", "\"verdict\": \"fine\"", "expected found, failed, incomplete, not exercised"},
           {"\"grids\"", "\"grid\"", "expected none, stronger, asynchronous"},
       }) {
    std::string json = to_json(full_report());
    const std::size_t at = json.find(test.known);
    ASSERT_NE(at, std::string::npos) << test.known << json;
    json.replace(at, std::string_view(test.known).size(), test.unknown);
    const base::Result<Report> read = report_from_json(json);
    ASSERT_FALSE(read.ok()) << test.unknown;
    EXPECT_NE(base::render(read.errors()).find(test.message), std::string::npos) << base::render(read.errors());
  }
}

}  // namespace
}  // namespace weakspot::race::facts_test
