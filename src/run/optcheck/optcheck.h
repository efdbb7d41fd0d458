// SPDX-License-Identifier: MIT
// Proof that the code a device runs is the test: every access of every thread is one machine instruction, in the same
// order, of the same kind, width, order and scope, no fence is missing or added, and dependencies are intact.
// docs/optcheck.md says how.
#pragma once

#include <span>
#include <vector>

#include "backend/machine_code.h"
#include "codegen/test_program.h"
#include "optcheck/verdict.h"

namespace weakspot::optcheck {

// `code` is what the device made of `program`.
struct CodeToCheck {
  const codegen::TestProgram* program = nullptr;
  const backend::MachineCode* code = nullptr;
};

// Checks codes, in their order. A disassembler takes as long for many as for one: ask for many at once.
std::vector<CodeCheck> check_codes(std::span<const CodeToCheck> codes);
CodeCheck check_code(const codegen::TestProgram& program, const backend::MachineCode& code);

}  // namespace weakspot::optcheck
