// SPDX-License-Identifier: MIT
// The part of a kernel's OpenCL C that is one thread of the test, read back from the text: between the comments "role
// N" and "end of role N" that the code generator writes. A comment before it says which variables hold which addresses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "optcheck/event.h"

namespace weakspot::optcheck {

struct OpenclRole {
  MachineThread thread;  // an event per statement; `at` is its line, from 1
  bool branches = false;
};

// Fails where a statement is not known, or an address cannot be told from the text.
base::Result<OpenclRole> read_opencl_role(std::string_view text, std::string_view kernel,
                                          const litmus::LitmusTest& test, std::size_t thread);

// What the thread must be in OpenCL C. The qualifiers of an access are its order and its scope.
ExpectedThread expect_opencl(const litmus::LitmusTest& test, std::size_t thread);

}  // namespace weakspot::optcheck
