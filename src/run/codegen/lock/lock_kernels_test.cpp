// SPDX-License-Identifier: MIT
#include "codegen/lock/lock_kernels.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/file.h"
#include "codegen/lock_program.h"
#include "system/subprocess.h"

namespace weakspot::codegen::lock_kernels_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string text_of(LockKind kind, LockFences fences, Target target) {
  const base::Result<LockProgram> made = LockProgram::compile(kind, fences, target, {});
  EXPECT_TRUE(made.ok()) << base::render(made.errors());
  return made ? made->program().text : "";
}

TEST(LockKernels, HaveTheFencesThatWereAskedFor) {
  struct Row {
    LockKind kind;
    std::size_t acquire, release;
  };
  const Row rows[] = {
      {LockKind::test_and_set, 1, 1},     {LockKind::test_test_and_set, 1, 1},
      {LockKind::compare_and_swap, 1, 1}, {LockKind::exchange, 1, 1},
      {LockKind::ticket, 1, 1},           {LockKind::mcs, 3, 2},
      {LockKind::prefix_sum, 1, 2},       {LockKind::deque, 2, 2},
  };
  for (const Row& row : rows) {
    const auto fences = [&](LockFences which) { return count(text_of(row.kind, which, Target::ptx), "fence.acq_rel"); };
    EXPECT_EQ(row.acquire + row.release, fences(LockFences::full)) << to_string(row.kind);
    EXPECT_EQ(row.acquire, fences(LockFences::acquire)) << to_string(row.kind);
    EXPECT_EQ(row.release, fences(LockFences::release)) << to_string(row.kind);
    EXPECT_EQ(0u, fences(LockFences::none)) << to_string(row.kind);
    const std::string opencl = text_of(row.kind, LockFences::full, Target::opencl);
    EXPECT_EQ(row.acquire, count(opencl, "fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire"));
    EXPECT_EQ(row.release, count(opencl, "fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release"));
  }
}

TEST(LockKernels, ProtectPlainData) {
  const std::string text = text_of(LockKind::compare_and_swap, LockFences::full, Target::ptx);
  EXPECT_NE(std::string::npos, text.find("atom.relaxed.gpu.global.cas.b32"));
  EXPECT_NE(std::string::npos, text.find("  fence.acq_rel.gpu;\n  ld.global.b32 "));
  EXPECT_NE(std::string::npos, text.find("  fence.acq_rel.gpu;\n  atom.relaxed.gpu.global.exch.b32"));
}

TEST(LockKernels, AreRefusedWhereTheTargetLacksFences) {
  for (const LockFences fences : kLockFences) {
    const auto made = LockProgram::compile(LockKind::ticket, fences, Target::wgsl, {});
    if (fences == LockFences::none) {
      EXPECT_TRUE(made.ok());
    } else {
      EXPECT_EQ("WGSL has no fences between workgroups", base::messages(made.errors()));
    }
  }
  TargetLimits weak;
  weak.opencl.acquire_release = false;
  EXPECT_TRUE(LockProgram::compile(LockKind::ticket, LockFences::none, Target::opencl, weak).ok());
  EXPECT_EQ("the device has no acquire and release atomics (memory_order_acq_rel)",
            base::messages(LockProgram::compile(LockKind::ticket, LockFences::full, Target::opencl, weak).errors()));
}

TEST(LockKernels, AreValidSpirv) {
  const auto version = base::run_process({"spirv-val", "--version"});
  if (!version || !version->succeeded()) GTEST_SKIP() << "spirv-val is not on the PATH";
  const std::string file = testing::TempDir() + "lock_" + std::to_string(::getpid()) + ".spv";
  for (const LockKind kind : kLockKinds) {
    for (const LockFences fences : kLockFences) {
      const auto made = LockProgram::compile(kind, fences, Target::spirv, {});
      ASSERT_TRUE(made.ok());
      const std::vector<std::uint32_t>& words = made->program().words;
      ASSERT_TRUE(base::write_file(file, {reinterpret_cast<const char*>(words.data()), words.size() * 4}).ok());
      const auto checked = base::run_process({"spirv-val", "--target-env", "vulkan1.3", file});
      ASSERT_TRUE(checked.ok());
      EXPECT_TRUE(checked->succeeded()) << to_string(kind) << '\n' << checked->errors;
    }
  }
  std::filesystem::remove(file);
}

TEST(LockKernels, AreMachineCodeForBothInstructionSets) {
  for (const LockKind kind : kLockKinds) {
    TargetLimits limits;
    limits.cpu.isa = CpuIsa::x86_64;
    const auto x86 = LockProgram::compile(kind, LockFences::full, Target::cpu, limits);
    ASSERT_TRUE(x86.ok());
    EXPECT_NE(std::string::npos, x86->program().text.find("x86-64"));
    limits.cpu.isa = CpuIsa::aarch64;
    const auto arm = LockProgram::compile(kind, LockFences::full, Target::cpu, limits);
    ASSERT_TRUE(arm.ok());
    const bool fenced = kind != LockKind::none;
    EXPECT_EQ(fenced, arm->program().text.find("dmb ishld") != std::string::npos);
    EXPECT_EQ(fenced, arm->program().text.find("dmb ish\n") != std::string::npos);
  }
}

TEST(LockProgram, PlansAndDecodes) {
  const auto made = LockProgram::compile(LockKind::mcs, LockFences::full, Target::ptx, {});
  ASSERT_TRUE(made.ok());
  LockPlan plan;
  plan.contenders = 5;
  plan.sections = 7;
  plan.spin_bound = 100;
  plan.rounds = 3;
  const Launch launch = made->plan(plan);
  EXPECT_EQ((std::vector<std::uint32_t>{0, 0, 7, 5, 100}), launch.buffers[kLockControl].content);
  EXPECT_GE(launch.buffers[kLockWords].words, 64u + 5 * 64);
  EXPECT_GE(launch.buffers[kLockData].words, 2u * 35);
  EXPECT_TRUE(launch.passes[0].all_resident);
  EXPECT_EQ(5u, launch.passes[0].workgroups);
  std::vector<std::vector<std::uint32_t>> buffers(kLockBuffers);
  buffers[kLockCounts] = {3, 0, 1, 0, 2, 0, 9, 1, 35, 0};
  const LockCounts counts = made->decode(buffers);
  EXPECT_EQ(3u, counts.runs);
  EXPECT_EQ(1u, counts.unfinished);
  EXPECT_EQ(2u, counts.failed_runs);
  EXPECT_EQ((std::uint64_t{1} << 32) + 9, counts.lost_updates);
  EXPECT_EQ(35u, counts.sections);
}

}  // namespace
}  // namespace weakspot::codegen::lock_kernels_test
