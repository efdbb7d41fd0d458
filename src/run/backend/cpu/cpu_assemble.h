// SPDX-License-Identifier: MIT
// Machine code from instructions: only cpu_assemble*.cpp use the assembler library.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_program.h"

namespace weakspot::backend {

// The bytes, for either instruction set on any machine.
base::Result<std::vector<std::uint8_t>> assemble(codegen::CpuIsa isa, const codegen::CpuCode& code);

// Functions in executable memory; they live as long as this object.
class CpuFunctions {
 public:
  // `codes` are for the machine this runs on.
  static base::Result<std::unique_ptr<CpuFunctions>> make(const std::vector<const codegen::CpuCode*>& codes);
  virtual ~CpuFunctions() = default;
  virtual codegen::CpuFunction at(std::size_t i) const = 0;
  // The machine code of a function, as it lies in memory.
  virtual std::vector<std::uint8_t> bytes(std::size_t i) const = 0;
};

}  // namespace weakspot::backend
