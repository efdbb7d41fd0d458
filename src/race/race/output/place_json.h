// SPDX-License-Identifier: MIT
// Places in the JSON of reports.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "json/json_fields.h"
#include "race/site.h"

namespace weakspot::race {

inline constexpr std::uint32_t kAnyWord = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();
inline constexpr double kAnyTime = 1e12;

inline std::uint32_t word_in(base::JsonFields& fields, std::string_view key) {
  return static_cast<std::uint32_t>(fields.whole(key, kAnyWord));
}

inline std::string text_or_none(base::JsonFields& fields, std::string_view key) {
  return std::string(fields.string(key).value_or(""));
}

inline base::JsonValue place_json(const Place& place) {
  return base::json_object({{"file", place.file}, {"line", place.line}, {"column", place.column}});
}

inline Place place_in(base::JsonFields& fields) {
  Place place;
  place.file = text_or_none(fields, "file");
  place.line = static_cast<unsigned>(fields.has("line") ? word_in(fields, "line") : 0);
  place.column = static_cast<unsigned>(fields.has("column") ? word_in(fields, "column") : 0);
  return place;
}

inline base::JsonValue places_json(const std::vector<Place>& places) {
  base::JsonValue array = base::json_array();
  for (const Place& place : places) array.push_back(place_json(place));
  return array;
}

inline std::vector<Place> places_in(base::JsonFields& fields, std::string_view key) {
  std::vector<Place> places;
  if (!fields.has(key)) return places;
  for (const base::JsonValue& one : fields.list(key)) {
    base::JsonFields place(one, fields.mistakes(), "a place");
    places.push_back(place_in(place));
  }
  return places;
}

inline void add_origin(base::JsonValue& json, const PtxOrigin& origin) {
  if (origin.library.line != 0) json.add("library", place_json(origin.library));
  if (origin.instruction.line != 0) json.add("ptx", place_json(origin.instruction));
}

inline PtxOrigin origin_in(base::JsonFields& fields) {
  PtxOrigin origin;
  for (const auto& [key, place] : {std::pair("library", &origin.library), std::pair("ptx", &origin.instruction)}) {
    const base::JsonValue* json = fields.take(key);
    if (json == nullptr) continue;
    base::JsonFields members(*json, fields.mistakes(), "a place");
    *place = place_in(members);
  }
  return origin;
}

}  // namespace weakspot::race
