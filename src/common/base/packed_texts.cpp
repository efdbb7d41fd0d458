// SPDX-License-Identifier: MIT
#include "base/packed_texts.h"

#include "base/check.h"
#include "base/packed/inflate.h"

namespace weakspot::base {
namespace {

constexpr char kEnd = '\1';  // ends a name, and a text

std::string_view take(std::string_view& rest) {
  const std::size_t end = rest.find(kEnd);
  WEAKSPOT_CHECK(end != std::string_view::npos);
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return taken;
}

}  // namespace

PackedTexts::PackedTexts(std::span<const unsigned char> data) : unpacked_(inflate(data)) {
  std::string_view rest = unpacked_;
  while (!rest.empty()) {
    const std::string_view name = take(rest);
    texts_.push_back({name, take(rest)});
  }
}

std::optional<std::string_view> PackedTexts::named(std::string_view name) const {
  for (const Text& text : texts_) {
    if (text.name == name) return text.text;
  }
  return std::nullopt;
}

}  // namespace weakspot::base
