// SPDX-License-Identifier: MIT
// The part of a kernel's PTX that is one thread of the test, read back from the text: between the comments "role N" and
// "end of role N" that the code generator writes. A comment before it says which registers hold which addresses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "optcheck/compare/event.h"

namespace weakspot::optcheck {

struct PtxRole {
  MachineThread thread;       // an event per instruction; `at` is its line
  std::vector<bool> in_loop;  // by event
  bool branches = false;
  std::size_t first_line = 0;  // first line of the role, from 1
  std::size_t last_line = 0;
};

base::Result<PtxRole> read_ptx_role(std::string_view text, const litmus::LitmusTest& test, std::size_t thread);

// The events that the thread must have in PTX.
ExpectedThread expect_ptx(const litmus::LitmusTest& test, std::size_t thread);

}  // namespace weakspot::optcheck
