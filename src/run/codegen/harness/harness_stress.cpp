// SPDX-License-Identifier: MIT
#include "codegen/harness/harness_stress.h"

namespace weakspot::codegen {
namespace {

// True if something that happens in `percent` of iterations happens in this one: a constant, or a flag of the row.
Expr happens(int percent, const PlanRow& row, PlanFlag flag) {
  if (percent == 0) return 0u;
  if (percent == 100) return 1u;
  return not_equal(Expr(row.flags) & Expr(static_cast<std::uint32_t>(flag)), 0u);
}

// The word that this thread stresses.
Expr target_address(KernelBuilder& b, const Harness& harness, const PlanRow& row, Var local, Var workgroup) {
  const Var workgroups = load_control(b, kWorkgroups);
  const Var word = b.load_word(word_address(kPlanBuffer, stress_target_at<Expr>(row.row, workgroups, workgroup)));
  Expr target = word;
  if (harness.environment.stress_spread == StressSpread::line) {
    target = word_in_line<Expr>(word, local, static_cast<std::uint32_t>(harness.environment.stress_line_words));
  }
  return b.let(word_address(kScratchBuffer, target));
}

void write_access(KernelBuilder& b, const Expr& store, const Expr& address, Var round) {
  b.if_(
      store, [&] { b.add(StoreTo{relaxed_word(address), Expr(round) + 1u}); },
      [&] { b.add(LoadFrom{b.var(), relaxed_word(address)}); });
}

void write_pattern(KernelBuilder& b, const Expr& first, const Expr& second, const Expr& address, const Expr& rounds) {
  b.count(0u, rounds, 1u, [&](Var round) {
    write_access(b, first, address, round);
    write_access(b, second, address, round);
  });
}

}  // namespace

PlanRow read_plan_row(KernelBuilder& b, const Expr& iteration) {
  const Var rows = load_control(b, kPlanRows);
  const Var workgroups = load_control(b, kWorkgroups);
  const Var round = load_control(b, kRound);
  PlanRow row;
  row.row = b.let(plan_row_number<Expr>(iteration, round, rows) * plan_row_words<Expr>(workgroups));
  row.flags = b.load_word(word_address(kPlanBuffer, Expr(row.row) + Expr(kPlanFlags)));
  return row;
}

void write_stress_call(KernelBuilder& b, const Harness& harness, const PlanRow& row, Var local, Var workgroup) {
  const TestEnvironment& e = harness.environment;
  if (e.memory_stress_percent == 0) return;
  const Var active = b.load_word(word_address(kPlanBuffer, Expr(row.row) + Expr(kPlanActive)));
  const Expr now = happens(e.memory_stress_percent, row, kPlanMemoryStress);
  b.if_(now.constant() ? less(workgroup, active) : now & less(workgroup, active), [&] {
    const Expr first = happens(e.memory_store_first_percent, row, kPlanMemoryFirst);
    const Expr second = happens(e.memory_store_second_percent, row, kPlanMemorySecond);
    const Var rounds = load_control(b, kStressRounds);
    write_pattern(b, first, second, target_address(b, harness, row, local, workgroup), rounds);
  });
}

void write_stress_until_done(KernelBuilder& b, const Harness& harness, Var local, Var workgroup, Var testing) {
  if (harness.environment.memory_stress_percent == 0) return;
  const Var most = load_control(b, kStressCalls);
  b.count(0u, most, 1u, [&](Var call) {
    const PlanRow row = read_plan_row(b, call);
    write_stress_call(b, harness, row, local, workgroup);
    const Var done = b.var();
    b.add(LoadFrom{done, relaxed_word(word_address(kProgressBuffer, static_cast<std::uint32_t>(kDone)))});
    // Enough calls: moves the counter to its end.
    b.if_(at_least(done, testing), [&] { b.set(call, Expr(most) - 1u); });
  });
}

void write_pre_stress(KernelBuilder& b, const Harness& harness, const PlanRow& row, Var local, Var workgroup) {
  const TestEnvironment& e = harness.environment;
  b.if_(happens(e.pre_stress_percent, row, kPlanPreStress), [&] {
    const Expr first = happens(e.pre_store_first_percent, row, kPlanPreFirst);
    const Expr second = happens(e.pre_store_second_percent, row, kPlanPreSecond);
    const Var rounds = load_control(b, kPreStressRounds);
    write_pattern(b, first, second, target_address(b, harness, row, local, workgroup), rounds);
  });
}

}  // namespace weakspot::codegen
