// SPDX-License-Identifier: MIT
// The text of compiled functions, as assemblers take it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/test.h"

namespace weakspot::compile {

enum class Machine : std::uint8_t { aarch64, x86_64, ptx };

std::string_view to_string(Machine machine);  // AArch64 x86-64 PTX
litmus::Arch arch_of(Machine machine);

struct MachineFunction {
  Machine machine = Machine::aarch64;
  // Instructions and labels ("name:") in order, without comments, directives and blank lines; blanks in a line are
  // single.
  std::vector<std::string> lines;
  std::string error;  // why there is no code; empty if there is
};

// Which machine an assembler's text is for; none if it looks like no machine's.
std::optional<Machine> machine_of(std::string_view text);

// The function of this name; none if the text does not have it.
std::optional<MachineFunction> find_function(std::string_view text, Machine machine, std::string_view name);

}  // namespace weakspot::compile
