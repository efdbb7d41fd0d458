// SPDX-License-Identifier: MIT
// The words of each dialect, for completion, highlighting and hovers in texts that cannot be read yet. The readers
// decide what is right; a test holds these tables against them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "litmus/dialect.h"

namespace weakspot::lsp {

struct LitmusWord {
  enum class Kind : std::uint8_t { instruction, order, scope, suffix, type };
  std::string_view text;
  Kind kind = Kind::instruction;
  std::string_view meaning;
};

std::span<const LitmusWord> words_of(litmus::Dialect dialect);
// Whether words are joined to instructions by dots: ld.acq.wg.
bool is_dotted(litmus::Dialect dialect);
const LitmusWord* find_word(litmus::Dialect dialect, std::string_view text);

// The words around programs: exists, scopes, ...
std::span<const LitmusWord> frame_words();

}  // namespace weakspot::lsp
