// SPDX-License-Identifier: MIT
// Text of others (files, drivers, programs) made fit to be shown: whatever a terminal would obey instead of showing is
// written out. Names of tests and devices, doc strings, quoted lines and paths can hold anything.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weakspot::base {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 1;  // in bytes
  bool valid = true;

  // True for characters that a terminal would obey or hide, or that change the direction of writing; also for line
  // breaks and tabs.
  bool is_control() const;
};
// The first code point of a non-empty text; a byte that does not begin one is taken alone.
CodePoint first_code_point(std::string_view text);

// The same text, with control characters (C0, DEL and C1), bytes that are not UTF-8, and characters that are invisible
// or change the direction of writing as \xNN or \u{NNNN}. Line breaks and tabs stay. Applied twice, it changes nothing.
std::string printable(std::string_view text);
// The same for a text that stands within a line: line breaks and tabs are written out as well.
std::string printable_word(std::string_view text);
// Whether printable() would change nothing.
bool is_printable(std::string_view text);

// The columns that a printable text without line breaks takes on a terminal; a tab counts as one.
std::size_t columns_of(std::string_view text);
// Blanks as wide as this printable text; tabs stay tabs.
std::string blanks_under(std::string_view text);

}  // namespace weakspot::base
