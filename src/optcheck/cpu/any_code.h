// SPDX-License-Identifier: MIT
// Code that a compiler made: every instruction has its length and its kind, also those that the readers of our own code
// do not know. For those it says as much as can be relied on: whether memory may be accessed, where control goes, and
// registers that may be read and written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "optcheck/cpu/decoded.h"

namespace weakspot::optcheck {

struct AnyInstruction {
  CpuDecoded code;
  bool exact = true;                  // false: the step names registers that may be read or written, perhaps too many
  bool memory = false;                // accesses memory in a way that `code.event` does not describe
  bool vector = false;                // uses registers that steps do not have
  bool moves_base = false;            // the register of the address is counted on
  std::optional<std::uint64_t> call;  // the first byte of a function, perhaps outside the code
  bool leaves = false;                // jumps to, or calls, what a register says
};

// The instructions of a part of the code; their places are counted from its beginning, not that of the part.
using AnyCode = base::Result<std::vector<AnyInstruction>>;
AnyCode read_any_aarch64(std::span<const std::uint8_t> code, std::uint64_t begin, std::uint64_t end);
AnyCode read_any_x86_64(std::span<const std::uint8_t> code, std::uint64_t begin, std::uint64_t end);

}  // namespace weakspot::optcheck
