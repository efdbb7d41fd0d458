// SPDX-License-Identifier: MIT
// Links the device code of a program's objects to one module.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace weakspot::race_jit {

// One object's device code.
struct CodeToLink {
  bool relocatable = false;  // its symbols and those of other such code are the same
  std::string source;
  std::string bitcode;
};

struct LinkedCode {
  std::string bitcode;
  // For each code, its symbols that have another name now: code that is not relocatable may use any name for itself.
  std::vector<std::map<std::string, std::string>> renamed;
};

// Takes from `libraries` only what is referred to. Kernels and variables get names that are not `taken`, by code that
// was linked before.
base::Result<LinkedCode> link_code(const std::vector<CodeToLink>& codes, const std::vector<CodeToLink>& libraries,
                                   const std::set<std::string>& taken = {});

}  // namespace weakspot::race_jit
