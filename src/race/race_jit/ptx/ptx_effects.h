// SPDX-License-Identifier: MIT
// The loss to a run if an instruction of PTX is left out of it. lower_ptx.cpp gives most instructions their meaning;
// the table here tells what follows where it cannot, so that a report never passes over it in silence. An instruction
// that the table does not have may do anything. docs/race.md has the same in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "race/not_modelled.h"

namespace weakspot::race_jit {

// By the words of the name, {"cp", "async", "bulk", "commit_group"}.
race::Effect ptx_effect(const std::vector<std::string>& opcode);

// Whether the instruction does nothing but compute its result from its operands, in this thread alone.
bool ptx_only_computes(const std::vector<std::string>& opcode);

// The gravest effect among the instructions of inline assembly, also of a text that cannot be parsed.
race::Effect inline_ptx_effect(std::string_view text);

// The effect of LLVM's intrinsic "llvm.nvvm....", by the instruction that it stands for.
race::Effect nvvm_effect(std::string_view name);

}  // namespace weakspot::race_jit
