// SPDX-License-Identifier: MIT
// Launches that kernels make. They are collected while a launch runs and run after it, in the order in which they were
// made: by then everything that they may read is there. Whether the parent goes on beside them is not checked.
#pragma once

#include <string>
#include <vector>

#include "race/entry.h"
#include "race/request.h"
#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

struct ChildLaunch {
  std::string kernel;  // its symbol
  race::LaunchShape shape;
  std::vector<std::string> arguments;  // their bytes
};

std::vector<HookSymbol> child_hook_symbols();

}  // namespace weakspot::race_jit
