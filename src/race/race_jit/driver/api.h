// SPDX-License-Identifier: MIT
// The functions of the driver's interface are found by name; calling these keeps the linker from leaving them out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "race_jit/driver/types.h"
#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit::driver {

void use_module_api();
void use_launch_api();
void use_memory_api();
void use_device_api();
void use_stream_api();
void use_graph_api();
void use_linker_api();
void use_entry_api();
void use_nvrtc_api();

// The offset of each argument in a buffer that holds all of them.
std::vector<std::size_t> parameter_offsets(const Kernel& kernel);

// The context of this thread; null if there is none.
void current_context(Context* context);

// A call of the driver that fails because it is not modelled: names it once in the report.
Result not_modelled(const char* name);

}  // namespace weakspot::race_jit::driver
