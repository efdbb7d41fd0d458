// SPDX-License-Identifier: MIT
#include "codegen/random_environment.h"

namespace weakspot::codegen {
namespace {

template <typename Enum>
Enum pick(base::Rng& rng, std::initializer_list<Enum> choices) {
  return *(choices.begin() + rng.below(choices.size()));
}

int power_of_two(base::Rng& rng, int low_exponent, int high_exponent) {
  return 1 << rng.between(low_exponent, high_exponent);
}

int number(base::Rng& rng, int low, int high) { return static_cast<int>(rng.between(low, high)); }

}  // namespace

TestEnvironment draw_environment(base::Rng& rng, const TestEnvironment& base, const DrawLimits& limits) {
  auto percent = [&] { return pick(rng, {0, 100, 100, number(rng, 0, 100)}); };
  TestEnvironment e = base;
  int largest = 5;
  while (largest < 10 && (1 << (largest + 1)) <= limits.workgroup_size) ++largest;
  e.workgroup_size = power_of_two(rng, 5, largest);
  e.occupancy_percent = pick(rng, {25, 50, 100, number(rng, 5, 100)});
  e.pairing = pick(rng, {Pairing::stripe, Pairing::half, Pairing::half, Pairing::neighbour, Pairing::next});
  e.assignment = pick(rng, {Assignment::all, Assignment::all, Assignment::one});
  e.neighbours = pick(rng, {Neighbours::apart, Neighbours::apart, Neighbours::together, Neighbours::both});
  e.role_order = pick(
      rng, {RoleOrder::ascending, RoleOrder::descending, RoleOrder::by_warp, RoleOrder::by_block, RoleOrder::by_lane});
  e.result_store = pick(rng, {ResultStore::end, ResultStore::end, ResultStore::reversed, ResultStore::at_once});
  e.shuffle_percent = pick(rng, {0, 0, 100});
  e.barrier = pick(rng, {BarrierKind::none, BarrierKind::block, BarrierKind::partner, BarrierKind::grid});
  e.barrier_percent = 100;
  e.barrier_spacing = power_of_two(rng, 0, 3);
  e.layout = pick(rng, {Layout::interleaved, Layout::arrays});
  e.memory_stride = power_of_two(rng, 0, 5);
  e.second_stride = e.layout == Layout::arrays ? power_of_two(rng, 0, 5) : 0;
  e.memory_stress_percent = rng.percent(50) ? percent() : 0;
  e.pre_stress_percent = rng.percent(50) ? percent() : 0;
  e.stress_line_words = power_of_two(rng, 2, 10);
  e.stress_target_lines = number(rng, 1, 16);
  e.stress_spread = pick(rng, {StressSpread::word, StressSpread::line});
  e.memory_stress_iterations = power_of_two(rng, 4, 10);
  e.pre_stress_iterations = power_of_two(rng, 0, 7);
  e.strategy_balance_percent = pick(rng, {0, 100});
  e.memory_store_first_percent = percent();
  e.memory_store_second_percent = percent();
  e.pre_store_first_percent = percent();
  e.pre_store_second_percent = percent();
  e.testing_workgroups = 0;
  e.max_workgroups = 0;
  e.scratch_words = 0;
  // Keeping neighbours together is often best.
  e.permute_threads = pick(rng, {0, 1});
  e.permute_locations = pick(rng, {0, 1});
  e.access_gap = rng.percent(25) ? power_of_two(rng, 0, 9) : 0;
  e.pre_read_percent = pick(rng, {0, 0, 0, 50});
  return e;
}

}  // namespace weakspot::codegen
