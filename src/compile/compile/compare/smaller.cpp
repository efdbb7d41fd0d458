// SPDX-License-Identifier: MIT
#include "compile/compare/smaller.h"

#include <algorithm>

#include "litmus/normalize.h"
#include "litmus/visit.h"

namespace weakspot::compile {
namespace {

using litmus::LitmusTest;
using litmus::Observable;
using litmus::ObservedRegister;

bool is_written(const litmus::Thread& thread, litmus::RegisterId reg) {
  bool written = false;
  for (const litmus::Instruction& instruction : thread.instructions) {
    litmus::for_each_written(instruction, [&](const litmus::RegisterId& other) { written = written || other == reg; });
  }
  return written;
}

// Gives the test these observables, without the registers that nothing writes any more.
LitmusTest observing(LitmusTest test, std::vector<Observable> observed) {
  std::erase_if(observed, [&](const Observable& observable) {
    const auto* reg = std::get_if<ObservedRegister>(&observable);
    return reg != nullptr && !is_written(test[reg->thread], reg->reg);
  });
  test.condition = litmus::Condition{};
  test.filter.reset();
  test.description.clear();
  test.expectations.clear();
  test.info.clear();
  test.also_observed = std::move(observed);
  litmus::normalize(test);
  return test;
}

LitmusTest without_thread(const LitmusTest& test, std::uint32_t thread) {
  LitmusTest smaller = test;
  smaller.threads.erase(smaller.threads.begin() + thread);
  if (smaller.scopes) smaller.scopes->placements.erase(smaller.scopes->placements.begin() + thread);
  std::vector<Observable> observed;
  for (Observable observable : test.observed()) {
    if (auto* reg = std::get_if<ObservedRegister>(&observable)) {
      if (reg->thread.index == thread) continue;
      if (reg->thread.index > thread) --reg->thread.index;
    }
    observed.push_back(observable);
  }
  return observing(std::move(smaller), std::move(observed));
}

LitmusTest without_instruction(const LitmusTest& test, std::uint32_t thread, std::size_t index) {
  LitmusTest smaller = test;
  auto& code = smaller.threads[thread].instructions;
  code.erase(code.begin() + static_cast<std::ptrdiff_t>(index));
  return observing(std::move(smaller), test.observed());
}

bool can_go(const litmus::Instruction& instruction) {
  return !std::holds_alternative<litmus::Label>(instruction.operation);
}

}  // namespace

std::vector<LitmusTest> smaller_tests(const LitmusTest& test) {
  std::vector<LitmusTest> list;
  for (std::uint32_t i = 0; test.threads.size() > 1 && i < test.threads.size(); ++i) {
    list.push_back(without_thread(test, i));
  }
  for (std::uint32_t i = 0; i < test.threads.size(); ++i) {
    const auto& code = test.threads[i].instructions;
    for (std::size_t index = 0; index < code.size(); ++index) {
      if (code.size() > 1 && can_go(code[index])) list.push_back(without_instruction(test, i, index));
    }
  }
  return list;
}

}  // namespace weakspot::compile
