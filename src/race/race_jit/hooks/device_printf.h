// SPDX-License-Identifier: MIT
// printf of a kernel: clang packs the arguments one after the other, each at a multiple of its size.
#pragma once

#include <string>

namespace weakspot::race_jit {

std::string format_device_printf(const char* format, const void* arguments);

}  // namespace weakspot::race_jit
