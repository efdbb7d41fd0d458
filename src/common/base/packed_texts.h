// SPDX-License-Identifier: MIT
// Texts that a program carries: the corpus, the models, the schemas. They are compressed to a tenth of their size.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::base {

class PackedTexts {
 public:
  struct Text {
    std::string_view name, text;
  };

  // `data` is what cmake/embed_texts.cmake wrote.
  explicit PackedTexts(std::span<const unsigned char> data);
  PackedTexts(const PackedTexts&) = delete;
  PackedTexts& operator=(const PackedTexts&) = delete;

  const std::vector<Text>& all() const { return texts_; }  // by name
  std::optional<std::string_view> named(std::string_view name) const;

 private:
  std::string unpacked_;  // texts_ points into it
  std::vector<Text> texts_;
};

}  // namespace weakspot::base
