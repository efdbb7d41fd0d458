// SPDX-License-Identifier: MIT
// The random choices for each iteration of a run: the order of workgroups, which of them stress which words, and how.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "codegen/environment.h"
#include "codegen/planned_run.h"

namespace weakspot::codegen {

// The rows of the plan buffer (buffer_words.h).
std::vector<std::uint32_t> draw_plan(const TestEnvironment& environment, const PlanShape& shape, base::Rng& rng);

std::uint32_t scratch_words(const TestEnvironment& environment);

// `count` distinct lines of the scratch memory.
std::vector<std::uint32_t> draw_lines(std::uint32_t lines, std::uint32_t count, base::Rng& rng);

// The target, out of `targets`, of the k-th of `count` workgroups: in turn, or in chunks of equal size. Every target
// gets a workgroup if there are enough of them.
std::uint32_t target_of(std::uint32_t k, std::uint32_t count, std::uint32_t targets, bool in_turn);

// The scratch words that the plan lets any workgroup touch in any row, sorted: for checking that stress goes where it
// should.
std::vector<std::uint32_t> touched_words(const TestEnvironment& environment, const PlanShape& shape,
                                         const std::vector<std::uint32_t>& plan, std::uint32_t workgroup_size);

}  // namespace weakspot::codegen
