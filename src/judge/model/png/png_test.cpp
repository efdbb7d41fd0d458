// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "model/png/png_file.h"
#include "model/png/stroke_font.h"

namespace weakspot::model::png_test {
namespace {

TEST(PngFile, HasTheBytesOfTheFormat) {
  const std::string file = picture::png_file({1, 1, {255, 0, 0}});
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(file.substr(file.size() - 8), std::string("IEND\xae\x42\x60\x82"));
}

TEST(StrokeFont, EveryCharacterIsInItsPlace) {
  for (int c = ' '; c <= '~'; ++c) {
    const std::vector<picture::PenStroke> strokes = picture::strokes_of(static_cast<char>(c));
    EXPECT_EQ(strokes.empty(), c == ' ') << c;
    for (const picture::PenStroke& stroke : strokes) {
      EXPECT_GE(stroke.size(), 2u) << c;
      for (const picture::PenPoint& point : stroke) {
        EXPECT_TRUE(0 <= point.x && point.x <= picture::kGlyphWidth) << c;
        EXPECT_TRUE(0 <= point.y && point.y <= picture::kGlyphHeight + 3) << c;
      }
    }
  }
}

}  // namespace
}  // namespace weakspot::model::png_test
