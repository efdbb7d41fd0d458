// SPDX-License-Identifier: MIT
// Dependencies as CPUs know them: an access whose address or value is computed from what was loaded before, or that
// follows a branch on it, comes after the load.
#pragma once

#include <string_view>
#include <vector>

#include "litmus/value.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::questions {

// The pairs of accesses that a fence of a CPU, or a dependency, keeps in order.
using Kept = std::uint8_t;
inline constexpr Kept kReadRead = 1, kReadWrite = 2, kWriteRead = 4, kWriteWrite = 8;

struct Dependency {
  enum class Kind : std::uint8_t { data, address, control, control_fence };  // the last: a branch and ISB
  Kind kind = Kind::data;
  std::uint32_t load = 0;  // the instruction that loads, in the thread of the access
  friend bool operator==(const Dependency&, const Dependency&) = default;
};

std::string_view to_string(Dependency::Kind kind);  // data address control control-isb

// Dependencies that can be put between a load and the access, in groups: of two in one group, the later one orders all
// that the earlier one does. Empty unless the dialect has machine instructions that spell them.
std::vector<std::vector<Dependency>> possible_dependencies(const litmus::LitmusTest& test, litmus::ThreadId thread,
                                                           std::uint32_t access);

// Puts it into the test: instructions are inserted before the access. The access keeps its location and its value.
// Returns how many were inserted.
std::uint32_t add_dependency(litmus::LitmusTest& test, litmus::ThreadId thread, std::uint32_t access,
                             const Dependency& dependency);

}  // namespace weakspot::questions
