// SPDX-License-Identifier: MIT
// One function per dialect: reads a single test. Internal to the module; the door is read_tests().
//
// The cursor stands just after the architecture word of the header. A mistake gives nullopt and is in the cursor's
// list; afterwards the cursor stands behind what was understood.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "litmus/test.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus {

std::optional<LitmusTest> read_canonical(Cursor& cursor);
std::optional<LitmusTest> read_ptx2015(Cursor& cursor);
std::optional<LitmusTest> read_ptx(Cursor& cursor);
std::optional<LitmusTest> read_vulkan(Cursor& cursor);
std::optional<LitmusTest> read_opencl(Cursor& cursor);
std::optional<LitmusTest> read_c11(Cursor& cursor);
std::optional<LitmusTest> read_aarch64(Cursor& cursor);
std::optional<LitmusTest> read_x86_64(Cursor& cursor);
std::optional<LitmusTest> read_riscv(Cursor& cursor);
// Reads a whole source: one object or an array of them.
base::Result<std::vector<LitmusTest>> read_json(const base::Source& source);

}  // namespace weakspot::litmus
