// SPDX-License-Identifier: MIT
#include "lsp/protocol/semantic_tokens.h"

#include <algorithm>
#include <string>

namespace weakspot::lsp {

Json token_legend() {
  const std::vector<std::string> types = {"keyword", "class",  "variable", "parameter",  "function", "modifier",
                                          "comment", "string", "number",   "enumMember", "type",     "property"};
  const std::vector<std::string> modifiers = {"declaration", "defaultLibrary"};
  return base::json_object({{"tokenTypes", types}, {"tokenModifiers", modifiers}});
}

void TokenEncoder::add(base::Span span, TokenType type, unsigned modifiers) {
  const TextRange range = text_.range(span);
  if (range.begin.line == range.end.line) {
    return add_line(range.begin, range.end.character - range.begin.character, type, modifiers);
  }
  for (std::size_t line = range.begin.line; line <= range.end.line; ++line) {
    TextRange part = text_.line_range(line);
    if (line == range.begin.line) part.begin = range.begin;
    if (line == range.end.line) part.end = range.end;
    add_line(part.begin, part.end.character - part.begin.character, type, modifiers);
  }
}

void TokenEncoder::add_line(TextPosition begin, std::size_t length, TokenType type, unsigned modifiers) {
  if (length == 0) return;
  const std::size_t lines = begin.line - last_.line;
  data_.emplace_back(lines);
  data_.emplace_back(lines == 0 ? begin.character - last_.character : begin.character);
  data_.emplace_back(length);
  data_.emplace_back(static_cast<unsigned>(type));
  data_.emplace_back(modifiers);
  last_ = begin;
}

Json TokenEncoder::finish() { return base::json_object({{"data", Json(std::move(data_))}}); }

}  // namespace weakspot::lsp
