// SPDX-License-Identifier: MIT
// Places in a text.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weakspot::base {

class Source;  // source.h

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

}  // namespace weakspot::base
