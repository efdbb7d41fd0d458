// SPDX-License-Identifier: MIT
// A text with a name, and places in it. Every diagnostic about a text points into a Source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weakspot::base {

// A half-open range of bytes of one source. Two spans always compare equal, so that values which carry
// a span for the sake of messages (instructions, conditions) compare by meaning alone.
struct Span {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) { return true; }
};

// One-based; the column counts code points, as editors do.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};

// Owns the text. Not movable cheaply: pass by const reference.
class Source {
 public:
  Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  std::string_view slice(Span span) const { return std::string_view(text_).substr(span.begin, span.end - span.begin); }

  Position position(std::size_t offset) const;
  // The line that holds `offset`, without its end-of-line characters.
  std::string_view line_at(std::size_t offset) const;

 private:
  std::string name_;
  std::string text_;
};

// The offset of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

}  // namespace weakspot::base
