// SPDX-License-Identifier: MIT
// The device of a program that weakspot-nvcc built. The program runs by itself, as ever. At its first call of the
// runtime it starts a checker beside it (attach/serve_program.h), gives it the device code of all its objects, and
// shares the memory of the device with it.
//
// The checker is not a child that the program could meet: it is started by a process between. It ends when the program
// does, however that ends, and writes the report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "race_jit/host/host_device.h"
#include "race_jit/host/program_table.h"

namespace weakspot::race_jit {

// Starts the checker. If that fails, the program ends with a message: what it would launch cannot be checked.
HostDevice& device_of_built_program();

// Tells the checker of device code that was registered since it was told last, by libraries that were opened meanwhile.
// Does nothing in a program that weakspot-nvcc did not build.
void add_new_code();

// What a module brought that was loaded while the program runs.
struct AddedCode {
  struct Variable {
    std::uint64_t address = 0, size = 0;
  };
  std::string problem;                         // why there is none of it; empty if there is
  std::map<std::string, std::string> kernels;  // symbols of the device, by the names in the code
  std::map<std::string, Variable> variables;   // by the names in the code
};
// Tells the checker of the one code that was registered since it was told last.
AddedCode add_module_code();

// Has the checker compile a source; nothing if there is no checker that does.
std::optional<CompiledSource> compile_by_checker(const SourceToCompile& source);

}  // namespace weakspot::race_jit
