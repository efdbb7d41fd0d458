// SPDX-License-Identifier: MIT
// Renaming a test does not change what it is.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/rng.h"
#include "gen/identity.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"
#include "support/random_test.h"

namespace weakspot::gen {
namespace {

using litmus::LitmusTest;

LitmusTest any_test() {
  tests::RandomTestOptions options;
  options.most_threads = *rc::gen::inRange(1, 6);
  options.most_instructions = *rc::gen::inRange(0, 8);
  options.feature_percent = *rc::gen::inRange(5, 60);
  return tests::random_test(*rc::gen::arbitrary<std::uint64_t>(), options);
}

// order[i] is the thread that comes to place i.
LitmusTest permuted(const LitmusTest& test, const std::vector<std::uint32_t>& order) {
  LitmusTest result = test;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    result.threads[i] = test.threads[order[i]];
    if (test.scopes) result.scopes->placements[i] = test.scopes->placements[order[i]];
  }
  if (result.scopes) {
    for (auto& [from, to] : result.scopes->system_synchronizes) {
      from.index = place[from.index];
      to.index = place[to.index];
    }
  }
  auto move = [&](litmus::Observable& observable) {
    if (auto* reg = std::get_if<litmus::ObservedRegister>(&observable)) reg->thread.index = place[reg->thread.index];
  };
  litmus::for_each_observable(result.condition.proposition, move);
  if (result.filter) litmus::for_each_observable(*result.filter, move);
  for (litmus::Observable& observable : result.also_observed) move(observable);
  return result;
}

void rename(LitmusTest& test) {
  test.name += "-renamed";
  test.description = "the same under other names";
  test.info.emplace_back("Origin", "elsewhere");
  for (litmus::Location& location : test.locations) location.name = "loc_" + location.name;
  for (litmus::Thread& thread : test.threads) {
    for (litmus::Register& reg : thread.registers) reg.name = "reg_" + reg.name;
    for (litmus::Instruction& instruction : thread.instructions) {
      if (auto* label = std::get_if<litmus::Label>(&instruction.operation)) label->name = "to_" + label->name;
      if (auto* branch = std::get_if<litmus::Branch>(&instruction.operation)) branch->label = "to_" + branch->label;
    }
  }
}

RC_GTEST_PROP(Identity, OtherNamesAndAnotherOrderOfThreads, ()) {
  const LitmusTest test = any_test();
  std::vector<std::uint32_t> order(test.threads.size());
  std::iota(order.begin(), order.end(), 0u);
  base::Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  rng.shuffle(order);
  LitmusTest other = permuted(test, order);
  rename(other);
  litmus::normalize(other);
  RC_ASSERT(canonical_hash(other) == canonical_hash(test));
}

RC_GTEST_PROP(Identity, OneInstructionLessIsAnotherTest, ()) {
  const LitmusTest test = any_test();
  for (std::size_t t = 0; t < test.threads.size(); ++t) {
    if (test.threads[t].instructions.empty()) continue;
    LitmusTest other = test;
    other.threads[t].instructions.pop_back();
    RC_ASSERT(canonical_hash(other) != canonical_hash(test));
  }
}

}  // namespace
}  // namespace weakspot::gen
