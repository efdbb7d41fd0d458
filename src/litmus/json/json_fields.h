// Takes the members of a JSON object one by one, reports what is wrong with each, and at the end the unknown ones.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.h"
#include "litmus/json/json_text.h"

namespace weakspot::litmus {

class JsonFields {
 public:
  // `what` names the object in messages: "a test", "an action". A value that is not an object is a mistake.
  JsonFields(const JsonValue& value, Mistakes& mistakes, std::string_view what);

  bool valid() const { return valid_; }
  base::Span span() const { return value_.span; }
  bool has(std::string_view key) const { return value_.find(key) != nullptr; }

  // The member, or nullptr. The second form reports a missing or differently typed one.
  const JsonValue* take(std::string_view key);
  const JsonValue* take(std::string_view key, JsonValue::Kind kind, bool needed = false);

  std::optional<std::string_view> string(std::string_view key, bool needed = false);
  std::optional<std::int64_t> number(std::string_view key, bool needed = false);
  bool truth(std::string_view key);
  // The name of a location, register or label.
  std::optional<std::string_view> word(std::string_view key, std::string_view what, bool needed = false);

  // A word of a table.
  template <typename Enum, std::size_t N>
  std::optional<Enum> one_of(std::string_view key, const base::Named<Enum> (&table)[N]) {
    std::optional<std::string_view> name = string(key);
    if (!name) return std::nullopt;
    std::optional<Enum> value = base::value_of(table, *name);
    if (!value) unknown_word(key, *name, base::list_names(table));
    return value;
  }
  // A word that `named` knows; the empty word is not one.
  template <typename Enum>
  std::optional<Enum> one_of(std::string_view key, std::optional<Enum> (*named)(std::string_view)) {
    std::optional<std::string_view> name = string(key);
    if (!name) return std::nullopt;
    std::optional<Enum> value = name->empty() ? std::nullopt : named(*name);
    if (!value) unknown_word(key, *name, words_of<Enum>());
    return value;
  }

  void mistake(const JsonValue* at, std::string message);
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

  void unknown_word(std::string_view key, std::string_view word, std::string_view expected);

  const JsonValue& value_;
  Mistakes& mistakes_;
  std::string what_;
  bool valid_;
  std::set<std::string_view> taken_;
};

}  // namespace weakspot::litmus
