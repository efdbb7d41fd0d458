// SPDX-License-Identifier: MIT
#include "lsp/protocol/document_text.h"

#include <algorithm>

#include "base/printable.h"

namespace weakspot::lsp {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The units that a byte adds: the first byte of a character counts for all of it.
std::size_t units_of(char c, Encoding encoding) {
  if (encoding == Encoding::utf8) return 1;
  if (continues_character(c)) return 0;
  return encoding == Encoding::utf16 && static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
}

std::size_t character_end(std::string_view text, std::size_t at) {
  ++at;
  while (at < text.size() && continues_character(text[at])) ++at;
  return at;
}

}  // namespace

DocumentText::DocumentText(std::string text, Encoding encoding) : text_(std::move(text)), encoding_(encoding) {
  find_lines();
}

void DocumentText::find_lines() {
  lines_.assign(1, {});
  longest_slow_line_ = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const char c = text_[i];
    Line& current = lines_.back();
    if (static_cast<unsigned char>(c) >= 0x80) current.ascii = false;
    if (!current.ascii) longest_slow_line_ = std::max(longest_slow_line_, i + 1 - current.begin);
    const bool alone = c == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n');
    if (c == '\n' || alone) lines_.push_back({i + 1, true});
  }
}

std::string_view DocumentText::line(std::size_t number) const {
  const std::size_t begin = lines_[number].begin;
  std::size_t end = number + 1 < lines_.size() ? lines_[number + 1].begin : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::size_t DocumentText::offset(TextPosition position) const {
  if (position.line >= lines_.size()) return text_.size();
  const std::string_view text = line(position.line);
  if (lines_[position.line].ascii) return lines_[position.line].begin + std::min(position.character, text.size());
  std::size_t at = 0;
  std::size_t units = 0;
  while (at < text.size() && units < position.character) {
    const std::size_t end = character_end(text, at);
    const std::size_t wide = encoding_ == Encoding::utf8 ? end - at : units_of(text[at], encoding_);
    if (units + wide > position.character) break;
    units += wide;
    at = end;
  }
  return lines_[position.line].begin + at;
}

TextPosition DocumentText::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset,
                                     [](std::size_t at, const Line& one) { return at < one.begin; });
  const auto number = static_cast<std::size_t>(next - lines_.begin()) - 1;
  const std::string_view text = line(number);
  const std::string_view before = text.substr(0, std::min(offset - lines_[number].begin, text.size()));
  TextPosition position{number, lines_[number].ascii ? before.size() : 0};
  if (lines_[number].ascii) return position;
  for (char c : before) position.character += units_of(c, encoding_);
  return position;
}

TextRange DocumentText::range(base::Span span) const { return {position(span.begin), position(span.end)}; }

TextRange DocumentText::range(const base::Diagnostic& diagnostic) const {
  // Readers end lines at \n alone.
  std::size_t begin = 0;
  for (std::size_t left = diagnostic.position.line; left > 1; --left) {
    const std::size_t end = text_.find('\n', begin);
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  for (std::size_t column = 1; column < diagnostic.position.column && begin < text_.size(); ++column) {
    begin = character_end(text_, begin);
  }
  std::size_t end = begin;
  std::size_t columns = 0;
  while (end < text_.size() && text_[end] != '\n' && text_[end] != '\r' && columns < diagnostic.caret_length) {
    const std::size_t next = character_end(text_, end);
    const std::string_view character = std::string_view(text_).substr(end, next - end);
    columns += character == "\t" ? 1 : base::columns_of(base::printable_word(character));
    end = next;
  }
  return {position(begin), position(end)};
}

TextRange DocumentText::line_range(std::size_t number) const {
  number = std::min(number, lines_.size() - 1);
  return {position(lines_[number].begin), position(lines_[number].begin + line(number).size())};
}

void DocumentText::replace(TextRange range, std::string_view text) {
  const std::size_t begin = offset(range.begin);
  const std::size_t end = std::max(begin, offset(range.end));
  text_.replace(begin, end - begin, text);
  find_lines();
}

}  // namespace weakspot::lsp
