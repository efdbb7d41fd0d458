// SPDX-License-Identifier: MIT
// The meaning of each predefined name of cat, in a line, for editors. docs/cat-language.md has the details.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace weakspot::model {

struct CatName {
  enum class Kind : std::uint8_t { set, relation, function };
  std::string_view name;
  Kind kind = Kind::set;
  std::string_view meaning;  // may be empty
  bool always_empty = false;
};

std::string_view to_string(CatName::Kind kind);  // set relation function

std::optional<CatName> predefined_cat_name(std::string_view name);
// All but those that are always empty, by name.
std::vector<CatName> predefined_cat_names();
// The meaning of a standard-library definition, such as "fr" or "po-loc"; empty if it has no text.
std::string_view library_meaning(std::string_view name);

}  // namespace weakspot::model
