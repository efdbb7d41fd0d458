// SPDX-License-Identifier: MIT
#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "base/source.h"

namespace weakspot::base {
namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t value) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [&](const Range& range) { return value >= range.first && value <= range.last; });
}

// Controls, and format characters of Unicode that hide text or turn its direction.
constexpr Range kObeyed[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
                             {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E},  {0x2060, 0x206F},
                             {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF}};
// Marks over the character before them.
constexpr Range kMarks[] = {{0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x610, 0x61A},   {0x64B, 0x65F},
                            {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}};
// East Asian characters and pictures.
constexpr Range kWide[] = {{0x1100, 0x115F},  {0x2E80, 0x303E},   {0x3041, 0xA4CF},   {0xA960, 0xA97F},
                           {0xAC00, 0xD7A3},  {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                           {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
                           {0x20000, 0x3FFFD}};

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

std::string written_out(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.valid && (!point.is_control() || kept.find(text[0]) != std::string_view::npos)) {
      result += text.substr(0, point.length);
    } else if (point.valid && point.value >= 0x80) {
      result += fmt::format("\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
    } else {
      result += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(point.value));
    }
    text.remove_prefix(point.length);
  }
  return result;
}

std::size_t width_of(char32_t value) {
  return value < 0x300 ? 1 : is_in(kMarks, value) ? 0 : is_in(kWide, value) ? 2 : 1;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (text.size() < length || find_invalid_utf8(text.substr(0, length)) != std::string_view::npos) {
    return {lead, 1, false};
  }
  char32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) value = value << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  return {value, length, true};
}

bool CodePoint::is_control() const { return is_in(kObeyed, value); }

bool is_printable(std::string_view text) {
  while (true) {
    const auto odd =
        std::find_if(text.begin(), text.end(), [](char c) { return !is_plain(c) && c != '\n' && c != '\t'; });
    if (odd == text.end()) return true;
    text.remove_prefix(static_cast<std::size_t>(odd - text.begin()));
    const CodePoint point = first_code_point(text);
    if (!point.valid || point.is_control()) return false;
    text.remove_prefix(point.length);
  }
}

std::string printable(std::string_view text) {
  return is_printable(text) ? std::string(text) : written_out(text, "\n\t");
}

std::string printable_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_plain) ? std::string(text) : written_out(text, "");
}

std::size_t columns_of(std::string_view text) {
  // Nearly all texts are plain from beginning to end.
  auto columns = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
  text.remove_prefix(columns);
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    columns += width_of(point.value);
    text.remove_prefix(point.length);
  }
  return columns;
}

std::string blanks_under(std::string_view text) {
  std::string blanks;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    blanks.append(width_of(point.value), point.value == '\t' ? '\t' : ' ');
    text.remove_prefix(point.length);
  }
  return blanks;
}

}  // namespace weakspot::base
