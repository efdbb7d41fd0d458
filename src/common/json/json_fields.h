// SPDX-License-Identifier: MIT
// Takes the members of a JSON object one by one. Each missing or wrong member becomes a mistake at its place, so that
// a reader looks at all of them, uses what came back, and asks at the end whether there were mistakes.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "json/json.h"

namespace weakspot::base {

class JsonFields {
 public:
  // `what` names the object in messages: "a test", "an action". A value of another kind is a mistake. The value must
  // outlive this.
  JsonFields(const JsonValue& value, Mistakes& mistakes, std::string_view what);

  bool valid() const { return valid_; }
  Span span() const { return value_.span(); }
  bool has(std::string_view key) const { return value_.find(key) != nullptr; }
  Mistakes& mistakes() { return mistakes_; }

  // The member, or nullptr. The second form reports a missing or differently typed one.
  const JsonValue* take(std::string_view key);
  const JsonValue* take(std::string_view key, JsonValue::Kind kind, bool needed = false);

  // Optional members, unless `needed`.
  std::optional<std::string_view> string(std::string_view key, bool needed = false);
  std::optional<std::int64_t> number(std::string_view key, bool needed = false);
  bool truth(std::string_view key);

  // Required members; the keys must outlive this. A mistake gives "", 0, false or an empty list.
  std::string text(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  const std::vector<JsonValue>& list(std::string_view key);
  bool flag(std::string_view key);
  std::uint64_t whole(std::string_view key, std::uint64_t most);
  double real(std::string_view key, double low, double high);
  // For a range that `expected` describes.
  double real(std::string_view key, bool (*accepts)(double), std::string_view expected);
  // The version of a file's format. False, and a mistake, if it is another one.
  bool format(std::uint64_t expected);

  // A word of a table.
  template <typename Enum, std::size_t N>
  std::optional<Enum> one_of(std::string_view key, const Named<Enum> (&table)[N]) {
    std::optional<std::string_view> name = string(key);
    if (!name) return std::nullopt;
    std::optional<Enum> value = value_of(table, *name);
    if (!value) unknown_word(key, *name, list_names(table));
    return value;
  }
  // A word that `named` knows.
  template <typename Enum>
  std::optional<Enum> one_of(std::string_view key, std::optional<Enum> (*named)(std::string_view)) {
    std::optional<std::string_view> name = string(key);
    if (!name) return std::nullopt;
    std::optional<Enum> value = name->empty() ? std::nullopt : named(*name);
    if (!value) unknown_word(key, *name, words_of<Enum>());
    return value;
  }

  // A mistake at a member's value, or at the whole object for nullptr.
  void mistake(const JsonValue* at, std::string message);
  // "'KEY': expected EXPECTED, found ..." at the member's value, which must exist.
  void unexpected(std::string_view key, std::string_view expected);
  // Every member that was not taken is a mistake.
  void done();

 private:
  // "a, b or c": the words of an enumeration.
  template <typename Enum>
  static std::string words_of() {
    std::vector<std::string_view> words;
    for (int i = 0; i < 32; ++i) {
      const std::string_view word = to_string(static_cast<Enum>(i));
      if (!word.empty()) words.push_back(word);
    }
    const std::string_view last = words.back();
    words.pop_back();
    return fmt::format("{} or {}", fmt::join(words, ", "), last);
  }

  void missing_or_unexpected(std::string_view key, std::string_view expected);
  void unknown_word(std::string_view key, std::string_view word, std::string_view expected);

  const JsonValue& value_;
  Mistakes& mistakes_;
  std::string what_;
  bool valid_;
  int missing_ = 0;
  std::vector<std::string_view> taken_;
};

// "null", "a string", or a number as it is written.
std::string found_text(const JsonValue& value, const Source& source);

}  // namespace weakspot::base
