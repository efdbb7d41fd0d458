// SPDX-License-Identifier: MIT
// The functions of SPIR-V modules as threads of tests in the canonical form.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/machine_code.h"

namespace weakspot::compile {

bool is_spirv(std::string_view bytes);

// By name. `bindings` has the symbol of each binding of a WGSL file; where variables have names, as in the modules of
// OpenCL C, those count. Fails if the bytes are not whole modules.
base::Result<std::map<std::string, MachineFunction>> spirv_functions(std::string_view bytes,
                                                                     const std::vector<std::string>& bindings);

}  // namespace weakspot::compile
