// SPDX-License-Identifier: MIT
// PoCL compiles a kernel, and functions that have it inlined: the one that runs a workgroup has no lines. But its
// accesses are those of the kernel, one after the other, and so are their lines.
#pragma once

#include <string_view>

#include "base/result.h"
#include "optcheck/host/object_code.h"

namespace weakspot::optcheck {

// The function that PoCL calls for a workgroup, with lines. Fails if it has none and does not do what the kernel does.
base::Result<ObjectFunction> function_with_lines(const ObjectCode& object, std::string_view kernel);

}  // namespace weakspot::optcheck
