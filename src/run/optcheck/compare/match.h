// SPDX-License-Identifier: MIT
// Compares what a thread must do with what its code does, one by one and in order.
#pragma once

#include <optional>
#include <string>

#include "litmus/test.h"
#include "optcheck/compare/event.h"

namespace weakspot::optcheck {

// The first difference.
struct Difference {
  std::string what;                        // "the code has another order: relaxed, expected acquire"
  std::optional<std::size_t> instruction;  // number in the thread
  std::string code;                        // the machine instruction, if there is one
  std::uint64_t at = 0;
};

std::optional<Difference> compare(const litmus::LitmusTest& test, const ExpectedThread& expected,
                                  const MachineThread& machine);

}  // namespace weakspot::optcheck
