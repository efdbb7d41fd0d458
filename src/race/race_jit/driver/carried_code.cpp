// SPDX-License-Identifier: MIT
#include "race_jit/driver/carried_code.h"

#include <algorithm>
#include <array>

namespace weakspot::race_jit::driver {
namespace {

constexpr std::string_view kMark = "// weakspot device code: ";
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string in_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    unsigned word = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      word = word << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) text += i <= count ? kDigits[word >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

std::optional<std::string> of_base64(std::string_view text) {
  std::array<int, 256> values{};
  values.fill(-1);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<int>(i);
  }
  std::string bytes;
  unsigned word = 0, bits = 0;
  for (const char digit : text) {
    if (digit == '=') break;
    const int value = values[static_cast<unsigned char>(digit)];
    if (value < 0) return std::nullopt;
    word = word << 6 | static_cast<unsigned>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(word >> bits & 255);
  }
  return bytes;
}

}  // namespace

std::string text_with_code(std::string_view bytes, unsigned architecture) {
  std::string text = ".version 8.3\n.target sm_" + std::to_string(architecture) + "\n.address_size 64\n";
  return text + std::string(kMark) + in_base64(bytes) + "\n";
}

std::optional<std::string> code_in_text(std::string_view text) {
  const std::size_t at = text.find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + kMark.size());
  return of_base64(text.substr(0, text.find('\n')));
}

}  // namespace weakspot::race_jit::driver
