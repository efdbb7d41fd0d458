// SPDX-License-Identifier: MIT
// Text inside XML, HTML and SVG, and in commands for a shell. Names of tests, devices and files can hold anything.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::base {

// For content and for quoted attributes. Carriage returns are dropped; other characters that XML does not allow become
// '?'.
std::string escaped(std::string_view text);

// The text as one word for a POSIX shell: as it is if every character is harmless, else in single quotes.
std::string shell_word(std::string_view text);

}  // namespace weakspot::base
