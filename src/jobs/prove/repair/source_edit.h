// SPDX-License-Identifier: MIT
// Changes of a text, and how they are shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weakspot::prove {

// `with` takes the place of the bytes from `begin` to `end`.
struct TextEdit {
  std::size_t begin = 0, end = 0;
  std::string with;
};

// The edits do not overlap; those at the same place are made in their order.
std::string edited(std::string_view text, std::vector<TextEdit> edits);

// The offset of a place that is counted from 1 in lines and bytes; the end of the text if it is behind that.
std::size_t offset_of(std::string_view text, unsigned line, unsigned column);
unsigned line_of(std::string_view text, std::size_t offset);
// The white space that the line of the offset begins with.
std::string indent_at(std::string_view text, std::size_t offset);
// Nothing but white space stands before it in its line.
bool begins_line(std::string_view text, std::size_t offset);

// A patch that 'patch -p0' takes; empty if nothing differs. The file is named as given.
std::string unified_diff(const std::string& file, std::string_view before, std::string_view after);

}  // namespace weakspot::prove
