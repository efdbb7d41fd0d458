// SPDX-License-Identifier: MIT
// What must hold between models: a stronger one allows no outcome that a weaker one forbids, and enough fences make a
// weak one strong.
#include <gtest/gtest.h>

#include "litmus/instruction.h"
#include "model/library.h"
#include "support/judge_soon.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

constexpr int kTests = 1000;

Model load(const std::string& name) {
  base::Result<Model> model = load_model(name);
  if (!model) ADD_FAILURE() << base::render(model.errors());
  return std::move(*model);
}

bool within(const Verdict& strong, const Verdict& weak) {
  RC_ASSERT(strong.complete);
  RC_ASSERT(weak.complete);
  return std::includes(weak.outcomes.begin(), weak.outcomes.end(), strong.outcomes.begin(), strong.outcomes.end());
}

// Without barriers: sc.cat knows only those of a workgroup.
tests::Features without_barriers() {
  return {.fences = 3,
          .loads = {"", "", ".acq", ".sc", ".na"},
          .stores = {"", "", ".rel", ".sc", ".na"},
          .atomics = {"", ".acq", ".rel", ".acqrel", ".sc"},
          .fence_words = {"fence.sc", "fence.rel", "fence.acqrel.wg", "membar"}};
}

class SequentialConsistency : public testing::TestWithParam<std::string> {};

TEST_P(SequentialConsistency, IsWithin) {
  const Model sc = load("sc");
  const Model weaker = load(GetParam());
  tests::holds_for(without_barriers(), kTests, [&](const litmus::LitmusTest& test) {
    RC_ASSERT(within(tests::judge_soon(test, sc), tests::judge_soon(test, weaker)));
  });
}

INSTANTIATE_TEST_SUITE_P(Models, SequentialConsistency,
                         testing::Values("tso", "rmo", "sc-per-loc", "rel-acq", "c11", "cpp20", "opencl-repaired",
                                         "ptx", "ptx-strong", "ptx-tso", "ptx-aarch64", "vulkan", "webgpu", "amdgpu",
                                         "aarch64", "riscv", "linux-kernel", "ptx-2015"));

// In these models a race makes a program undefined, and a racing read that is not atomic sees no write it races with.
class SequentialConsistencyWithoutRaces : public testing::TestWithParam<std::string> {};

TEST_P(SequentialConsistencyWithoutRaces, IsWithin) {
  const Model sc = load("sc");
  const Model weaker = load(GetParam());
  tests::holds_for(without_barriers(), kTests, [&](const litmus::LitmusTest& test) {
    const Verdict verdict = tests::judge_soon(test, weaker);
    if (verdict.flags.empty()) RC_ASSERT(within(tests::judge_soon(test, sc), verdict));
  });
}

INSTANTIATE_TEST_SUITE_P(Models, SequentialConsistencyWithoutRaces, testing::Values("opencl", "c11-2011"));

TEST(Inclusion, StrengthenedWithinPtx) {
  const Model strengthened = load("ptx-strong");
  const Model ptx = load("ptx");
  tests::holds_for(without_barriers(), kTests, [&](const litmus::LitmusTest& test) {
    RC_ASSERT(within(tests::judge_soon(test, strengthened), tests::judge_soon(test, ptx)));
  });
}

// Both know the same fences by these words.
TEST(Inclusion, TotalStoreOrderWithinRelaxed) {
  const Model tso = load("tso");
  const Model rmo = load("rmo");
  const tests::Features features{.fences = 3, .fence_words = {"fence.sc", "mfence"}};
  tests::holds_for(features, kTests, [&](const litmus::LitmusTest& test) {
    RC_ASSERT(within(tests::judge_soon(test, tso), tests::judge_soon(test, rmo)));
  });
}

// A fence.sc.sys behind each instruction.
litmus::LitmusTest fenced(litmus::LitmusTest test) {
  litmus::Fence fence;
  fence.order = litmus::Order::seq_cst;
  fence.scope = litmus::Scope::system;
  for (litmus::Thread& thread : test.threads) {
    std::vector<litmus::Instruction> instructions;
    for (litmus::Instruction& instruction : thread.instructions) {
      instructions.push_back(std::move(instruction));
      instructions.emplace_back().operation = fence;
    }
    thread.instructions = std::move(instructions);
  }
  return test;
}

TEST(Inclusion, PtxWithFencesEverywhereIsSequentiallyConsistent) {
  const Model sc = load("sc");
  const Model ptx = load("ptx");
  // The engine tries every order of the fences.
  const tests::Features features{.threads = 2,
                                 .writes = 3,
                                 .reads = 3,
                                 .fences = 0,
                                 .control = false,
                                 .arch = "ptx",
                                 .loads = {"", ".sys"},
                                 .stores = {"", ".sys"}};
  tests::holds_for(features, kTests, [&](const litmus::LitmusTest& test) {
    const litmus::LitmusTest strong = fenced(test);
    const Verdict by_ptx = tests::judge_soon(strong, ptx);
    RC_ASSERT(by_ptx.complete);
    RC_ASSERT(by_ptx.outcomes == tests::judge_soon(strong, sc).outcomes);
  });
}

}  // namespace
}  // namespace weakspot::model
