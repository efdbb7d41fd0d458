// SPDX-License-Identifier: MIT
// NVIDIA's machine code against the PTX that it was made of, and the PTX against the test.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "litmus/test.h"
#include "optcheck/gpu/line_table.h"
#include "optcheck/gpu/sass.h"
#include "optcheck/verdict.h"

namespace weakspot::optcheck {

struct SassCode {
  std::string_view ptx;
  const SassListing* listing = nullptr;
  const std::vector<LineRow>* lines = nullptr;
};

CodeCheck check_sass(const litmus::LitmusTest& test, const SassCode& code);

}  // namespace weakspot::optcheck
