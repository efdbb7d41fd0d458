// SPDX-License-Identifier: MIT
#include "prove/repair/source_edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sort.h"

namespace weakspot::prove {
namespace {

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

struct DiffLine {
  char sign = ' ';
  std::string_view line;
};

// Lines that both have, in order, as many as possible: the table counts them from each pair of lines to the end.
std::vector<DiffLine> diff_lines(const std::vector<std::string_view>& before,
                                 const std::vector<std::string_view>& after) {
  std::size_t front = 0, back = 0;
  const std::size_t least = std::min(before.size(), after.size());
  while (front < least && before[front] == after[front]) ++front;
  while (back < least - front && before[before.size() - 1 - back] == after[after.size() - 1 - back]) ++back;
  const std::size_t rows = before.size() - front - back, columns = after.size() - front - back;
  std::vector<std::vector<std::size_t>> common(rows + 1, std::vector<std::size_t>(columns + 1));
  for (std::size_t i = rows; i-- > 0;) {
    for (std::size_t k = columns; k-- > 0;) {
      common[i][k] = before[front + i] == after[front + k] ? common[i + 1][k + 1] + 1
                                                           : std::max(common[i + 1][k], common[i][k + 1]);
    }
  }
  std::vector<DiffLine> lines;
  for (std::size_t i = 0; i < front; ++i) lines.push_back({' ', before[i]});
  std::size_t i = 0, k = 0;
  while (i < rows || k < columns) {
    if (i < rows && k < columns && before[front + i] == after[front + k]) {
      lines.push_back({' ', before[front + i++]});
      ++k;
    } else if (i < rows && (k == columns || common[i + 1][k] >= common[i][k + 1])) {
      lines.push_back({'-', before[front + i++]});
    } else {
      lines.push_back({'+', after[front + k++]});
    }
  }
  for (i = before.size() - back; i < before.size(); ++i) lines.push_back({' ', before[i]});
  return lines;
}

}  // namespace

std::string edited(std::string_view text, std::vector<TextEdit> edits) {
  base::sort(edits, [](const TextEdit& a, const TextEdit& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::string made;
  std::size_t at = 0;
  for (const TextEdit& edit : edits) {
    made += text.substr(at, edit.begin - at);
    made += edit.with;
    at = std::max(at, edit.end);
  }
  return made += text.substr(at);
}

std::size_t offset_of(std::string_view text, unsigned line, unsigned column) {
  std::size_t at = 0;
  for (unsigned i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    at = end + 1;
  }
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return column == 0 ? at : std::min(at + column - 1, end);
}

unsigned line_of(std::string_view text, std::size_t offset) {
  return 1 + static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

namespace {

std::size_t line_begin(std::string_view text, std::size_t offset) {
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

}  // namespace

std::string indent_at(std::string_view text, std::size_t offset) {
  const std::size_t begin = line_begin(text, offset);
  const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

bool begins_line(std::string_view text, std::size_t offset) {
  return line_begin(text, offset) + indent_at(text, offset).size() == offset;
}

std::string unified_diff(const std::string& file, std::string_view before, std::string_view after) {
  constexpr std::size_t kAround = 3;
  const std::vector<DiffLine> lines = diff_lines(lines_in(before), lines_in(after));
  std::string text;
  std::size_t old_line = 1, new_line = 1;  // of lines[at]
  auto differs = [](const DiffLine& one) { return one.sign != ' '; };
  for (std::size_t at = 0; at < lines.size();) {
    const auto first = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.end(), differs);
    if (first == lines.end()) break;
    const auto change = static_cast<std::size_t>(first - lines.begin());
    const std::size_t begin = std::max(at, change - std::min(change, kAround));
    std::size_t end = change, same = 0;  // ends behind so many equal lines that no context is shared
    while (end < lines.size() && same <= 2 * kAround) same = differs(lines[end++]) ? 0 : same + 1;
    end -= same > kAround ? same - kAround : 0;
    old_line += begin - at;
    new_line += begin - at;
    std::size_t old_count = 0, new_count = 0;
    std::string hunk;
    for (std::size_t i = begin; i < end; ++i) {
      old_count += lines[i].sign != '+' ? 1 : 0;
      new_count += lines[i].sign != '-' ? 1 : 0;
      hunk += lines[i].sign;
      hunk += lines[i].line;
      if (!lines[i].line.ends_with('\n')) hunk += "\n\\ No newline at end of file\n";
    }
    text += fmt::format("@@ -{},{} +{},{} @@\n{}", old_count == 0 ? old_line - 1 : old_line, old_count,
                        new_count == 0 ? new_line - 1 : new_line, new_count, hunk);
    old_line += old_count;
    new_line += new_count;
    at = end;
  }
  return text.empty() ? text : fmt::format("--- {}\n+++ {}\n{}", file, file, text);
}

}  // namespace weakspot::prove
