// SPDX-License-Identifier: MIT
// Modules that the program loads while it runs, their kernels and variables. A kernel is registered with the runtime
// like one that was compiled into the program: its handle takes the place of the host's function.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "race_jit/driver/types.h"
#include "race_jit/host/host_device.h"

namespace weakspot::race_jit::driver {

struct Function {
  Module* module = nullptr;
  std::string name;
  bool has_code = false;  // false: machine code alone, which cannot be checked
  int dynamic_shared = 48 * 1024, carveout = -1, non_portable_clusters = 0;
};

struct Variable {
  void* address = nullptr;
  std::uint64_t size = 0;
};

struct Module {
  std::deque<Function> functions;  // their addresses are handles
  std::map<std::string, Variable> variables;
  bool machine_code = false;
  std::vector<std::string> named;  // kernels of machine code, if it says which it has

  // Null if it has no such kernel. Machine code that does not say what it has may have any.
  Function* find(const std::string& name);
};

struct Loaded {
  Module* module = nullptr;
  Result result = kSuccess;
  std::string problem;  // why there is none
};

// `name` is for messages and findings; empty: a name is made.
Loaded load_image(const void* image, const std::string& name);
Loaded load_text(const std::string& text, const std::string& name);
Loaded load_file(const std::string& path);
bool is_module(const Module* module);
void unload(Module* module);

// The function if the handle is of one that is loaded, else null.
Function* known(Function* function);

// The kernel of the runtime behind a function that has code.
const Kernel* kernel_of(const Function& function);

}  // namespace weakspot::race_jit::driver
