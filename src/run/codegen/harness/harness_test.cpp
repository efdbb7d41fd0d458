// SPDX-License-Identifier: MIT
// Whole runs of small grids, on an interpreter instead of a device.
#include "codegen/harness/harness.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/source.h"
#include "codegen/buffer_words.h"
#include "codegen/harness/stress_plan.h"
#include "codegen/harness/weakened.h"
#include "codegen/random_environment.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/kernel_interpreter.h"
#include "support/sanitized.h"

namespace weakspot::codegen::harness_test {
namespace {

using litmus::integer;
using litmus::Outcome;
using testing_support::Interpreter;

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TestEnvironment environment(const std::string& text) {
  const base::Result<TestEnvironment> parsed = parse_environment(base::Source("--env", text));
  EXPECT_TRUE(parsed.ok()) << base::render(parsed.errors());
  return *parsed;
}

TargetLimits limits() {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.max_cluster = 8;
  return limits;
}

struct Ran {
  Decoded decoded;
  PlannedRun run;
};

// Small runs: a few workgroups, a few iterations.
Ran run(const litmus::LitmusTest& test, const TestEnvironment& environment, std::uint32_t resident = 4,
        Interpreter::Options options = {}, std::uint32_t rounds = 2, Target target = Target::ptx) {
  const base::Result<TestProgram> program = TestProgram::compile(test, environment, target, limits());
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  if (!program) return {};
  const base::Result<PlannedRun> planned =
      program->plan({.resident_workgroups = resident, .memory_bytes = 1u << 26, .rounds = rounds, .seed = 5});
  EXPECT_TRUE(planned.ok()) << base::render(planned.errors());
  if (!planned) return {};
  Interpreter interpreter(program->kernels());
  const auto buffers = interpreter.run(planned->launch, options);
  const base::Result<Decoded> decoded = program->decode(*planned, buffers);
  EXPECT_TRUE(decoded.ok()) << base::render(decoded.errors());
  if (!decoded) return {};
  EXPECT_EQ(planned->instances_per_round() * rounds, decoded->instances);
  return {*decoded, *planned};
}

constexpr const char* kMp =
    "weakspot MP\n"
    " P0      | P1       ;\n"
    " st x, 1 | ld r0, y ;\n"
    " st y, 1 | ld r1, x ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

Outcome outcome(std::initializer_list<int> values) {
  Outcome result;
  for (const int value : values) result.push_back(integer(value));
  return result;
}

std::vector<Outcome> outcomes(std::initializer_list<std::initializer_list<int>> all) {
  std::vector<Outcome> result;
  for (const std::initializer_list<int> values : all) result.push_back(outcome(values));
  return result;
}

TEST(Harness, MessagePassingShowsAllSequentialOutcomesAndNoOther) {
  const Ran ran = run(read(kMp), environment("workgroup_size=8,iterations=6"));
  EXPECT_EQ(4u * 8 * 6 * 2, ran.decoded.histogram.total());
  EXPECT_EQ((litmus::OutcomeSet{outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}), ran.decoded.histogram.outcomes());
  EXPECT_EQ(0u, ran.decoded.barrier_timeouts);
}

TEST(Harness, WgslCountsAFewOutcomesInVariablesOfEachThread) {
  const TestEnvironment small = environment("workgroup_size=8,iterations=60");
  const Ran ran = run(read(kMp), small, 4, {}, 3, Target::wgsl);
  EXPECT_EQ(4u * 8 * 60 * 3, ran.decoded.histogram.total());
  EXPECT_EQ((litmus::OutcomeSet{outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}), ran.decoded.histogram.outcomes());
  EXPECT_EQ(3u, ran.decoded.sightings.size());
  for (const auto& [seen, sighting] : ran.decoded.sightings) {
    EXPECT_EQ(0u, sighting.round);
    EXPECT_LT(sighting.iteration, 60u);
    EXPECT_LT(sighting.instance, ran.run.instances);
  }
}

// A test and the outcomes that sequential consistency allows. Cases of all shapes run in environments of all kinds.
struct Case {
  const char* name;
  const char* text;
  std::vector<Outcome> allowed;
};

std::vector<Case> cases() {
  return {
      {"MP", kMp, {outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}},
      {"SB-initial-values",
       "weakspot SB\n{ x = 7; y = 9; }\n P0 | P1 ;\n st x, 1 | st y, 2 ;\n ld r0, y | ld r0, x ;\n"
       "exists (0:r0=9 /\\ 1:r0=7)\n",
       {outcome({9, 1}), outcome({2, 7}), outcome({2, 1})}},
      {"MP-selects",
       "weakspot SEL\n{ 1:s64 r2; 1:s8 r3; }\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n | sel.eq r1, r0, 1, 7, r0 ;\n"
       " | sel.lt r2, r0, 1, -5, r1 ;\n | sel.ne r3, r2, 7, r2, 300 ;\nexists (1:r1=7 /\\ 1:r2=7 /\\ 1:r3=44)\n",
       {outcome({0, -5, -5}), outcome({7, 7, 44})}},
      {"2+2W-final-memory",
       "weakspot 2+2W\n P0 | P1 ;\n st x, 2 | st y, 2 ;\n st y, 1 | st x, 1 ;\nexists (x=2 /\\ y=2)\n",
       {outcome({1, 1}), outcome({1, 2}), outcome({2, 1})}},
      {"CoWW-three-threads",
       "weakspot CoWW\n P0 | P1 | P2 ;\n st x, 1 | st x, 3 | ld r0, x ;\n st x, 2 | | ld r1, x ;\n"
       "exists (2:r0=2 /\\ 2:r1=3 /\\ x=1)\n",
       outcomes({{0, 0, 2}, {0, 0, 3}, {0, 1, 2}, {0, 1, 3}, {0, 2, 2}, {0, 2, 3}, {0, 3, 2},
                 {0, 3, 3}, {1, 1, 2}, {1, 1, 3}, {1, 2, 2}, {1, 2, 3}, {1, 3, 2}, {1, 3, 3},
                 {2, 2, 2}, {2, 2, 3}, {2, 3, 3}, {3, 1, 2}, {3, 2, 2}, {3, 3, 2}, {3, 3, 3}})},
      {"IRIW",
       "weakspot IRIW\n P0 | P1 | P2 | P3 ;\n st x, 1 | st y, 1 | ld r0, x | ld r0, y ;\n | | ld r1, y | ld r1, x ;\n"
       "exists (2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n",
       outcomes({{0, 0, 0, 0},
                 {0, 0, 0, 1},
                 {0, 0, 1, 0},
                 {0, 0, 1, 1},
                 {0, 1, 0, 0},
                 {0, 1, 0, 1},
                 {0, 1, 1, 0},
                 {0, 1, 1, 1},
                 {1, 0, 0, 0},
                 {1, 0, 0, 1},
                 {1, 0, 1, 1},
                 {1, 1, 0, 0},
                 {1, 1, 0, 1},
                 {1, 1, 1, 0},
                 {1, 1, 1, 1}})},
      {"same-workgroup",
       "weakspot MP-wg\n P0 | P1 ;\n st.wg x, 1 | ld.wg r0, y ;\n st.rel.wg y, 1 | ld.acq.wg r1, x ;\n"
       "scopes (wg P0 P1)\nexists (1:r0=1 /\\ 1:r1=0)\n",
       {outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}},
      {"same-subgroup",
       "weakspot MP-sg\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
       "scopes (wg (sg P0 P1))\nexists (1:r0=1 /\\ 1:r1=0)\n",
       {outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}},
      {"shared-memory",
       "weakspot SB-shared\n{ shared x = 3; shared y; z = 4; }\n P0 | P1 | P2 ;\n st x, 1 | st y, 1 | ld r0, z ;\n"
       " ld r0, y | ld r0, x | ;\nscopes (wg P0 P1) (wg P2)\nexists (0:r0=0 /\\ 1:r0=3 /\\ x=1 /\\ 2:r0=4)\n",
       {outcome({0, 1, 4, 1}), outcome({1, 3, 4, 1}), outcome({1, 1, 4, 1})}},
      {"barrier",
       "weakspot BAR\n{ shared y; }\n P0 | P1 ;\n st.na x, 1 | bar ;\n st.na y, 1 | ld.na r0, x ;\n bar | ld.na r1, y "
       ";\n"
       "scopes (wg P0 P1)\nexists (1:r0=0 \\/ 1:r1=0)\n",
       {outcome({1, 1})}},
      {"barrier-same-subgroup",
       "weakspot BAR-sg\n P0 | P1 | P2 ;\n st.na x, 1 | bar | bar ;\n bar | ld.na r0, x | ;\n"
       "scopes (wg (sg P0 P1 P2))\nexists (1:r0=0)\n",
       {outcome({1})}},
      {"barrier-diff-workgroups",
       "weakspot BAR-diff\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n bar | bar ;\n st y, 1 | ld r1, x ;\n"
       "scopes (wg P0) (wg P1)\nexists (1:r0=1 /\\ 1:r1=0)\n",
       {outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}},
      {"rmw",
       "weakspot INC\n P0 | P1 ;\n atom.add r0, x, 1 | atom.add r0, x, 1 ;\nexists (0:r0=0 /\\ 1:r0=0 /\\ x=2)\n",
       {outcome({0, 1, 2}), outcome({1, 0, 2})}},
      {"cas-branch-guard",
       "weakspot CAS\n{ m = 1; 1:pred p; }\n P0 | P1 ;\n st x, 1 | atom.cas r0, m, 0, 1, r2 ;\n"
       " atom.exch _, m, 0 | bne r0, 0, end ;\n | ld r1, x ;\n | end: ;\n | eq p, r0, 0 ;\n | @p st x, 5 ;\n"
       "exists (1:r0=0 /\\ 1:r1=0 /\\ 1:r2=1 /\\ x=5)\n",
       {outcome({0, 1, 1, 5}), outcome({1, 0, 0, 1})}},
      {"dependencies",
       "weakspot LB\n P0 | P1 ;\n ld r0, x | ld r0, y ;\n xor r1, r0, r0 | and r1, r0, 128 ;\n"
       " st y+r1, 1 | add r2, r1, 1 ;\n | st x, r2 ;\nexists (0:r0=1 /\\ 1:r0=1)\n",
       {outcome({0, 0}), outcome({0, 1}), outcome({1, 0})}},
      {"pointers",
       "weakspot PTR\n{ p = &x; x = 3; y = 4; 1:s64 r1; }\n P0 | P1 ;\n st p, &y | ld r1, p ;\n | ld r0, [r1] ;\n"
       "exists (1:r1=&y /\\ 1:r0=3)\n",
       {Outcome{litmus::address_of({1}), integer(4)}, Outcome{litmus::address_of({2}), integer(3)}}},
      {"small-types",
       "weakspot BYTES\n{ u8 x = 200; s8 y; s16 z = -2; 1:u8 r2; }\n P0 | P1 ;\n st y, -1 | ld r0, y ;\n"
       " st x, 255 | ld r1, x ;\n | ld r3, z ;\n | add r2, r1, 1 ;\nexists (1:r0=-1 /\\ 1:r1=200 /\\ 1:r2=0 /\\ "
       "1:r3=-2)\n",
       outcomes({{0, 200, -2, 201}, {0, 255, -2, 0}, {-1, 200, -2, 201}, {-1, 255, -2, 0}})},
      {"loop",
       "weakspot SPIN\n P0 | P1 ;\n st x, 1 | again: ;\n st y, 1 | ld r0, y ;\n | beq r0, 0, again ;\n | ld r1, x ;\n"
       "exists (1:r0=1 /\\ 1:r1=0)\n",
       {outcome({1, 1})}},
  };
}

std::vector<std::string> environments() {
  return {
      "workgroup_size=64,iterations=3",
      "workgroup_size=64,iterations=3,assignment=one",
      "workgroup_size=64,iterations=3,barrier=partner,pairing=half,role_order=by_lane,result_store=at_once",
      "workgroup_size=64,iterations=4,barrier=block,pairing=neighbour,role_order=descending,result_store=reversed",
      "workgroup_size=64,iterations=4,barrier=none,pairing=next,role_order=by_warp,layout=arrays,memory_stride=3,"
      "second_stride=5",
      "workgroup_size=64,iterations=4,shuffle_percent=100,barrier_percent=50,barrier_spacing=2,memory_stress_percent="
      "100,"
      "memory_stress_iterations=3,pre_stress_percent=50,pre_stress_iterations=2",
      "workgroup_size=64,iterations=3,memory_stress_percent=50,memory_stress_iterations=4,stress_spread=line,"
      "pre_stress_percent=100,pre_stress_iterations=2,memory_store_first_percent=30,role_order=by_block",
      "site,workgroup_size=64,iterations=20,memory_stress_iterations=3,pre_stress_iterations=2",
      "assignment=one,workgroup_size=96,pairing=half,barrier=partner,iterations=3",
      "workgroup_size=50,iterations=2",
  };
}

TEST(Harness, EveryShapeInEveryEnvironment) {
  std::size_t combination = 0;
  for (const Case& c : cases()) {
    const litmus::LitmusTest test = read(c.text);
    for (const std::string& text : environments()) {
      for (const std::uint32_t stride : {1u, 60u}) {
        if (combination++ % tests::kSampleStep != 0) continue;
        SCOPED_TRACE(fmt::format("{} in {} stride {}", c.name, text, stride));
        Ran ran;
        ASSERT_NO_THROW(ran = run(test, environment(text), 6, {.seed = 17, .stride = stride}, 1));
        if (testing::Test::HasFailure()) return;
        EXPECT_GT(ran.decoded.histogram.total(), 0u);
        const litmus::OutcomeSet allowed(c.allowed.begin(), c.allowed.end());
        for (const auto& [seen, count] : ran.decoded.histogram.counts()) {
          EXPECT_TRUE(allowed.contains(seen)) << seen[0].number << " " << (seen.size() > 1 ? seen[1].number : 0);
        }
      }
    }
  }
}

TEST(Harness, UnfinishedLoopsAreCountedApart) {
  const litmus::LitmusTest test =
      read("weakspot SPIN\n P0 | P1 ;\n st x, 1 | again: ;\n | ld r0, y ;\n | beq r0, 0, again ;\nexists (1:r0=1)\n");
  const Ran ran = run(test, environment("workgroup_size=8,iterations=3,loop_bound=5"));
  EXPECT_EQ(ran.decoded.instances, ran.decoded.unfinished);
  EXPECT_EQ(0u, ran.decoded.histogram.total());
}

TEST(Harness, WideAccessesGiveTheSameOutcomes) {
  const Ran ran = run(read(kMp), environment("workgroup_size=8,iterations=6,access_width=wide"));
  EXPECT_EQ((litmus::OutcomeSet{outcome({0, 0}), outcome({0, 1}), outcome({1, 1})}), ran.decoded.histogram.outcomes());
}

TEST(Harness, GapsChangeWhatMeetsAndNotWhatIsAsked) {
  const Ran ran = run(read(kMp), environment("workgroup_size=8,iterations=16,access_gap=32"));
  EXPECT_FALSE(ran.decoded.histogram.outcomes().contains(outcome({1, 0})));
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
  const Ran without = run(read(kMp), environment("workgroup_size=8,iterations=16"));
  EXPECT_NE(without.decoded.histogram.counts(), ran.decoded.histogram.counts());
}

TEST(Harness, ReadsBeforeTheTestDoNotChangeWhatIsCounted) {
  const Ran ran = run(read(kMp), environment("workgroup_size=8,iterations=16,pre_read_percent=50,access_width=wide"));
  EXPECT_FALSE(ran.decoded.histogram.outcomes().contains(outcome({1, 0})));
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
  EXPECT_TRUE(run(read(kMp), environment("assignment=one,workgroup_size=8,iterations=16,pre_read_percent=100"))
                  .decoded.histogram.total() > 0);
}

TEST(Harness, LargeOutcomeSpacesAreHashed) {
  const litmus::LitmusTest test = read(
      "weakspot BIG\n P0 | P1 ;\n st a, 1 | ld r0, a ;\n st a, 2 | ld r1, a ;\n st a, 3 | ld r2, a ;\n"
      " st a, 4 | ld r3, a ;\n st a, 5 | ld r4, a ;\n st a, 6 | ld r5, a ;\n"
      "exists (1:r0=1 /\\ 1:r1=0 /\\ 1:r2=0 /\\ 1:r3=0 /\\ 1:r4=0 /\\ 1:r5=0)\n");
  const base::Result<OutcomeEncoding> encoding = OutcomeEncoding::make(test);
  ASSERT_TRUE(encoding.ok());
  EXPECT_FALSE(encoding->has_table());
  const Ran ran = run(test, environment("workgroup_size=32,iterations=4"));
  EXPECT_GT(ran.decoded.histogram.counts().size(), 20u);
  for (const auto& [seen, count] : ran.decoded.histogram.counts()) {
    for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_LE(seen[i - 1].number, seen[i].number);
  }
}

TEST(Harness, UnexpectedValuesAreKept) {
  const litmus::LitmusTest test = read(kMp);
  const base::Result<TestProgram> program =
      TestProgram::compile(test, environment("workgroup_size=4,iterations=2"), Target::ptx, limits());
  ASSERT_TRUE(program.ok());
  base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 2, .memory_bytes = 1u << 20});
  ASSERT_TRUE(planned.ok());
  // Only collecting, from results that are all 0xdeadbeef.
  planned->launch.passes.erase(planned->launch.passes.begin());
  Interpreter interpreter(program->kernels());
  const base::Result<Decoded> decoded = program->decode(*planned, interpreter.run(planned->launch, {}));
  ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
  const int garbage = static_cast<int>(0xdeadbeefu);
  EXPECT_EQ(16u, decoded->histogram.count(outcome({garbage, garbage})));
}

TEST(Harness, ATotalThatDoesNotAddUpIsAnError) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("workgroup_size=4,iterations=2"), Target::ptx, limits());
  const base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 2, .memory_bytes = 1u << 20});
  Interpreter interpreter(program->kernels());
  auto buffers = interpreter.run(planned->launch, {});
  buffers[kCountBuffer][kCountHead] += 1;
  const base::Result<Decoded> decoded = program->decode(*planned, buffers);
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ("error: MP: the device counted 17 outcomes of 16 instances; its results cannot be trusted\n",
            base::render(decoded.errors()));
}

TEST(Harness, ToldToStopItEndsEarlyAndCountsWhatItDid) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("workgroup_size=4,iterations=200"), Target::ptx, limits());
  base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 2, .memory_bytes = 1u << 22});
  planned->launch.buffers[kControlBuffer].content[kStop] = 1;
  Interpreter interpreter(program->kernels());
  const base::Result<Decoded> decoded = program->decode(*planned, interpreter.run(planned->launch, {}));
  ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
  EXPECT_EQ(63u * 8, decoded->instances);
}

TEST(Harness, StressTouchesExactlyWhatThePlanSays) {
  for (const char* text :
       {"workgroup_size=8,iterations=32,memory_stress_percent=100,memory_stress_iterations=2,pre_stress_percent=100,"
        "pre_stress_iterations=1,memory_store_first_percent=100,pre_store_first_percent=100,shuffle_percent=100,"
        "stress_target_lines=3,stress_line_words=16",
        "workgroup_size=8,iterations=32,memory_stress_percent=60,memory_stress_iterations=2,stress_spread=line,"
        "memory_store_first_percent=100,shuffle_percent=100,strategy_balance_percent=0,stress_target_lines=5,"
        "stress_line_words=4"}) {
    SCOPED_TRACE(text);
    const TestEnvironment e = environment(text);
    const base::Result<TestProgram> program = TestProgram::compile(read(kMp), e, Target::ptx, limits());
    ASSERT_TRUE(program.ok()) << base::render(program.errors());
    const base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 12, .memory_bytes = 1u << 24});
    ASSERT_TRUE(planned.ok());
    Interpreter interpreter(program->kernels());
    interpreter.watch(kScratchBuffer);
    interpreter.run(planned->launch, {.stride = 50});
    const std::vector<std::uint32_t> expected = touched_words(
        e, planned->shape, planned->launch.buffers[kPlanBuffer].content, program->harness().roles.workgroup_size);
    EXPECT_EQ(std::vector<std::uint64_t>(expected.begin(), expected.end()),
              std::vector<std::uint64_t>(interpreter.touched().begin(), interpreter.touched().end()));
    EXPECT_GT(expected.size(), 30u);
  }
}

// The outcome of an instance, read back by hand: values that its threads stored, and its final memory.
Outcome outcome_at(const TestProgram& program, const PlannedRun& run,
                   const std::vector<std::vector<std::uint32_t>>& buffers, const Sighting& sighting) {
  const Harness& h = program.harness();
  const InstancePlace place = program.locate(run, sighting);
  const std::size_t stride = run.iterations * run.instances;
  const std::size_t entry = sighting.iteration * run.instances + sighting.instance;
  auto read = [&](BufferId buffer, std::size_t word, bool wide) {
    const std::uint64_t low = buffers[buffer][word];
    return wide ? low | std::uint64_t{buffers[buffer][word + 1]} << 32 : low;
  };
  Outcome outcome;
  std::size_t next_result = 0;
  for (const litmus::Observable& item : h.test.observed()) {
    const std::size_t number = outcome.size();
    const auto* location = std::get_if<litmus::LocationId>(&item);
    std::uint64_t bits = 0;
    if (location != nullptr && !h.memory.shared[location->index]) {
      bits = read(kMemoryBuffer, place.words[location->index], h.encoding.items()[number].wide());
    } else {
      const ResultItem& result = h.results[next_result++];
      const bool wide = result.width == Width::w64;
      bits = read(kResultBuffer, stride * result.words_before + entry * (wide ? 2 : 1), wide);
    }
    outcome.push_back(h.encoding.raw_value(number, bits));
  }
  return outcome;
}

TEST(Harness, EveryOutcomeIsFoundWhereItIsSaidToBe) {
  const char* const environments[] = {
      "workgroup_size=8,iterations=6",
      "workgroup_size=8,iterations=6,layout=arrays,memory_stride=3,second_stride=2,barrier=none",
      "workgroup_size=8,iterations=40,shuffle_percent=100,pairing=half",
      "workgroup_size=32,iterations=3,assignment=one,pairing=next",
      "mode=site,workgroup_size=32,iterations=20,shuffle_percent=100,barrier=partner",
  };
  std::size_t combination = 0;
  for (const char* text : environments) {
    for (const Case& c : cases()) {
      if (combination++ % tests::kSampleStep != 0) continue;
      SCOPED_TRACE(std::string(c.name) + " " + text);
      const base::Result<TestProgram> program =
          TestProgram::compile(read(c.text), environment(text), Target::ptx, limits());
      ASSERT_TRUE(program.ok()) << base::render(program.errors());
      base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 8, .memory_bytes = 1u << 26, .seed = 3});
      ASSERT_TRUE(planned.ok()) << base::render(planned.errors());
      for (const BufferId buffer : {kMemoryBuffer, kResultBuffer}) planned->launch.buffers[buffer].read_back = true;
      Interpreter interpreter(program->kernels());
      const auto buffers = interpreter.run(planned->launch, {.seed = 7, .stride = 9});
      const base::Result<Decoded> decoded = program->decode(*planned, buffers);
      ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
      EXPECT_EQ(decoded->histogram.counts().size(), decoded->sightings.size());
      for (const auto& [outcome, sighting] : decoded->sightings) {
        // Addresses are numbers in memory and names in outcomes.
        if (std::any_of(outcome.begin(), outcome.end(), [](const litmus::Value& v) { return v.base.has_value(); })) {
          continue;
        }
        EXPECT_EQ(outcome, outcome_at(*program, *planned, buffers, sighting));
      }
    }
  }
}

TEST(Harness, TheThreadsOfAnInstanceAreThoseThatRunIt) {
  for (const char* text : {"workgroup_size=8", "workgroup_size=32,assignment=one", "workgroup_size=8,pairing=neighbour",
                           "workgroup_size=8,shuffle_percent=100"}) {
    SCOPED_TRACE(text);
    const base::Result<TestProgram> program = TestProgram::compile(read(kMp), environment(text), Target::ptx, limits());
    const base::Result<PlannedRun> planned =
        program->plan({.resident_workgroups = 6, .memory_bytes = 1u << 26, .seed = 3});
    ASSERT_TRUE(planned.ok());
    std::set<std::pair<std::uint32_t, std::uint32_t>> firsts;
    std::set<std::uint64_t> words;
    for (std::uint32_t instance = 0; instance < planned->instances; ++instance) {
      const InstancePlace place = program->locate(*planned, {2, 5, instance});
      ASSERT_EQ(2u, place.threads.size());
      EXPECT_NE(place.threads[0].workgroup, place.threads[1].workgroup);
      for (const InstancePlace::Thread& thread : place.threads) {
        EXPECT_LT(thread.workgroup, planned->shape.workgroups);
        EXPECT_LT(thread.local, program->harness().roles.workgroup_size);
      }
      firsts.insert({place.threads[0].workgroup, place.threads[0].local});
      words.insert(place.words.begin(), place.words.end());
    }
    EXPECT_EQ(planned->instances, firsts.size());
    EXPECT_EQ(planned->instances * 2, words.size());
  }
}

TEST(Harness, MemoryStaysWithinItsBound) {
  for (const char* text :
       {"basic", "stress", "workgroup_size=32,barrier=partner", "scratch_words=65536,stress_line_words=1024"}) {
    for (const std::uint64_t bound : {std::uint64_t{1} << 19, std::uint64_t{1} << 20, std::uint64_t{1} << 24}) {
      const base::Result<TestProgram> program =
          TestProgram::compile(read(kMp), environment(text), Target::ptx, limits());
      const base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 8, .memory_bytes = bound});
      ASSERT_TRUE(planned.ok()) << base::render(planned.errors());
      EXPECT_LE(planned->launch.bytes(), bound) << text;
    }
  }
}

TEST(Harness, AFewInstancesAreAFewIterations) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("workgroup_size=4"), Target::ptx, limits());
  auto iterations = [&](std::uint64_t most) {
    return program->plan({.resident_workgroups = 2, .memory_bytes = 1u << 24, .most_instances = most})->iterations;
  };
  EXPECT_EQ(1u, iterations(1));
  EXPECT_EQ(1u, iterations(15));
  EXPECT_EQ(2u, iterations(16));
  EXPECT_EQ(256u, iterations(1u << 30));
  EXPECT_EQ(256u, iterations(0));
}

TEST(Harness, WeakeningTouchesWhatItNamesAndNothingElse) {
  const std::string text =
      "weakspot W\n P0 | P1 ;\n st.rel x, 1 | ld.acq r0, x ;\n fence.sc | atom.add.acqrel r1, x, 1 ;\n"
      " st y, 1 | ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
  auto printed = [&](const char* weaken) {
    const base::Result<Harness> harness =
        make_harness(read(text), environment(std::string("weaken=") + weaken), Target::ptx, limits());
    EXPECT_TRUE(harness.ok()) << base::render(harness.errors());
    const std::string whole = *litmus::print(harness->test, litmus::Dialect::canonical);
    return whole.substr(whole.find(';') + 2, whole.find("exists") - whole.find(';') - 2);
  };
  EXPECT_NE(std::string::npos, printed("none").find("st.rel x, 1"));
  EXPECT_NE(std::string::npos, printed("release").find("st x, 1 "));
  EXPECT_NE(std::string::npos, printed("release").find("ld.acq r0, x"));
  EXPECT_NE(std::string::npos, printed("release").find("atom.add.acq r1, x, 1"));
  EXPECT_NE(std::string::npos, printed("release").find("fence.sc"));
  EXPECT_NE(std::string::npos, printed("acquire").find("ld r0, x"));
  EXPECT_NE(std::string::npos, printed("acquire").find("st.rel x, 1"));
  EXPECT_NE(std::string::npos, printed("acquire").find("atom.add.rel r1, x, 1"));
  EXPECT_EQ(std::string::npos, printed("fence").find("fence"));
  EXPECT_NE(std::string::npos, printed("scope").find("st.rel.wg x, 1"));
  EXPECT_NE(std::string::npos, printed("scope").find("fence.sc.wg"));
  EXPECT_NE(std::string::npos, printed("scope").find("atom.add.acqrel.wg r1, x, 1"));
  EXPECT_NE(std::string::npos, printed("fence").find("st.rel x, 1"));
}

// The instructions of a test of one thread, each with "; " after it.
std::string cells(const std::string& printed) {
  std::string text;
  std::size_t begin = printed.find('\n', printed.find(" P0")) + 1;
  for (std::size_t end = printed.find('\n', begin); printed[begin] == ' '; end = printed.find('\n', begin)) {
    const std::string line = printed.substr(begin + 1, end - begin - 1);
    text += line.substr(0, line.find_last_not_of(" ;") + 1) + "; ";
    begin = end + 1;
  }
  return text;
}

// A load, what the operation computes, a store; a failed compare-and-swap stores nothing.
TEST(Harness, WeakenedReadModifyWritesAreTwoAccesses) {
  const std::pair<const char*, const char*> cases[] = {
      {"atom.exch.acqrel r0, x, 1", "ld.acq split1, x; st.rel x, 1; mov r0, split1; "},
      {"atom.add r0, x, 1", "ld split1, x; add split2, split1, 1; st x, split2; mov r0, split1; "},
      {"atom.add _, x, 1", "ld split0, x; add split1, split0, 1; st x, split1; "},
      {"atom.max r0, x, 1", "ld split1, x; sel.gt split2, split1, 1, split1, 1; st x, split2; mov r0, split1; "},
      {"atom.cas.acq r0, x, 0, 1, r1",
       "ld.acq split2, x; eq split3, split2, 0; @split3 st x, 1; mov r1, split3; mov r0, split2; "},
  };
  for (const auto& [cell, expected] : cases) {
    const litmus::LitmusTest test =
        weakened(read(fmt::format("weakspot W\n P0 ;\n {} ;\nexists (x=1)\n", cell)), Weaken::rmw);
    EXPECT_EQ(expected, cells(*litmus::print(test, litmus::Dialect::canonical))) << cell;
  }
}

TEST(Harness, AFaultDoesNotMakeATestRunnable) {
  const litmus::LitmusTest test =
      read("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n fence.sc | ;\nexists (1:r0=1)\n");
  const base::Result<TestProgram> program =
      TestProgram::compile(test, environment("weaken=fence"), Target::spirv, limits());
  EXPECT_EQ("error: T: cannot run: Vulkan's memory model has no sequentially consistent fences\n",
            base::render(program.errors()));
}

TEST(Harness, CpusHaveNoScopesToNarrow) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("weaken=scope"), Target::cpu, limits());
  EXPECT_EQ("error: MP: cannot run with weaken=scope: CPUs have no scopes to narrow\n", base::render(program.errors()));
}

std::string refusal(const std::string& text, const std::string& env = "basic") {
  const base::Result<TestProgram> program = TestProgram::compile(read(text), environment(env), Target::ptx, limits());
  return program ? "" : base::render(program.errors());
}

TEST(Harness, RefusesWhatADeviceCannotDo) {
  EXPECT_EQ("error: T: cannot run: the test places its threads on several devices; a run uses one\n",
            refusal("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nscopes (dev P0) (dev P1)\nexists (1:r0=1)\n"));
  EXPECT_EQ("error: T: cannot run: the number of a barrier is in a register\n",
            refusal("weakspot T\n P0 ;\n ld r0, x ;\n bar 1, r0 ;\nexists (0:r0=1)\n"));
  EXPECT_EQ("error: T: cannot run: the threads of a workgroup do not reach the same barriers\n",
            refusal("weakspot T\n P0 | P1 ;\n bar | ld r0, x ;\nscopes (wg P0 P1)\nexists (1:r0=1)\n"));
  EXPECT_EQ("error: T: cannot run: a barrier follows a branch or has a guard\n",
            refusal("weakspot T\n P0 ;\n ld r0, x ;\n beq r0, 1, end ;\n bar ;\n end: ;\nexists (0:r0=1)\n"));
  EXPECT_EQ("error: T: cannot run: the test uses fences of a CPU or of another GPU language\n",
            refusal("weakspot T\n P0 ;\n st x, 1 ;\n dmb.sy ;\nexists (x=1)\n"));
  EXPECT_EQ("error: T: cannot run: PTX has cache operators for weak accesses only\n",
            refusal("weakspot T\n P0 ;\n st.cg x, 1 ;\nexists (x=1)\n"));
  EXPECT_EQ("error: T: cannot run: PTX has no store with the cache operator 'ca'\n",
            refusal("weakspot T\n P0 ;\n st.na.ca x, 1 ;\nexists (x=1)\n"));
  EXPECT_EQ("error: T: cannot run with access_width=wide: the test has locations of fewer than 32 bits\n",
            refusal("weakspot T\n{ u8 x; }\n P0 ;\n st x, 1 ;\nexists (x=1)\n", "access_width=wide"));
}

// Only PTX has clusters, whose workgroups reach each other's shared memory.
TEST(Harness, RefusesSharedMemoryOfAnotherWorkgroup) {
  const litmus::LitmusTest test = read(
      "weakspot T\n{ shared x; }\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nscopes (cluster (wg P0) (wg P1))\nexists "
      "(1:r0=1)\n");
  EXPECT_TRUE(TestProgram::compile(test, environment("basic"), Target::ptx, limits()).ok());
  const base::Result<TestProgram> program = TestProgram::compile(test, environment("basic"), Target::opencl, limits());
  EXPECT_NE(base::render(program.errors()).find("two workgroups use 'x', which is in shared memory"),
            std::string::npos);
}

TEST(Harness, RefusesWhatDoesNotFit) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("basic"), Target::ptx, limits());
  ASSERT_TRUE(program.ok());
  EXPECT_EQ("error: MP: out of memory: one iteration of 128 instances needs 99 KiB, more than the 1 KiB it may use\n",
            base::render(program->plan({.resident_workgroups = 2, .memory_bytes = 1024}).errors()));
}

TEST(Harness, ATestHasItsWorkgroupsWhereFewerFit) {
  const base::Result<TestProgram> program =
      TestProgram::compile(read(kMp), environment("basic"), Target::ptx, limits());
  ASSERT_TRUE(program.ok());
  const base::Result<PlannedRun> planned = program->plan({.resident_workgroups = 1, .memory_bytes = 1 << 20});
  ASSERT_TRUE(planned.ok()) << base::render(planned.errors());
  EXPECT_EQ(2u, planned->shape.testing);
  EXPECT_EQ(2u, planned->shape.workgroups);
}

}  // namespace
}  // namespace weakspot::codegen::harness_test
