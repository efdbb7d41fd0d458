// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace weakspot::race_jit {

// The symbols of kernels and variables in a module that was compiled with these instances (compile_device()), by the
// expressions that name them. What the module does not have is left out.
std::map<std::string, std::string> symbols_of(const std::string& bitcode, const std::vector<std::string>& expressions);

}  // namespace weakspot::race_jit
