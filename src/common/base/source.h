// SPDX-License-Identifier: MIT
// A text with a name, and places in it. Every diagnostic about a text points into a Source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/span.h"

namespace weakspot::base {

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
