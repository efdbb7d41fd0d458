// SPDX-License-Identifier: MIT
// The reader of PTX modules: any text may be refused, with a place; names of a module that is read are resolved.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "race/ptx_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weakspot;
  std::string text(reinterpret_cast<const char*>(data), size);
  if (!text.starts_with(".version")) text.insert(0, ".version 8.7\n.target sm_90\n");
  const base::Result<race::ptx::Module> module = race::ptx::read_module(base::Source("input", text));
  if (!module) {
    if (base::render(module.errors()).empty()) std::abort();
    return 0;
  }
  for (const race::ptx::Function& function : module->functions) {
    for (const race::ptx::Instruction& instruction : function.body) {
      if (instruction.opcode.empty() || instruction.span.end > text.size()) std::abort();
      const std::size_t at = instruction.location;
      if (at != race::ptx::kNone && at >= module->locations.size()) std::abort();
      for (const race::ptx::Operand& operand : instruction.operands) {
        if (operand.reg != race::ptx::kNone && operand.reg >= function.registers.size()) std::abort();
      }
    }
    for (const auto& [label, index] : function.labels) {
      if (index > function.body.size()) std::abort();
    }
  }
  return 0;
}
