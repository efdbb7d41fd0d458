// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/source.h"
#include "codegen/harness/harness.h"
#include "codegen/harness/launch_plan.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "support/corpus_tests.h"
#include "support/kernel_interpreter.h"

namespace weakspot::codegen::resident_test {
namespace {

TargetLimits hopper() {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.max_cluster = 8;
  return limits;
}

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

base::Result<TestProgram> compile(const litmus::LitmusTest& test, const std::string& env = "basic",
                                  const TargetLimits& limits = hopper()) {
  return TestProgram::compile(test, *parse_environment(base::Source("--env", env)), Target::ptx, limits);
}

// The instructions of a role, without arithmetic and operands.
std::vector<std::string> role(const TestProgram& program, int number) {
  std::vector<std::string> lines;
  const std::string& text = program.program().text;
  const std::string begin = fmt::format("  // role {}\n", number);
  const std::size_t to = text.find(fmt::format("  // end of role {}\n", number));
  for (std::size_t at = text.find(begin) + begin.size(); at < to;) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at + 2, end - at - 2);
    const std::string word = line.substr(0, line.find_first_of(" ;"));
    for (const char* kind : {"ld.", "st.", "red.", "fence.", "bar", "cp.", "mbarrier.", "griddep"}) {
      if (word.starts_with(kind)) lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

using Lines = std::vector<std::string>;

constexpr const char* kStore =
    "weakspot STORE\nArch=ptx\n{ shared x; }\n P0 ;\n st.na x, 1 ;\n fence.proxy.async ;\n copy.bulk y, x ;\n"
    " commit.bulk ;\n wait.bulk 0 ;\n ld.na r0, y ;\nscopes (wg P0)\nexists (0:r0=0)\n";

constexpr const char* kLoad =
    "weakspot LOAD\nArch=ptx\n{ shared b = 1; shared x; y = 1; }\n P0 | P1 ;\n mbar.arrive _, b, 1, 4 | mbar.wait b, 0 "
    ";"
    "\n copy.bulk x, y, b | ld.na r0, x ;\nscopes (wg P0 P1)\nexists (1:r0=0)\n";

TEST(Resident, OneLaneCopiesForARowOfNeighbours) {
  const auto program = compile(read(kStore));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(role(*program, 0),
            (Lines{"st.shared.b32", "fence.proxy.async", "bar.warp.sync", "cp.async.bulk.global.shared::cta.bulk_group",
                   "cp.async.bulk.commit_group", "cp.async.bulk.wait_group", "bar.warp.sync", "ld.global.b32"}));
  EXPECT_NE(program->program().text.find(", 128;"), std::string::npos);
  EXPECT_NE(program->program().text.find(".version 8.0\n.target sm_90\n"), std::string::npos);
}

TEST(Resident, WithWideStridesEachInstanceCopiesForItself) {
  const auto program = compile(read(kStore), "memory_stride=4");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(role(*program, 0),
            (Lines{"st.shared.b32", "fence.proxy.async", "cp.async.bulk.global.shared::cta.bulk_group",
                   "cp.async.bulk.commit_group", "cp.async.bulk.wait_group", "ld.global.b32"}));
  EXPECT_EQ(program->harness().resident()->cells[0].bytes, 16u);
}

TEST(Resident, MbarriersCountTheBytesThatAreMoved) {
  const auto joined = compile(read(kLoad));
  ASSERT_TRUE(joined.ok()) << base::render(joined.errors());
  EXPECT_EQ(role(*joined, 0), (Lines{"bar.warp.sync", "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64",
                                     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"}));
  EXPECT_EQ(role(*joined, 1), (Lines{"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64", "ld.shared.b32"}));
  EXPECT_EQ(joined->harness().resident()->tx_factor, 32u);
  const auto each = compile(read(kLoad), "memory_stride=4");
  ASSERT_TRUE(each.ok()) << base::render(each.errors());
  EXPECT_EQ(each->harness().resident()->tx_factor, 4u);
}

TEST(Resident, LocationsAreWhereTheirInstructionsNeedThem) {
  const auto program = compile(
      read("weakspot MULTICAST\nArch=ptx\n{ shared b = 1; shared x; shared z; y = 1; shared c = 1; }\n P0 | P1 ;\n"
           " mbar.arrive _, b, 1, 4 | mbar.arrive _, c, 1, 4 ;\n copy.bulk x, y, b, z, c | mbar.wait.cluster c, 0 ;\n"
           " | ld.na r0, z ;\nscopes (cluster (wg P0) (wg P1))\nexists (1:r0=0)\n"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  const litmus::LitmusTest& test = program->harness().test;
  std::map<std::string, ResidentCell> cells;
  for (std::size_t i = 0; i < test.locations.size(); ++i) {
    cells[test.locations[i].name] = program->harness().resident()->cells[i];
  }
  EXPECT_EQ(cells["x"].owner, 0u);
  EXPECT_EQ(cells["z"].owner, 1u);
  EXPECT_EQ(cells["c"].owner, 1u);
  EXPECT_EQ(cells["x"].at, cells["z"].at);
  EXPECT_EQ(cells["b"].at, cells["c"].at);
  EXPECT_FALSE(cells["y"].shared);
  EXPECT_NE(program->program().text.find(".reqnctapercluster 2, 1, 1"), std::string::npos);
}

TEST(Resident, MbarriersAreLeftAndEnd) {
  const std::string begin = "weakspot DROP\nArch=ptx\n{ shared b = 2; shared x; }\n P0 | P1 ;\n";
  const std::string end = "scopes (wg P0 P1)\nexists (1:r0=0)\n";
  const auto program = compile(read(begin +
                                    " st.na x, 1 | mbar.arrive _, b ;\n mbar.drop _, b | mbar.wait b, 0 ;\n"
                                    " | mbar.inval b ;\n | ld.na r0, x ;\n" +
                                    end));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(role(*program, 0), (Lines{"st.shared.b32", "mbarrier.arrive_drop.release.cta.shared::cta.b64"}));
  const std::string& text = program->program().text;
  const std::size_t first = text.find("mbarrier.inval");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("mbarrier.inval", first + 1), std::string::npos) << "the test itself ends its life";
  const auto early = compile(read(begin + " mbar.drop _, b | mbar.inval b ;\n | ld.na r0, x ;\n" + end));
  ASSERT_FALSE(early.ok());
  EXPECT_NE(base::render(early.errors()).find("'b' is invalidated while others may use it"), std::string::npos);
}

TEST(Resident, ProductsAndTensorMapsAreJudgedOnly) {
  const std::string begin = "weakspot T\nArch=ptx\n{ shared x; shared b = 1; m = &y; }\n P0 ;\n";
  const std::string end = " ld.na r0, d ;\nscopes (wg P0)\nexists (0:r0=0)\n";
  const auto product =
      compile(read(begin + " wgfence ;\n copy.wgmma d, x ;\n commit.wgmma ;\n wait.wgmma 0 ;\n" + end));
  ASSERT_FALSE(product.ok());
  EXPECT_NE(base::render(product.errors()).find("the test has products of warpgroups (wgmma), which are judged only"),
            std::string::npos);
  const auto map = compile(read(begin + " copy.bulk.map x, m, b ;\n" + end));
  ASSERT_FALSE(map.ok());
  EXPECT_NE(base::render(map.errors()).find("the test has a tensor map, which is judged only"), std::string::npos);
}

// A copy that nobody waits for must not reach into the next iteration.
TEST(Resident, WhatIsMissingToEndAPhaseIsKnown) {
  auto drain = [](const std::string& code) {
    const auto program = compile(read("weakspot D\nArch=ptx\n{ shared b = 1; shared x; y = 1; }\n P0 ;\n" + code +
                                      " copy.bulk x, y, b ;\n ld.na r0, x ;\nscopes (wg P0)\nexists (0:r0=0)\n"));
    EXPECT_TRUE(program.ok()) << base::render(program.errors());
    return program->harness().resident()->drains.at(0);
  };
  EXPECT_EQ(drain("").missing, 128);
  EXPECT_EQ(drain("").arrivals, 0u);
  EXPECT_EQ(drain(" mbar.arrive _, b, 1, 4 ;\n").missing, 0);
  EXPECT_EQ(drain(" mbar.arrive _, b ;\n").missing, 128);
  EXPECT_TRUE(drain(" mbar.arrive _, b ;\n").certain);
  EXPECT_FALSE(drain(" mbar.arrive _, b ;\n mbar.wait b, 0 ;\n mbar.arrive _, b ;\n").certain);
}

TEST(Resident, InstancesFillTheWorkgroupsThatFit) {
  const auto program = compile(read(kLoad), "workgroup_size=256,barrier_spacing=4");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  PlanOptions options;
  options.resident_workgroups = 100;
  options.memory_bytes = 1u << 30;
  const auto run = program->plan(options);
  ASSERT_TRUE(run.ok());
  // Two subgroups run one row of 32 instances.
  EXPECT_EQ(program->harness().resident()->depth, 4u);
  EXPECT_EQ(run->instances, 100u * 128 * 4);
  const InstancePlace place = program->locate(*run, {0, 0, 33});
  EXPECT_EQ(place.threads[0], (InstancePlace::Thread{0, 65}));
  EXPECT_EQ(place.threads[1], (InstancePlace::Thread{0, 97}));
}

// On an interpreter, where copies are done at once: every instance ends in an outcome, iterations do not disturb each
// other, and what the test forbids does not happen.
TEST(Resident, IterationsAreApart) {
  std::size_t ran = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("async/@all", 5)) {
    const char* env = ran % 2 == 0 ? "workgroup_size=32,iterations=2,barrier_spacing=2,access_gap=3"
                                   : "workgroup_size=32,iterations=2,memory_stride=4,barrier=none";
    const auto program = compile(test, env);
    if (!program || !program->harness().resident() || program->harness().roles.workgroups > 1) continue;
    const auto planned = program->plan({.resident_workgroups = 1, .memory_bytes = 1u << 26});
    ASSERT_TRUE(planned.ok());
    testing_support::Interpreter interpreter(program->kernels());
    const auto decoded = program->decode(*planned, interpreter.run(planned->launch, {.seed = 3}));
    ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
    ++ran;
    EXPECT_EQ(decoded->instances, planned->instances_per_round()) << test.name;
    const auto expected = test.expectations.find("sc");
    if (expected == test.expectations.end() || expected->second == litmus::Expectation::allowed) continue;
    EXPECT_EQ(decoded->unfinished, 0u) << test.name;
    for (const auto& [outcome, count] : decoded->histogram.counts()) {
      EXPECT_FALSE(litmus::satisfies(test, outcome)) << test.name << " in " << env;
    }
  }
  EXPECT_GT(ran, 10u);
}

TEST(Resident, RefusalsNameWhatIsMissing) {
  TargetLimits ampere = hopper();
  ampere.ptx_arch = 80;
  const auto old = compile(read(kStore), "basic", ampere);
  ASSERT_FALSE(old.ok());
  EXPECT_EQ(old.errors().front().message,
            "STORE: cannot run: asynchronous operations need compute capability 9.0 (sm_90); the device has 8.0");
  const auto opencl = TestProgram::compile(read(kStore), TestEnvironment{}, Target::opencl, hopper());
  ASSERT_FALSE(opencl.ok());
  EXPECT_EQ(opencl.errors().front().message, "STORE: cannot run: the test has asynchronous operations");
}

TEST(Resident, DependentLaunchesAreKernelsInARow) {
  const auto program = compile(
      read("weakspot GRID\nArch=ptx\n P0 | P1 ;\n st.na x, 1 | griddep.wait ;\n griddep.launch | ld.na r0, x ;\n"
           "scopes (wg P0) (wg P1)\nlaunch P0 P1\nexists (1:r0=0)\n"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(role(*program, 0), (Lines{"st.global.b32", "griddepcontrol.launch_dependents"}));
  EXPECT_EQ(role(*program, 1), (Lines{"griddepcontrol.wait", "ld.global.b32"}));
  PlanOptions options;
  options.resident_workgroups = 100;
  options.memory_bytes = 1u << 30;
  const auto run = program->plan(options);
  ASSERT_TRUE(run.ok());
  ASSERT_EQ(run->launch.passes.size(), 3u);
  EXPECT_FALSE(run->launch.passes[0].dependent);
  EXPECT_TRUE(run->launch.passes[1].dependent);
  EXPECT_FALSE(run->launch.passes[2].dependent);
  EXPECT_EQ(run->instances, 50u * 64);
}

// Shared memory of a grid is its own; who leaves waits until copies have read it, and not longer.
TEST(Resident, GridsCopyOutOfSharedMemory) {
  const litmus::LitmusTest test = read(
      "weakspot GRID-copy\nArch=ptx\n{ shared x = 1; }\n P0 | P1 ;\n copy.bulk y, x | griddep.wait ;\n"
      " | ld.na r0, y ;\nscopes (wg P0) (wg P1)\nlaunch P0 P1\nexists (1:r0=0)\n");
  for (const char* env : {"workgroup_size=32", "workgroup_size=64,memory_stride=3,layout=arrays"}) {
    const auto program = compile(test, env);
    ASSERT_TRUE(program.ok()) << base::render(program.errors());
    EXPECT_EQ(role(*program, 0), (Lines{"cp.async.bulk.global.shared::cta.bulk_group"}));
    const std::string& text = program->program().text;
    const std::string end = "  // end of role 0\n  cp.async.bulk.commit_group;\n  cp.async.bulk.wait_group.read 0;\n";
    EXPECT_NE(text.find(end), std::string::npos) << text;
    const auto planned = program->plan({.resident_workgroups = 4, .memory_bytes = 1u << 26});
    ASSERT_TRUE(planned.ok());
    testing_support::Interpreter interpreter(program->kernels());
    const auto decoded = program->decode(*planned, interpreter.run(planned->launch, {.seed = 3}));
    ASSERT_TRUE(decoded.ok()) << base::render(decoded.errors());
    EXPECT_EQ(decoded->instances, planned->instances_per_round());
    ASSERT_EQ(decoded->histogram.counts().size(), 1u);
    EXPECT_FALSE(litmus::satisfies(test, decoded->histogram.counts().begin()->first));
  }
}

// Grids are not shuffled, and none is paired with another workgroup.
TEST(Resident, InstancesAreInTheSameThreadOfEachGrid) {
  const auto program =
      compile(read("weakspot GRID\nArch=ptx\n{ shared s; shared t; }\n P0 | P1 ;\n st.na x, 1 | griddep.wait ;\n"
                   " | ld.na r0, x ;\n | st.na s, 1 ;\n | st.na t, 1 ;\n"
                   "scopes (wg P0) (wg P1)\nlaunch P0 P1\nexists (1:r0=0)\n"),
              "shuffle_percent=50,workgroup_size=64");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  for (const std::uint32_t fitting : {1u, 8u}) {
    const auto run = program->plan({.resident_workgroups = fitting, .memory_bytes = 1u << 26});
    ASSERT_TRUE(run.ok()) << base::render(run.errors());
    const std::uint32_t workgroup = fitting == 1 ? 0 : 2;
    const InstancePlace place = program->locate(*run, {0, 0, workgroup * 64 + 6});
    const InstancePlace::Thread thread{workgroup, 6};
    EXPECT_EQ(place.threads, (std::vector{thread, thread}));
    // In shared memory: units of 16 bytes, 64 of them for each location.
    EXPECT_EQ(place.words, (std::vector<std::uint64_t>{workgroup * 64 + 6, 6 * 4, (64 + 6) * 4}));
  }
}

TEST(Resident, GridsShareNoSharedMemory) {
  auto reason = [](const std::string& code, const std::string& end = "exists (1:r0=0)") {
    const auto program = compile(read("weakspot G\nArch=ptx\n{ shared x = 1; shared b = 1; y = 1; }\n P0 | P1 ;\n" +
                                      code + "scopes (cluster (wg P0) (wg P1))\nlaunch P0 P1\n" + end + "\n"));
    return program ? "" : program.errors().front().message;
  };
  EXPECT_EQ(reason(" st.na x, 1 | ld.na r0, x ;\n"), "G: cannot run: two grids use 'x', which is in shared memory");
  EXPECT_EQ(reason(" st.na y, 1 | ld.na r0, y ;\n copy.bulk x, y, b | ;\n"),
            "G: cannot run: the test has dependent launches and copies of arrays, of parts or with mbarriers");
  EXPECT_EQ(reason(" st.na x, 2 | ld.na r0, y ;\n", "exists (x=1)"),
            "G: cannot run: the condition asks for shared memory, which ends with its grid");
  EXPECT_EQ(reason(" st.na x, 2 | ld.na r0, y ;\n"), "");
}

// More arrivals than a phase expects are undefined: an H200 ends the program.
TEST(Resident, TooManyArrivalsDoNotRun) {
  auto runs = [](const std::string& count, const std::string& code) {
    const auto program =
        compile(read("weakspot R\nArch=ptx\n{ shared b = " + count + "; shared x; y = 1; }\n P0 | P1 ;\n" + code +
                     "scopes (wg P0 P1)\nexists (1:r0=0)\n"));
    if (program) return true;
    EXPECT_EQ(program.errors().front().message,
              "R: cannot run: 'b' may get more arrivals than a phase expects, which PTX leaves undefined");
    return false;
  };
  const std::string twice =
      " mbar.arrive _, b, 1, 4 | mbar.wait b, 0 ;\n copy.bulk x, y, b | ld.na r0, x ;\n mbar.arrive _, b | ;\n";
  EXPECT_FALSE(runs("1", twice));
  EXPECT_TRUE(runs("2", twice));
  // One from each thread.
  const std::string both = " mbar.arrive _, b, 1, 4 | mbar.arrive _, b ;\n copy.bulk x, y, b | ld.na r0, x ;\n";
  EXPECT_FALSE(runs("1", both));
  EXPECT_TRUE(runs("2", both));
  // The second thread knows that the phase is over.
  EXPECT_TRUE(runs("1",
                   " mbar.arrive _, b, 1, 4 | mbar.wait b, 0 ;\n copy.bulk x, y, b | mbar.arrive _, b ;\n"
                   " | ld.na r0, x ;\n"));
}

// A thread that waits for the cluster must not keep another of its workgroup from arriving there.
TEST(Resident, BarriersOfTwoLevelsDoNotCross) {
  auto reason = [](const std::string& code) {
    const auto program = compile(read("weakspot B\nArch=ptx\n{ shared x; }\n P0 | P1 | P2 | P3 ;\n" + code +
                                      "scopes (cluster (wg P0 P1) (wg P2 P3))\nexists (3:r0=0)\n"));
    return program ? "" : program.errors().front().message;
  };
  const std::string others = "| bar | bar ;\n st.na x, 1 | | bar.cluster | bar.cluster ;\n | | | ld.na r0, x ;\n";
  EXPECT_EQ(reason("bar | bar " + others + " bar.cluster | bar.cluster | | ;\n"), "");
  EXPECT_EQ(reason("bar.arrive.cluster | bar " + others + " bar | bar.cluster | | ;\n"), "");
  EXPECT_EQ(reason("bar.cluster | bar " + others + " bar | bar.cluster | | ;\n"),
            "B: cannot run: the threads of a workgroup do not reach the same barriers");
  EXPECT_EQ(reason("bar.sg | bar " + others + " bar.cluster | bar.cluster | | ;\n"),
            "B: cannot run: the threads of a workgroup do not reach the same barriers");
}

TEST(Resident, MostOfTheCorpusRuns) {
  std::map<std::string, int> refusals;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("async/@all")) {
    for (const char* env : {"basic", "workgroup_size=1024", "memory_stride=4,workgroup_size=256"}) {
      const auto program = compile(test, env);
      if (program) continue;
      const std::string message = program.errors().front().message;
      ++refusals[message.substr(message.find(": ") + 2)];
    }
  }
  std::vector<std::string> reasons;
  for (const auto& [reason, count] : refusals) reasons.push_back(reason);
  EXPECT_EQ(reasons, (Lines{"cannot run: 'f' may get more arrivals than a phase expects, which PTX leaves undefined",
                            "cannot run: 't' is a surface: CUDA's surfaces are arrays, which have no addresses to "
                            "store to",
                            "cannot run: PTX has no fence for the constant proxy",
                            "cannot run: PTX has no fence for the texture proxy",
                            "cannot run: the test has a tensor map, which is judged only",
                            "cannot run: the test has products of warpgroups (wgmma), which are judged only"}));
}

TEST(Resident, TensorMemoryIsJudgedOnly) {
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("tensor/@all")) {
    const auto program = compile(test, "basic");
    ASSERT_FALSE(program) << test.name;
    ASSERT_EQ(program.errors().size(), 1u) << base::render(program.errors());
    EXPECT_EQ(program.errors().front().message,
              test.name + ": cannot run: the test has tensor memory (tcgen05), which is judged only");
  }
}

}  // namespace
}  // namespace weakspot::codegen::resident_test
