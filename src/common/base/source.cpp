// SPDX-License-Identifier: MIT
#include "base/source.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace weakspot::base {
namespace {

std::size_t line_begin(std::string_view text, std::size_t offset) {
  std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The length of the well-formed sequence that starts at `at`, or 0 (Unicode 15, table 3-7).
std::size_t sequence_length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(at);
  if (first < 0x80) return 1;
  unsigned low = 0x80, high = 0xBF;
  std::size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (byte(at + 1) < low || byte(at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(at + i) < 0x80 || byte(at + i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace

Position Source::position(std::size_t offset) const {
  std::string_view text = text_;
  offset = std::min(offset, text.size());
  std::size_t begin = line_begin(text, offset);
  Position position;
  position.line =
      1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  for (std::size_t i = begin; i < offset; ++i) position.column += is_continuation(text[i]) ? 0 : 1;
  return position;
}

std::string_view Source::line_at(std::size_t offset) const {
  std::string_view text = text_;
  offset = std::min(offset, text.size());
  std::size_t begin = line_begin(text, offset);
  std::size_t end = std::min(text.find('\n', offset), text.size());
  std::string_view line = text.substr(begin, end - begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    // Eight bytes at a time while they are ASCII.
    for (std::uint64_t eight = 0; at + sizeof eight <= text.size(); at += sizeof eight) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080) != 0) break;
    }
    if (at == text.size()) break;
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace weakspot::base
