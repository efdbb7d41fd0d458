// SPDX-License-Identifier: MIT
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/printable.h"
#include "base/source.h"
#include "base/wording.h"

namespace weakspot::base {
namespace {

constexpr std::size_t kExcerptColumns = 96;
constexpr std::size_t kContextBefore = 60;
constexpr std::size_t kMostBefore = 80;
constexpr std::string_view kCut = "...";

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// A character of a quoted line as it is shown, and the columns that it takes. A tab becomes one blank, so that the
// caret stands under what it points at wherever the line begins.
struct Cell {
  std::string text;
  std::size_t columns;
};

Cell cell_of(std::string_view character) {
  std::string text = character == "\t" ? " " : printable_word(character);
  const std::size_t columns = columns_of(text);
  return {std::move(text), columns};
}

// Takes the first or the last character off.
Cell take_first(std::string_view& line) {
  std::size_t length = 1;
  while (length < line.size() && continues(line[length])) ++length;
  const Cell cell = cell_of(line.substr(0, length));
  line.remove_prefix(length);
  return cell;
}

Cell take_last(std::string_view& line) {
  std::size_t begin = line.size() - 1;
  while (begin > 0 && continues(line[begin])) --begin;
  const Cell cell = cell_of(line.substr(begin));
  line.remove_suffix(line.size() - begin);
  return cell;
}

// Puts what stands before the caret into the excerpt: all of it, or the end of a long beginning. Returns its columns.
std::size_t quote_before(std::string_view before, std::string& excerpt) {
  std::vector<Cell> cells;  // the last one first
  std::size_t columns = 0;
  while (!before.empty() && columns <= kMostBefore) {
    cells.push_back(take_last(before));
    columns += cells.back().columns;
  }
  if (columns > kMostBefore) {
    excerpt = kCut;
    for (; columns > kContextBefore; cells.pop_back()) columns -= cells.back().columns;
  }
  for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) excerpt += cell->text;
  return columns;
}

}  // namespace

Diagnostic error_at(const Source& source, Span span, std::string message) {
  Diagnostic diagnostic;
  diagnostic.message = worded(std::move(message));
  diagnostic.file = source.name();
  diagnostic.position = source.position(span.begin);

  const std::string_view line = source.line_at(span.begin);
  const std::size_t offset = std::min(source.text().size(), std::size_t{span.begin});
  const auto line_begin = static_cast<std::size_t>(line.data() - source.text().data());
  const std::size_t at = std::min(offset - line_begin, line.size());
  std::size_t columns = quote_before(line.substr(0, at), diagnostic.excerpt);
  diagnostic.caret = columns_of(diagnostic.excerpt);

  std::string_view rest = line.substr(at);
  const std::size_t marked = span.end > span.begin ? std::min<std::size_t>(span.end - span.begin, rest.size()) : 0;
  const char* const marked_end = rest.data() + marked;
  diagnostic.caret_length = 0;
  while (!rest.empty() && columns < kExcerptColumns) {
    const bool is_marked = rest.data() < marked_end;
    const Cell cell = take_first(rest);
    diagnostic.excerpt += cell.text;
    columns += cell.columns;
    if (is_marked) diagnostic.caret_length += cell.columns;
  }
  if (!rest.empty()) diagnostic.excerpt += kCut;
  diagnostic.caret_length = std::max<std::size_t>(diagnostic.caret_length, 1);
  return diagnostic;
}

Diagnostic error_in(std::string file, std::string message, ErrorKind kind) {
  Diagnostic diagnostic;
  diagnostic.kind = kind;
  diagnostic.file = std::move(file);
  diagnostic.position.line = 0;
  diagnostic.message = worded(std::move(message));
  return diagnostic;
}

Diagnostic error(std::string message, ErrorKind kind) { return error_in("", std::move(message), kind); }

Diagnostic error(Refusal refusal) {
  const bool writing = refusal.of == Refusal::Of::writing;
  const std::string_view link = writing ? " " : refusal.with.empty() ? ": cannot run: " : ": ";
  Diagnostic diagnostic = error(fmt::format("{}{}{}", refusal.test, link, without_test(refusal)));
  refusal.reason = worded(std::move(refusal.reason));
  diagnostic.refusal = std::move(refusal);
  return diagnostic;
}

std::string without_test(const Refusal& refusal) {
  if (refusal.with.empty()) return refusal.reason;
  const std::string_view verb = refusal.of == Refusal::Of::writing ? "be written as" : "run with";
  return fmt::format("cannot {} {}: {}", verb, refusal.with, refusal.reason);
}

ErrorKind kind_of(const Diagnostics& diagnostics) {
  WEAKSPOT_CHECK(!diagnostics.empty());
  return diagnostics.front().kind;
}

Diagnostics of_kind(ErrorKind kind, Diagnostics diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) diagnostic.kind = kind;
  return diagnostics;
}

std::string render(const Diagnostic& diagnostic, const DiagnosticStyle& style) {
  std::string place = printable_word(diagnostic.file);
  if (diagnostic.located()) place += fmt::format(":{}:{}", diagnostic.position.line, diagnostic.position.column);
  if (!place.empty()) place += ": ";
  std::string text = fmt::format("{}{}error:{} {}\n", place, style.error, style.end, printable(diagnostic.message));
  if (!diagnostic.located()) return text;
  return text + fmt::format(" {}\n {}{}^{}{}\n", printable(diagnostic.excerpt), std::string(diagnostic.caret, ' '),
                            style.caret, std::string(diagnostic.caret_length - 1, '~'), style.end);
}

std::string render(const Diagnostics& diagnostics, const DiagnosticStyle& style) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic, style);
  return text;
}

std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += (text.empty() ? "" : "; ") + diagnostic.message;
  return text;
}

}  // namespace weakspot::base
