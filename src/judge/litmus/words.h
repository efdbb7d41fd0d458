// SPDX-License-Identifier: MIT
// The words of each dialect with their meanings, for editors and manuals. Orders, scopes, operators and the like come
// from the tables that the readers and printers use; a test holds the rest against the readers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "litmus/dialect.h"

namespace weakspot::litmus {

struct Word {
  enum class Kind : std::uint8_t { instruction, order, scope, suffix, type, keyword };
  std::string text;
  Kind kind = Kind::instruction;
  std::string_view meaning;
};

// The words of a dialect; none for JSON. A word that is both an instruction and a suffix is listed twice, first as an
// instruction.
std::span<const Word> words_of(Dialect dialect);
// Whether words are joined to instructions by dots: ld.acq.wg.
bool is_dotted(Dialect dialect);
// Finds a word; ignores case if the dialect does.
const Word* find_word(Dialect dialect, std::string_view text);

// The words around programs: exists, scopes, ...
std::span<const Word> frame_words();

}  // namespace weakspot::litmus
