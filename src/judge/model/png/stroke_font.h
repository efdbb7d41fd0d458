// SPDX-License-Identifier: MIT
// Letters as lines of a pen, so that images need neither a font nor a library that reads one.
#pragma once

#include <vector>

namespace weakspot::model::picture {

// A glyph is 6 units wide. Capitals are 10 units high, small letters 7, and 3 units may hang below the baseline.
inline constexpr int kGlyphWidth = 6, kGlyphHeight = 10;

struct PenPoint {
  int x = 0, y = 0;  // from the upper left of a capital
};
using PenStroke = std::vector<PenPoint>;

// The strokes of a character of ASCII; an empty box for others.
std::vector<PenStroke> strokes_of(char character);

}  // namespace weakspot::model::picture
