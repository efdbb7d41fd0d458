// SPDX-License-Identifier: MIT
// SPIR-V is cells of the canonical form already: only its results are looked for.
#include "compile/read/thread_text.h"

namespace weakspot::compile {

ThreadText read_spirv(const MachineFunction& function) {
  constexpr std::string_view kMove = "mov ";
  constexpr std::string_view kRegister = "result_";
  ThreadText text;
  text.cells = function.lines;
  text.error = function.misread;
  for (const std::string& line : function.lines) {
    if (!line.starts_with(kMove) || !line.substr(kMove.size()).starts_with(kRegister)) continue;
    const std::string reg = line.substr(kMove.size(), line.find(',') - kMove.size());
    text.results[reg.substr(kRegister.size())] = reg;
  }
  return text;
}

}  // namespace weakspot::compile
