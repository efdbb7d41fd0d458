// SPDX-License-Identifier: MIT
// Tables that give the values of an enumeration their spelling: one table per enumeration, used by
// readers, printers and messages alike.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weakspot::base {

template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};

template <typename Enum, std::size_t N>
constexpr std::optional<Enum> value_of(const Named<Enum> (&table)[N], std::string_view name) {
  for (const Named<Enum>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

// The first name listed for `value`; empty if the table has none (the caller's language cannot say it).
template <typename Enum, std::size_t N>
constexpr std::string_view name_of(const Named<Enum> (&table)[N], Enum value) {
  for (const Named<Enum>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

// "a, b or c", for messages that say what was expected.
template <typename Enum, std::size_t N>
std::string list_names(const Named<Enum> (&table)[N]) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) {
    if (i != 0) text += i + 1 == N ? " or " : ", ";
    text += table[i].name;
  }
  return text;
}

}  // namespace weakspot::base
