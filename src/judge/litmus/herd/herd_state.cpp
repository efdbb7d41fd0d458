// SPDX-License-Identifier: MIT
#include "litmus/herd/herd_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <set>
#include <vector>

#include "litmus/herd/herd_text.h"
#include "litmus/text/cursor.h"

namespace weakspot::litmus::herd {
namespace {

using Tokens = std::vector<std::string_view>;

// A register of a thread, or a location. kLocation is the largest number, so that locations sort after registers.
struct Place {
  static constexpr std::int64_t kLocation = INT64_MAX;
  bool element = false;  // x[1]; elements sort after everything else
  std::int64_t thread = kLocation;
  std::string name;
  std::int64_t index = 0;

  friend auto operator<=>(const Place&, const Place&) = default;

  std::string text() const {
    const std::string place = thread == kLocation ? name : fmt::format("{}:{}", thread, name);
    return element ? fmt::format("{}[{}]", place, index) : place;
  }
};

std::int64_t number_of(std::string_view token) {
  const bool negative = token.starts_with('-');
  if (negative) token.remove_prefix(1);
  return parse_integer(token, negative).value_or(0);
}

bool names_thread(std::string_view token) {
  if (token.starts_with('P') && token.size() > 1) token.remove_prefix(1);
  return is_number(token);
}

// Reads `0:r0`, `P0:r0`, `x`, `[x]` or `x[1]` and moves `at` behind it; `at` stays if there is none.
std::optional<Place> read_place(const Tokens& tokens, std::size_t& at) {
  auto token = [&](std::size_t ahead) { return at + ahead < tokens.size() ? tokens[at + ahead] : std::string_view(); };
  Place place;
  if (names_thread(token(0)) && token(1) == ":" && is_name(token(2))) {
    std::string_view thread = token(0);
    if (thread[0] == 'P') thread.remove_prefix(1);
    place.thread = number_of(thread);
    place.name = token(2);
    at += 3;
  } else if (token(0) == "[" && is_name(token(1)) && token(2) == "]") {
    place.name = token(1);
    at += 3;
  } else if (is_name(token(0))) {
    place.name = token(0);
    at += 1;
  } else {
    return std::nullopt;
  }
  if (token(0) == "[" && is_number(token(1)) && token(2) == "]") {
    place.element = true;
    place.index = number_of(token(1));
    at += 3;
  }
  return place;
}

struct InitialItem {
  Place place;
  std::string text;
};

std::string value_text(const Tokens& tokens, std::size_t at) {
  if (at < tokens.size() && tokens[at] == "ATOMIC_INIT") at += 2;
  if (at < tokens.size() && tokens[at] == "&") ++at;
  if (at >= tokens.size()) return "0";
  std::string value(tokens[at++]);
  // An element of an array is its name and its offset.
  if (at + 1 < tokens.size() && tokens[at] == "[") return fmt::format("{}+{}", value, number_of(tokens[at + 1]));
  while (at + 1 < tokens.size() && tokens[at] == ":") {
    value += fmt::format(":{}", tokens[at + 1]);
    at += 2;
  }
  return value;
}

// [_Atomic] [type] [*] place [= value]
std::optional<InitialItem> initial_item(const Tokens& tokens) {
  std::size_t equals = std::find(tokens.begin(), tokens.end(), "=") - tokens.begin();
  std::size_t at = 0;
  std::string type;
  bool pointer = false;
  if (tokens[at] == "_Atomic") {
    type = "_Atomic ";
    ++at;
  }
  // A word is a type if something else than '=' follows it.
  const bool typed =
      at + 1 < equals && is_name(tokens[at]) && tokens[at + 1] != ":" && !(tokens[at + 1] == "[" && at + 4 >= equals);
  if (typed) type += fmt::format("{} ", tokens[at++]);
  if (at < equals && tokens[at] == "*") {
    pointer = true;
    ++at;
  }
  std::optional<Place> place = read_place(tokens, at);
  if (!place) return std::nullopt;
  if (place->element) return InitialItem{{false, Place::kLocation, place->name, 0}, type + place->text()};
  const bool amper = equals + 1 < tokens.size() && tokens[equals + 1] == "&";
  const bool untyped_address = type.empty() && amper && place->thread != Place::kLocation;
  const std::string star = pointer || untyped_address ? "*" : "";
  return InitialItem{*place, fmt::format("{}{}{}={}", type, star, place->text(), value_text(tokens, equals + 1))};
}

}  // namespace

std::string initial_state(std::string_view init) {
  std::vector<InitialItem> items;
  std::size_t begin = 0;
  while (begin <= init.size()) {
    const std::size_t end = std::min(init.find(';', begin), init.size());
    const Tokens tokens = tokens_of(init.substr(begin, end - begin));
    if (!tokens.empty()) {
      if (std::optional<InitialItem> item = initial_item(tokens)) {
        const auto before = std::upper_bound(items.begin(), items.end(), *item,
                                             [](const auto& a, const auto& b) { return a.place < b.place; });
        const bool again = before != items.begin() && std::prev(before)->place == item->place;
        if (!again) items.insert(before, std::move(*item));
      }
    }
    begin = end + 1;
  }
  std::string text;
  for (const InitialItem& item : items) {
    if (!text.empty()) text += "; ";
    text += item.text;
  }
  return text;
}

std::string observed_items(std::string_view condition) {
  const Tokens tokens = tokens_of(condition);
  std::set<Place> places;
  bool filter = false;
  bool value = false;  // the next operand is a value
  for (std::size_t at = 0; at < tokens.size();) {
    const std::string_view token = tokens[at];
    if (token == "<<" || token == "with") break;
    if (token == "filter" || token == "exists" || token == "forall" || token == "final" || token == "locations") {
      filter = token == "filter";
      ++at;
    } else if (token == "not" || token == "true" || token == "false") {
      ++at;
    } else if (token == "=" || token == "!=" || token == "<>") {
      value = true;
      ++at;
    } else if (std::optional<Place> place = read_place(tokens, at)) {
      if (!value && !filter) places.insert(std::move(*place));
      value = false;
    } else {
      value = value && (token == "&" || token == "[");
      ++at;
    }
  }
  std::string text;
  for (const Place& place : places) {
    if (!text.empty()) text += "; ";
    text += place.text();
  }
  return text;
}

}  // namespace weakspot::litmus::herd
