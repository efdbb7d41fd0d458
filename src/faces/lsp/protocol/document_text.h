// SPDX-License-Identifier: MIT
// The text of a document and places in it as the protocol counts them: lines from 0, and within a line the units that
// client and server agreed on. Lines end in \n, \r\n or \r.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/span.h"

namespace weakspot::lsp {

enum class Encoding : std::uint8_t { utf8, utf16, utf32 };

struct TextPosition {
  std::size_t line = 0;
  std::size_t character = 0;
  friend bool operator==(const TextPosition&, const TextPosition&) = default;
  friend auto operator<=>(const TextPosition&, const TextPosition&) = default;
};

struct TextRange {
  TextPosition begin, end;
  friend bool operator==(const TextRange&, const TextRange&) = default;
};

class DocumentText {
 public:
  // The text must be UTF-8.
  explicit DocumentText(std::string text = {}, Encoding encoding = Encoding::utf16);

  const std::string& text() const { return text_; }
  Encoding encoding() const { return encoding_; }
  std::size_t line_count() const { return lines_.size(); }
  // Places in lines that are not all ASCII are counted character by character: the bytes of the longest such line.
  std::size_t longest_slow_line() const { return longest_slow_line_; }

  // Places outside of the text, and those inside of a character, are moved to the nearest one before.
  std::size_t offset(TextPosition position) const;
  TextPosition position(std::size_t offset) const;
  TextRange range(base::Span span) const;
  // The range that a diagnostic about this text points at. The diagnostic knows where it begins, and how far it reaches
  // on a terminal.
  TextRange range(const base::Diagnostic& diagnostic) const;
  // The whole line of a byte.
  TextRange line_range(std::size_t line) const;

  void replace(TextRange range, std::string_view text);

 private:
  void find_lines();
  std::string_view line(std::size_t number) const;  // without its end

  struct Line {
    std::size_t begin = 0;
    bool ascii = true;
  };

  std::string text_;
  Encoding encoding_;
  std::vector<Line> lines_;
  std::size_t longest_slow_line_ = 0;
};

}  // namespace weakspot::lsp
