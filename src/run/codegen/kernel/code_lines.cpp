// SPDX-License-Identifier: MIT
#include "codegen/kernel/code_lines.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace weakspot::codegen {
namespace {

constexpr char kMark = '\x01';  // in no language of a device

std::optional<CodeLine> read_mark(std::string_view line) {
  CodeLine origin;
  const char* end = line.data() + line.size();
  const char* at = std::from_chars(line.data() + 1, end, origin.thread).ptr;
  if (at == end) return std::nullopt;
  std::from_chars(at + 1, end, origin.instruction);
  return origin;
}

}  // namespace

std::string origin_mark(const Origin& origin) {
  if (!origin.of) return fmt::format("{}\n", kMark);
  return fmt::format("{}{} {}\n", kMark, origin.of->thread, origin.of->number);
}

std::string without_marks(const std::string& marked, std::vector<CodeLine>* lines) {
  std::string text;
  text.reserve(marked.size());
  std::optional<CodeLine> now;
  std::uint32_t number = 1;
  for (std::size_t at = 0; at < marked.size();) {
    const std::size_t end = std::min(marked.find('\n', at), marked.size() - 1) + 1;
    const std::string_view line = std::string_view(marked).substr(at, end - at);
    at = end;
    if (line.front() == kMark) {
      now = read_mark(line.substr(0, line.size() - 1));
      continue;
    }
    text += line;
    if (now && lines != nullptr) lines->push_back({number, now->thread, now->instruction});
    ++number;
  }
  return text;
}

}  // namespace weakspot::codegen
