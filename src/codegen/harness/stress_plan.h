// What is drawn for each iteration of a run: the order of workgroups, which of them stress which words, and how.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "codegen/environment.h"

namespace weakspot::codegen {

struct PlanShape {
  std::uint32_t testing = 2;     // workgroups that test
  std::uint32_t workgroups = 2;  // in all
  std::uint32_t rows = 1;
};

// Rows as the plan buffer has them (layout.h).
std::vector<std::uint32_t> draw_plan(const TestEnvironment& environment, const PlanShape& shape, base::Rng& rng);

std::uint32_t scratch_words(const TestEnvironment& environment);

// `count` distinct lines of the scratch memory.
std::vector<std::uint32_t> draw_lines(std::uint32_t lines, std::uint32_t count, base::Rng& rng);

// Which of `targets` targets the k-th of `count` workgroups stresses: in turn, or in chunks of equal size. Every target
// has a workgroup if there are enough of them.
std::uint32_t target_of(std::uint32_t k, std::uint32_t count, std::uint32_t targets, bool in_turn);

// The scratch words that the drawn plan lets anyone touch, sorted: for checking that stress goes where it should.
// A set for all rows and workgroups that can act.
std::vector<std::uint32_t> touched_words(const TestEnvironment& environment, const PlanShape& shape,
                                         const std::vector<std::uint32_t>& plan, std::uint32_t workgroup_size);

}  // namespace weakspot::codegen
