// SPDX-License-Identifier: MIT
// A function of a SPIR-V module as a thread of a test in the canonical form.
//
// Pointers are followed to the variable that they lead to; variables of the function are registers; each value is a
// register of its own, written once. A value that comes over different branches (OpPhi) is moved at the end of each.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/machine_code.h"
#include "compile/spirv/module.h"

namespace weakspot::compile::spirv {

// The lines are cells; a result is moved to the register "result_NAME".
MachineFunction read_function(const Module& module, const std::vector<Instruction>& code,
                              const std::map<std::uint32_t, std::string>& symbols);

}  // namespace weakspot::compile::spirv
