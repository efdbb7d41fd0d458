// SPDX-License-Identifier: MIT
// The text of compiled functions: as assemblers take it, or for SPIR-V, which is binary, as it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::compile {

// SPIR-V has two machines, by the memory model that a module declares; GLSL's is read as Vulkan's.
enum class Machine : std::uint8_t { aarch64, x86_64, ptx, spirv_opencl, spirv_vulkan };

std::string_view to_string(Machine machine);  // AArch64 x86-64 PTX, SPIR-V (OpenCL), SPIR-V (Vulkan)
bool is_spirv(Machine machine);

struct MachineFunction {
  Machine machine = Machine::aarch64;
  // Instructions and labels ("name:") in order, without comments, directives and blank lines; blanks in a line are
  // single. For SPIR-V, the cells of a test in the canonical form.
  std::vector<std::string> lines;
  std::string error;    // why there is no code; empty if there is
  std::string misread;  // SPIR-V: what is not understood; empty if all is
};

// The machine of an assembler's text, never SPIR-V; none if the text looks like no machine's.
std::optional<Machine> machine_of(std::string_view text);

// The function of this name; none if the text does not have it.
std::optional<MachineFunction> find_function(std::string_view text, Machine machine, std::string_view name);

}  // namespace weakspot::compile
