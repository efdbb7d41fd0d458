// SPDX-License-Identifier: MIT
// The parts of a test's text as herd7 cuts it, without understanding them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weakspot::litmus::herd {

struct HerdText {
  std::string_view arch;
  std::vector<std::pair<std::string, std::string>> info;  // the Key=value lines
  std::string init;                                       // between the braces, without comments
  std::string program;                                    // as written for C, else without comments
  std::string condition;                                  // from `locations`, `filter` or the quantifier on
};

// Nothing if the text does not have this shape.
std::optional<HerdText> split_text(std::string_view text);

// Words, numbers, the signs of two characters, and single characters.
std::vector<std::string_view> tokens_of(std::string_view text);

bool is_name(std::string_view token);
bool is_number(std::string_view token);
std::string upper_case(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace weakspot::litmus::herd
