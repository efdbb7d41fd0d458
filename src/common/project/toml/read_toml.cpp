// SPDX-License-Identifier: MIT
#include "project/toml/read_toml.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace weakspot::project {
namespace {

// From the lines and columns of toml++, which count code points from 1, to bytes.
class TomlPlaces {
 public:
  explicit TomlPlaces(std::string_view text) : text_(text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') lines_.push_back(i + 1);
    }
  }

  // A region of several lines ends with its first.
  base::Span span(const toml::source_region& region) const {
    const std::size_t begin = offset(region.begin);
    const std::size_t line_end = std::min(text_.find('\n', begin), text_.size());
    const std::size_t end = region.end.line == region.begin.line ? offset(region.end) : line_end;
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max(end, begin))};
  }

 private:
  std::size_t offset(const toml::source_position& position) const {
    if (position.line == 0 || position.line > lines_.size()) return 0;
    std::size_t at = lines_[position.line - 1];
    for (toml::source_index left = position.column; left > 1 && at < text_.size() && text_[at] != '\n'; --left) {
      do ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xc0u) == 0x80u);
    }
    return at;
  }

  std::string_view text_;
  std::vector<std::size_t> lines_{0};  // where each begins
};

base::JsonValue value_of(const toml::node& node, const TomlPlaces& places) {
  base::JsonValue value;
  if (const toml::table* table = node.as_table()) {
    std::vector<base::JsonMember> members;
    for (const auto& [key, content] : *table) {
      members.emplace_back(std::string(key.str()), value_of(content, places));
      members.back().key_span = places.span(key.source());
    }
    value = base::JsonValue(std::move(members));
  } else if (const toml::array* array = node.as_array()) {
    value = base::json_array();
    for (const toml::node& item : *array) value.push_back(value_of(item, places));
  } else if (const auto* text = node.as_string()) {
    value = text->get();
  } else if (const auto* number = node.as_integer()) {
    value = number->get();
  } else if (const auto* real = node.as_floating_point()) {
    value = real->get();
  } else if (const auto* truth = node.as_boolean()) {
    value = truth->get();
  }
  value.set_span(places.span(node.source()));
  return value;
}

}  // namespace

base::Result<base::JsonValue> read_toml(const base::Source& source) {
  const TomlPlaces places(source.text());
  const toml::parse_result result = toml::parse(source.text());
  if (!result) {
    const toml::parse_error& error = result.error();
    std::string message(error.description());
    constexpr std::string_view kOpening = "Error while ";
    if (message.starts_with(kOpening)) message.erase(0, kOpening.size());
    return base::error_at(source, places.span(error.source()), fmt::format("not valid TOML: {}", message));
  }
  return value_of(result.table(), places);
}

}  // namespace weakspot::project
