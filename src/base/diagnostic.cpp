// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"

namespace weakspot::base {
namespace {

constexpr std::size_t kExcerptColumns = 96;
constexpr std::size_t kContextBefore = 60;

// The line as code points fit to be printed in one column each: tabs and control characters become a
// space, so that the caret stands under what it points at.
std::vector<std::string_view> printable_columns(std::string_view line, std::size_t limit) {
  std::vector<std::string_view> columns;
  std::size_t at = 0;
  while (at < line.size() && columns.size() < limit) {
    std::size_t length = 1;
    while (at + length < line.size() && (static_cast<unsigned char>(line[at + length]) & 0xC0) == 0x80) {
      ++length;
    }
    std::string_view column = line.substr(at, length);
    auto first = static_cast<unsigned char>(column[0]);
    if (first < 0x20 || first == 0x7F) column = " ";
    if (find_invalid_utf8(column) != std::string_view::npos) column = "?";
    columns.push_back(column);
    at += length;
  }
  return columns;
}

}  // namespace

Diagnostic error_at(const Source& source, Span span, std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = std::move(message);
  diagnostic.file = source.name();
  diagnostic.position = source.position(span.begin);

  std::size_t column = diagnostic.position.column - 1;
  std::size_t skipped = column > kContextBefore + 20 ? column - kContextBefore : 0;
  std::vector<std::string_view> columns = printable_columns(source.line_at(span.begin), skipped + kExcerptColumns + 1);
  bool cut = columns.size() > skipped + kExcerptColumns;
  if (skipped > 0) diagnostic.excerpt = "...";
  std::size_t last = std::min(columns.size(), skipped + kExcerptColumns);
  for (std::size_t i = skipped; i < last; ++i) diagnostic.excerpt += columns[i];
  if (cut) diagnostic.excerpt += "...";
  diagnostic.caret = column - skipped + (skipped > 0 ? 3 : 0);

  std::size_t span_columns = 0;
  for (char c : source.slice({span.begin, std::max(span.begin, span.end)})) {
    if (c == '\n') break;
    span_columns += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : 1;
    if (span_columns > kExcerptColumns) break;
  }
  std::size_t room = last > column ? last - column : 1;
  diagnostic.caret_length = std::clamp<std::size_t>(span_columns, 1, room);
  return diagnostic;
}

Diagnostic error_in(std::string file, std::string message, ErrorKind kind) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.file = std::move(file);
  diagnostic.position.line = 0;
  diagnostic.message = std::move(message);
  return diagnostic;
}

Diagnostic error(std::string message, ErrorKind kind) { return error_in("", std::move(message), kind); }

ErrorKind kind_of(const Diagnostics& diagnostics) {
  WEAKSPOT_CHECK(!diagnostics.empty());
  return diagnostics.front().kind;
}

Diagnostics of_kind(ErrorKind kind, Diagnostics diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) diagnostic.kind = kind;
  return diagnostics;
}

std::string render(const Diagnostic& diagnostic) {
  if (!diagnostic.located()) {
    if (diagnostic.file.empty()) return fmt::format("error: {}\n", diagnostic.message);
    return fmt::format("{}: error: {}\n", diagnostic.file, diagnostic.message);
  }
  return fmt::format("{}:{}:{}: error: {}\n {}\n {}^{}\n", diagnostic.file, diagnostic.position.line,
                     diagnostic.position.column, diagnostic.message, diagnostic.excerpt,
                     std::string(diagnostic.caret, ' '), std::string(diagnostic.caret_length - 1, '~'));
}

std::string render(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic);
  return text;
}

std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += (text.empty() ? "" : "; ") + diagnostic.message;
  return text;
}

}  // namespace weakspot::base
