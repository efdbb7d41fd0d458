// SPDX-License-Identifier: MIT
#include "codegen/harness/stress_plan.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/check.h"
#include "codegen/buffer_words.h"

namespace weakspot::codegen {
namespace {

std::uint32_t draw_flags(const TestEnvironment& e, base::Rng& rng) {
  std::uint32_t flags = 0;
  auto flip = [&](int percent, PlanFlag flag) {
    if (rng.percent(percent)) flags |= flag;
  };
  flip(e.barrier_percent, kPlanBarrier);
  flip(e.memory_stress_percent, kPlanMemoryStress);
  flip(e.pre_stress_percent, kPlanPreStress);
  flip(e.memory_store_first_percent, kPlanMemoryFirst);
  flip(e.memory_store_second_percent, kPlanMemorySecond);
  flip(e.pre_store_first_percent, kPlanPreFirst);
  flip(e.pre_store_second_percent, kPlanPreSecond);
  return flags;
}

}  // namespace

std::uint32_t scratch_words(const TestEnvironment& environment) {
  if (environment.scratch_words != 0) return static_cast<std::uint32_t>(environment.scratch_words);
  return 32u * static_cast<std::uint32_t>(environment.stress_line_words) *
         static_cast<std::uint32_t>(environment.stress_target_lines);
}

std::vector<std::uint32_t> draw_lines(std::uint32_t lines, std::uint32_t count, base::Rng& rng) {
  WEAKSPOT_CHECK(count <= lines);
  std::vector<std::uint32_t> drawn;
  while (drawn.size() < count) {
    const auto line = static_cast<std::uint32_t>(rng.below(lines));
    if (std::find(drawn.begin(), drawn.end(), line) == drawn.end()) drawn.push_back(line);
  }
  return drawn;
}

std::uint32_t target_of(std::uint32_t k, std::uint32_t count, std::uint32_t targets, bool in_turn) {
  if (in_turn) return k % targets;
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(k) * targets / count);
}

std::vector<std::uint32_t> draw_plan(const TestEnvironment& e, const PlanShape& shape, base::Rng& rng) {
  const auto line_words = static_cast<std::uint32_t>(e.stress_line_words);
  const auto targets = static_cast<std::uint32_t>(e.stress_target_lines);
  std::vector<std::uint32_t> plan;
  plan.reserve(plan_row_words<std::size_t>(shape.workgroups) * shape.rows);
  std::vector<std::uint32_t> numbers(shape.workgroups);
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    plan.push_back(draw_flags(e, rng));
    plan.push_back(static_cast<std::uint32_t>(rng.between(shape.testing, shape.workgroups)));
    std::iota(numbers.begin(), numbers.end(), 0u);
    if (rng.percent(e.shuffle_percent)) rng.shuffle(numbers);
    plan.insert(plan.end(), numbers.begin(), numbers.end());

    std::vector<std::uint32_t> words = draw_lines(scratch_words(e) / line_words, targets, rng);
    for (std::uint32_t& word : words) word = word * line_words + static_cast<std::uint32_t>(rng.below(line_words));
    const bool in_turn = rng.percent(e.strategy_balance_percent);
    for (std::uint32_t w = 0; w < shape.workgroups; ++w) {
      plan.push_back(words[target_of(w, shape.workgroups, targets, in_turn)]);
    }
  }
  return plan;
}

std::vector<std::uint32_t> touched_words(const TestEnvironment& e, const PlanShape& shape,
                                         const std::vector<std::uint32_t>& plan, std::uint32_t workgroup_size) {
  const auto line_words = static_cast<std::uint32_t>(e.stress_line_words);
  std::set<std::uint32_t> touched;
  for (std::uint32_t row = 0; row < shape.rows; ++row) {
    const std::uint32_t* words = plan.data() + row * plan_row_words<std::size_t>(shape.workgroups);
    const std::uint32_t flags = words[kPlanFlags];
    for (std::uint32_t w = 0; w < shape.workgroups; ++w) {
      const bool acts = w < shape.testing ? (flags & kPlanPreStress) != 0 && e.pre_stress_iterations != 0
                                          : (flags & kPlanMemoryStress) != 0 && w < words[kPlanActive] &&
                                                e.memory_stress_iterations != 0;
      if (!acts) continue;
      const std::uint32_t word = words[stress_target_at(0u, shape.workgroups, w)];
      if (e.stress_spread == StressSpread::word) {
        touched.insert(word);
        continue;
      }
      for (std::uint32_t l = 0; l < workgroup_size; ++l) touched.insert(word_in_line(word, l, line_words));
    }
  }
  return {touched.begin(), touched.end()};
}

}  // namespace weakspot::codegen
