// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace weakspot::serve {

// A cell that a spreadsheet takes as text, whatever it begins with.
std::string csv_cell(std::string_view text);

}  // namespace weakspot::serve
