// SPDX-License-Identifier: MIT
// Highlighting: what each part of a text is, in the protocol's encoding.
#pragma once

#include <cstdint>
#include <vector>

#include "base/span.h"
#include "lsp/protocol/document_text.h"
#include "lsp/protocol/protocol.h"

namespace weakspot::lsp {

// In the order of the legend.
enum class TokenType : std::uint8_t {
  keyword,
  class_,
  variable,
  parameter,
  function,
  modifier,
  comment,
  string,
  number,
  enum_member,
  type,
  property
};
inline constexpr unsigned kDeclaration = 1, kDefaultLibrary = 2;

Json token_legend();

// Takes tokens in the order of the text. Those of several lines are cut at line ends.
class TokenEncoder {
 public:
  explicit TokenEncoder(const DocumentText& text) : text_(text) {}

  void add(base::Span span, TokenType type, unsigned modifiers = 0);
  // {"data": [...]}
  Json finish();

 private:
  void add_line(TextPosition begin, std::size_t length, TokenType type, unsigned modifiers);

  const DocumentText& text_;
  TextPosition last_;
  std::vector<Json> data_;
};

}  // namespace weakspot::lsp
