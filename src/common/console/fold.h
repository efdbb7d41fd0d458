// SPDX-License-Identifier: MIT
// Long lines of results, folded at the width of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weakspot::console {

// Lines that are wider go on below, indented (to the second column of a row of fields), so that the word at the
// beginning of a line is always that of a result. A line is broken between its fields, which two blanks separate, else
// between words, and a list of key=value,... behind a comma. Longer words, and quoted source lines ("  12 | code"),
// stay whole.
std::string folded(std::string_view text, std::size_t width);

// A line that ends in "..." where it would be wider.
std::string shortened(std::string_view line, std::size_t width);

// Each line cut at this width, for displays that are drawn over. Escape sequences of colours take no width.
std::string clipped(std::string_view text, std::size_t width);

}  // namespace weakspot::console
