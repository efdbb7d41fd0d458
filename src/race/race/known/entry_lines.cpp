// SPDX-License-Identifier: MIT
#include "race/known/entry_lines.h"

#include <algorithm>

#include "base/source.h"

namespace weakspot::race {

std::vector<EntryLine> entry_lines(const base::Source& source) {
  static constexpr std::string_view kBlanks = " \t\r";
  std::vector<EntryLine> lines;
  const std::string_view text = source.text();
  unsigned number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const std::size_t begin = line.find_first_not_of(kBlanks);
    ++number;
    if (begin != std::string_view::npos && line[begin] != '#') {
      const std::string_view entry = line.substr(begin, line.find_last_not_of(kBlanks) - begin + 1);
      const auto first = static_cast<std::uint32_t>(at + begin);
      lines.push_back({entry, {first, first + static_cast<std::uint32_t>(entry.size())}, number});
    }
    at = end + 1;
  }
  return lines;
}

}  // namespace weakspot::race
