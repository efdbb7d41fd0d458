// SPDX-License-Identifier: MIT
#include "race/ptx_text/numbers.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

namespace weakspot::race::ptx {
namespace {

std::optional<std::uint64_t> parse_digits(std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<Number> as_real(std::optional<std::uint64_t> value, unsigned bits) {
  return value ? std::optional<Number>({*value, true, bits}) : std::nullopt;
}

}  // namespace

std::optional<Number> parse_number(std::string_view word) {
  const char second = word.size() > 1 && word[0] == '0' ? word[1] : '\0';
  if (second == 'f' || second == 'F')
    return as_real(word.size() == 10 ? parse_digits(word.substr(2), 16) : std::nullopt, 32);
  if (second == 'd' || second == 'D')
    return as_real(word.size() == 18 ? parse_digits(word.substr(2), 16) : std::nullopt, 64);
  if (word.find_first_of("xX") == std::string_view::npos && word.find_first_of(".eE") != std::string_view::npos) {
    if (word.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
    const std::string copy(word);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) return std::nullopt;
    return Number{std::bit_cast<std::uint64_t>(value), true, 0};
  }
  if (word.ends_with('U')) word.remove_suffix(1);
  std::optional<std::uint64_t> value;
  if (second == 'x' || second == 'X') {
    value = parse_digits(word.substr(2), 16);
  } else if (second == 'b' || second == 'B') {
    value = parse_digits(word.substr(2), 2);
  } else {
    value = parse_digits(word, word.size() > 1 && word[0] == '0' ? 8 : 10);
  }
  return value ? std::optional<Number>({*value, false, 0}) : std::nullopt;
}

}  // namespace weakspot::race::ptx
