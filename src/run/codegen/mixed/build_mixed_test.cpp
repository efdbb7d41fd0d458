// SPDX-License-Identifier: MIT
// Programs for a CPU and a GPU together. The kernel runs on an interpreter instead of a device.
#include "codegen/mixed/build_mixed.h"

#include <gtest/gtest.h>

#include "base/source.h"
#include "codegen/as_emitted.h"
#include "codegen/buffer_words.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/kernel_interpreter.h"

namespace weakspot::codegen::mixed_test {
namespace {

using testing_support::Interpreter;

litmus::LitmusTest read(const std::string& text) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TargetLimits limits(CpuIsa isa = CpuIsa::x86_64) {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.cpu.isa = isa;
  limits.cpu.lse = true;
  limits.cpu.rcpc = true;
  return limits;
}

base::Result<TestProgram> compile(const litmus::LitmusTest& test, const std::string& environment = "basic",
                                  CpuIsa isa = CpuIsa::x86_64, Target target = Target::mixed) {
  const base::Result<TestEnvironment> parsed = parse_environment(base::Source("--env", environment));
  EXPECT_TRUE(parsed.ok()) << base::render(parsed.errors());
  return TestProgram::compile(test, *parsed, target, limits(isa));
}

std::string refusal(const std::string& text, Target target = Target::mixed) {
  const base::Result<TestProgram> program = compile(read(text), "basic", CpuIsa::x86_64, target);
  return program ? "" : program.errors().front().message;
}

std::string with_scopes(const std::string& scopes, const std::string& code = " st.sys x, 1 | ld r0, x ;\n") {
  return "weakspot T\nArch=ptx\n P0 | P1 ;\n" + code + "scopes " + scopes + "\nexists (1:r0=1)\n";
}

constexpr const char* kIriw =
    "weakspot IRIW\nArch=ptx\n P0 | P1 | P2 | P3 ;\n st.sys x, 1 | ld r0, x | ld.sys r0, y | st y, 1 ;\n"
    " | ld r1, y | ld.sys r1, x | ;\n"
    "scopes (dev (wg P0) (wg P2)) (cpu (wg P1) (wg P3))\nexists (1:r0=1 /\\ 1:r1=0 /\\ 2:r0=1 /\\ 2:r1=0)\n";

TEST(Mixed, EveryThreadIsCompiledForItsProcessor) {
  const base::Result<TestProgram> program = compile(read(kIriw), "workgroup_size=32,testing_workgroups=4,iterations=3");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  const DeviceProgram& made = program->program();
  ASSERT_NE(nullptr, made.mixed);
  EXPECT_EQ((std::vector<std::uint32_t>{1, 3}), made.mixed->cpu_roles);
  EXPECT_EQ((std::vector<std::uint32_t>{0, 2}), made.mixed->gpu_roles);
  EXPECT_EQ(128u, made.mixed->chunk());
  EXPECT_EQ(384u, made.mixed->host.instances);
  EXPECT_NE(std::string::npos, made.entries.front().text.find("st.relaxed.sys.global.b32"));
  EXPECT_EQ(std::string::npos, made.entries.front().text.find("P1:"));
  EXPECT_NE(std::string::npos, made.text.find("P1:  ; x86-64"));
  EXPECT_EQ(std::string::npos, made.text.find("P0:  ;"));
  const base::Result<PlannedRun> run = program->plan({.memory_bytes = 1u << 26});
  ASSERT_TRUE(run.ok());
  EXPECT_EQ(8u, run->launch.passes.front().workgroups);
  EXPECT_EQ(384u, run->instances_per_round());
  EXPECT_FALSE(program->plan({.memory_bytes = 1000}).ok());
}

TEST(Mixed, WhatItCannotRunItRefuses) {
  EXPECT_EQ("T: cannot run: the test has no threads on a CPU; the device runs a CPU and a GPU together",
            refusal(with_scopes("(wg P0) (wg P1)", " st x, 1 | ld r0, x ;\n")));
  EXPECT_EQ("T: cannot run: the test has no threads on a GPU; the device runs a CPU and a GPU together",
            refusal(with_scopes("(cpu (wg P0) (wg P1))", " st x, 1 | ld r0, x ;\n")));
  EXPECT_EQ("T: cannot run: the test uses fences of AArch64, which x86-64 does not have",
            refusal(with_scopes("(dev (wg P0)) (cpu (wg P1))", " st.sys x, 1 | dmb.ish ;\n | ld r0, x ;\n")));
  for (const Target target : {Target::ptx, Target::cpu}) {
    EXPECT_EQ("T: cannot run: the test has threads on a CPU and on a GPU; devices such as cuda:0+cpu run it",
              refusal(with_scopes("(dev (wg P0)) (cpu (wg P1))"), target));
  }
  EXPECT_EQ("T: cannot run: two threads on the GPU are in one workgroup",
            refusal("weakspot T\nArch=ptx\n P0 | P1 | P2 ;\n st.sys x, 1 | ld.sys r0, x | ld r0, x ;\n"
                    "scopes (dev (wg P0 P1)) (cpu (wg P2))\nexists (1:r0=1)\n"));
}

TEST(Mixed, ABusWithoutAtomicsIsRespected) {
  TargetLimits bus = limits();
  bus.host_atomics = false;
  auto runs = [&](const std::string& code, MemoryKind kind) {
    TestEnvironment environment;
    environment.memory_kind = kind;
    const auto test = read(with_scopes("(dev (wg P0)) (cpu (wg P1))", code));
    return TestProgram::compile(test, environment, Target::mixed, bus).ok();
  };
  EXPECT_FALSE(runs(" atom.add.sys _, x, 1 | ld r0, x ;\n", MemoryKind::pinned));
  EXPECT_TRUE(runs(" atom.add.sys _, x, 1 | ld r0, x ;\n", MemoryKind::managed));
  EXPECT_TRUE(runs(" atom.add.sys _, y, 1 | ld r0, x ;\n", MemoryKind::pinned));
  EXPECT_TRUE(runs(" st.sys x, 1 | atom.add r0, x, 1 ;\n", MemoryKind::pinned));
}

TEST(Mixed, TheKernelRunsEveryInstanceOnce) {
  for (const char* environment : {"workgroup_size=4,testing_workgroups=2,iterations=3",
                                  "workgroup_size=4,testing_workgroups=2,permute_threads=3,"
                                  "iterations=3,layout=arrays,permute_locations=5,access_gap=2",
                                  "mode=site,iterations=4"}) {
    const base::Result<TestProgram> program = compile(read(kIriw), environment);
    ASSERT_TRUE(program.ok()) << base::render(program.errors());
    const MixedProgram& mixed = *program->program().mixed;
    base::Result<PlannedRun> run = program->plan({.memory_bytes = 1u << 26});
    ASSERT_TRUE(run.ok());
    std::vector<BufferSetup>& buffers = run->launch.buffers;
    // The CPU is through: its stores to y are there, and its workers are ready.
    std::vector<std::uint32_t> memory(mixed.host.slice_bytes / 4);
    for (std::uint32_t i = 0; i < mixed.host.instances; ++i) memory[mixed.host.locations[1].at(i) / 4] = 1;
    buffers[kMemoryBuffer].content = memory;
    std::vector<std::uint32_t> meeting(kMeetingWords);
    meeting[kMeetingReady] = 1u << 20;
    meeting[kMeetingDelay] = 3;
    meeting[kMeetingWorkers] = 2;
    buffers[kSyncBuffer].content = meeting;
    for (const BufferId id : {kMemoryBuffer, kResultBuffer, kSyncBuffer}) buffers[id].read_back = true;
    const auto after = Interpreter(program->kernels()).run(run->launch, {});
    EXPECT_EQ(mixed.iterations, after[kSyncBuffer][kMeetingGo]);
    EXPECT_EQ(0u, after[kSyncBuffer][kMeetingMissed]);
    const CpuRole& reader = mixed.host.roles[2];
    ASSERT_EQ(2u, reader.results.size());
    for (std::uint32_t i = 0; i < mixed.host.instances; ++i) {
      EXPECT_EQ(1u, after[kMemoryBuffer][mixed.host.locations[0].at(i) / 4]) << i;
      EXPECT_EQ(1u, after[kResultBuffer][reader.results[0].offset / 4 + i]) << i;
      EXPECT_LE(after[kResultBuffer][reader.results[1].offset / 4 + i], 1u) << i;
    }
    EXPECT_LE(reader.results[1].offset + 4 * mixed.host.instances, mixed.host.other_result_bytes);
  }
}

TEST(Mixed, TheGpuDoesNotWaitForeverForTheCpu) {
  const base::Result<TestProgram> program =
      compile(read(kIriw), "workgroup_size=4,testing_workgroups=2,iterations=3,spin_bound=5");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  base::Result<PlannedRun> run = program->plan({.memory_bytes = 1u << 26});
  ASSERT_TRUE(run.ok());
  std::vector<std::uint32_t> meeting(kMeetingWords);
  meeting[kMeetingWorkers] = 1;
  meeting[kMeetingReady] = 1;  // for the first chunk alone
  run->launch.buffers[kSyncBuffer].content = meeting;
  run->launch.buffers[kSyncBuffer].read_back = true;
  const auto after = Interpreter(program->kernels()).run(run->launch, {});
  EXPECT_EQ(3u, after[kSyncBuffer][kMeetingGo]);
  EXPECT_EQ(2u, after[kSyncBuffer][kMeetingMissed]);
}

TEST(Mixed, IsJudgedAsEachSideHasIt) {
  const litmus::LitmusTest test =
      read(with_scopes("(dev (wg P0)) (cpu (wg P1))", " st.sc.sys x, 1 | ld.acq r0, x ;\n"));
  const litmus::LitmusTest x86 = as_emitted(test, Target::mixed, limits());
  EXPECT_EQ(litmus::Arch::ptx, x86.arch);
  EXPECT_EQ(2u, x86.threads[0].instructions.size());  // fence.sc, release store
  EXPECT_EQ(litmus::Order::relaxed, litmus::access_of(x86.threads[1].instructions[0])->order);
  const litmus::LitmusTest arm = as_emitted(test, Target::mixed, limits(CpuIsa::aarch64));
  EXPECT_EQ(litmus::Order::acquire_pc, litmus::access_of(arm.threads[1].instructions[0])->order);
}

}  // namespace
}  // namespace weakspot::codegen::mixed_test
