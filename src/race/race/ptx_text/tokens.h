// SPDX-License-Identifier: MIT
// The words of PTX.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace weakspot::race::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    name,       // %r1, $L__BB0_1, mov
    dotted,     // .global, .x, .shared::cta; the text is without the dot
    number,     // 12, 0x1fU, 0f3f800000, 1.5e3
    text,       // "kernels.py", without the quotes
    character,  // one of those that stand for themselves
    end
  };
  Kind kind = Kind::end;
  std::string_view text;  // a part of the source
  base::Span span;
  bool joined = false;  // nothing stands between it and the token before

  bool is(char c) const { return kind == Kind::character && text.front() == c; }
  bool is_dotted(std::string_view word) const { return kind == Kind::dotted && text == word; }
};

// Comments are left out. The last token is the end. An error for a character that PTX does not have, or for a comment
// or a string without an end.
base::Result<std::vector<Token>> split_tokens(const base::Source& source);

}  // namespace weakspot::race::ptx
