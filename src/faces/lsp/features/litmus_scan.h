// SPDX-License-Identifier: MIT
// The words, numbers, strings and comments of a text with tests, whether it can be read or not.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "litmus/dialect.h"

namespace weakspot::lsp {

struct LitmusToken {
  enum class Kind : std::uint8_t { first_word, name, word, number, string, comment };
  Kind kind = Kind::word;
  base::Span span;
  litmus::Dialect dialect = litmus::Dialect::canonical;  // the dialect of its test
};

std::vector<LitmusToken> scan_litmus(std::string_view text);

}  // namespace weakspot::lsp
