// SPDX-License-Identifier: MIT
// Tests with equal threads, judged by one candidate of each kind, against looking at all of them.
#include "model/execution/symmetry.h"

#include <gtest/gtest.h>

#include "model/evaluate/evaluator.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/brute_force.h"
#include "support/compile_model.h"
#include "support/judge_soon.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

std::string access(int constant) {
  const std::string place = *tests::one_of({"x", "x", "y"});
  switch (*rc::gen::resize(100, rc::gen::inRange(0, 8))) {
    case 0:
    case 1:
      return fmt::format("st{} {}, {}", *tests::one_of({"", ".rel", ".na"}), place, constant);
    case 2:
      return fmt::format("ld{} r0, {}", *tests::one_of({"", ".acq", ".na"}), place);
    case 3:
      return fmt::format("ld r1, {}", place);
    case 4:
      return fmt::format("atom.{} r0, {}, 1", *tests::one_of({"add", "exch"}), place);
    case 5:
      return fmt::format("atom.cas r1, {}, 0, {}", place, constant);
    case 6:
      return fmt::format("st {}, r0", place);
    default:
      return *tests::one_of({"fence.sc", "membar"});
  }
}

// Two or three copies of a thread, with the same constants or with their own, beside another thread.
litmus::LitmusTest test_of_copies() {
  const int copies = *rc::gen::resize(100, rc::gen::inRange(2, 4));
  const int others = 1;
  const bool own_constants = *rc::gen::arbitrary<bool>();
  const int length = copies == 2 ? 2 : *rc::gen::resize(100, rc::gen::inRange(1, 3));
  std::vector<std::vector<std::string>> columns(static_cast<std::size_t>(copies + others));
  for (int i = 0; i < length; ++i) {
    const std::string line = i == 0 ? *tests::one_of({"st x, 7", "atom.add r0, x, 1", access(7)}) : access(7);
    for (int copy = 0; copy < copies; ++copy) {
      std::string mine = line;
      if (own_constants && mine.back() == '7') mine.back() = static_cast<char>('3' + copy);
      columns[static_cast<std::size_t>(copy)].push_back(mine);
    }
  }
  for (int other = 0; other < others; ++other) {
    for (int i = 0; i < (copies == 2 ? 2 : 1); ++i) {
      columns[static_cast<std::size_t>(copies + other)].push_back(access(1));
    }
  }
  if (*rc::gen::arbitrary<bool>()) std::rotate(columns.begin(), columns.end() - 1, columns.end());
  std::string text = "weakspot copies\n{ x; y; }\n";
  std::string scopes = "scopes";
  std::string observed = *rc::gen::arbitrary<bool>() ? "x; y;" : "";
  const bool all_registers = *rc::gen::arbitrary<bool>();
  const bool together = *rc::gen::arbitrary<bool>();
  for (std::size_t t = 0; t < columns.size(); ++t) {
    text += fmt::format("{} P{}", t == 0 ? "" : " |", t);
    if (t == 0 || t > 1 || !together) scopes += fmt::format(" (wg P{}{})", t, t == 0 && together ? " P1" : "");
    for (const char* reg : {"r0", "r1"}) {
      const bool used = std::any_of(columns[t].begin(), columns[t].end(),
                                    [&](const std::string& line) { return tests::mentions(line, reg); });
      if (used && (all_registers || t % 2 == 0)) observed += fmt::format(" {}:{};", t, reg);
    }
  }
  text += " ;\n";
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t t = 0; t < columns.size(); ++t) {
      text += fmt::format("{} {}", t == 0 ? "" : " |", row < columns[t].size() ? columns[t][row] : "");
    }
    text += " ;\n";
  }
  text += scopes + "\n";
  if (!observed.empty()) text += "locations [" + observed + "]\n";
  const std::size_t colon = observed.find(':');
  const std::string item = colon == std::string::npos ? "x" : observed.substr(colon - 1, 4);
  text += fmt::format("exists ({}={})\n", item, *tests::one_of({"0", "1", "3", "4", "7"}));
  RC_LOG() << text;
  return tests::read_one(text);
}

void same_verdict(const litmus::LitmusTest& test, const Model& model) {
  const Verdict all = tests::judge_soon(test, model, {.equal_threads = false});
  const Verdict some = tests::judge_soon(test, model, {.explain = true});
  RC_ASSERT(all.complete && some.complete);
  RC_ASSERT(some.outcomes == all.outcomes);
  RC_ASSERT(some.executions == all.executions);
  RC_ASSERT(some.positive == all.positive);
  RC_ASSERT(some.reach == all.reach);
  RC_ASSERT(some.condition == all.condition);
  RC_ASSERT(some.flags == all.flags);
  RC_ASSERT(tests::judge_soon(test, model, {.condition_only = true}).reach == all.reach);
  RC_ASSERT((some.witness != nullptr) == (all.reach == Verdict::Reach::allowed));
  if (!some.witness) return;
  Evaluator evaluator(model);
  evaluator.begin(some.witness->frame);
  RC_ASSERT(evaluator.allows(some.witness->candidate()));
  RC_ASSERT(all.outcomes.contains(some.witness->outcome));
  some.witness->rf.for_each(
      [&](EventId write, EventId read) { RC_ASSERT(some.witness->values[write] == some.witness->values[read]); });
}

class EqualThreads : public testing::TestWithParam<const char*> {};

TEST_P(EqualThreads, AreJudgedByOneCandidate) {
  const base::Result<Model> model = load_model(GetParam());
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  tests::holds(60, [&] { same_verdict(test_of_copies(), *model); });
}

INSTANTIATE_TEST_SUITE_P(Models, EqualThreads, testing::Values("sc", "tso", "c11", "ptx", "aarch64", "vulkan"));

TEST(SymmetryProperty, AgreesWithTheSlowJudge) {
  const Model model = tests::compile_model(
      "\"SC\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\nempty rmw & (fre; coe) as atomicity\n");
  tests::holds(100, [&] {
    const litmus::LitmusTest test = test_of_copies();
    const tests::Summary expected = tests::all_executions(test, tests::sc, false, 500);
    const Verdict verdict = tests::judge_soon(test, model);
    RC_ASSERT(verdict.outcomes == expected.outcomes);
    RC_ASSERT(verdict.executions == expected.executions);
  });
}

}  // namespace
}  // namespace weakspot::model
