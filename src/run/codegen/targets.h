// SPDX-License-Identifier: MIT
// The targets of code generation, by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/device_program.h"

namespace weakspot::codegen {

std::string_view to_string(Target target);  // ptx spirv opencl wgsl cpu ptx+cpu
std::optional<Target> target_named(std::string_view name);
std::string target_names();  // "ptx, spirv, ... or cpu"
std::vector<std::string> target_words();

}  // namespace weakspot::codegen
