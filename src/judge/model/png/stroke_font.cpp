// SPDX-License-Identifier: MIT
#include "model/png/stroke_font.h"

#include <string_view>

namespace weakspot::model::picture {
namespace {

// From the blank to the tilde. A stroke is a line through points of two digits, across and down, the latter in base 16.
constexpr std::string_view kGlyphs[] = {
    // clang-format off
    "", "3037 393a", "2023 4043", "202a 404a 0363 0767", "6250100203155567685a1a08 303a",
    "600a 10212213020110 5768695a494857", "6a13112030414307081a3a66", "3033", "4023284b", "2043482b",
    "3238 1357 5317", "3238 0565", "393b2c", "1555", "393a", "600a", "105062685a1a080210 3446", "12303a 1a5a",
    "02105062630a6a", "01105062635525 5567685a1a09", "4a400767", "5000044466684a1a09", "502003081a5a6866541406",
    "00602a", "105061635515030110 1507081a5a686755", "1a4a676250100204165664", "3435 393a", "3435 393b2c", "520558",
    "0464 0767", "126518", "02105062633537 393a", "5a1a0802105062674744242747", "0a306a 1757",
    "004061635505 5567685a0a00", "62501002081a5a68", "004063674a0a00", "60000a6a 0555", "60000a 0555",
    "62501002081a5a686636", "000a 606a 0565", "1050 303a 1a5a", "2050584a1a08", "000a 6006 246a", "000a6a",
    "0a0035606a", "0a006a60", "105062685a1a080210", "0a005062645606", "105062685a1a080210 476b",
    "0a005062645606 366a", "6250100203155567685a1a08", "0060 303a", "00081a5a6860", "003a60", "001a355a60",
    "006a 600a", "003560 353a", "00600a6a", "40202b4b", "006a", "20404b2b", "133053", "0b6b", "2042",
    "041343545a 562607091a3a58", "000a 05234365684a2a08", "64532305082a5a69", "606a 65432305082a4a68",
    "066665432305082a5a69", "5040222a 0454", "636b5d1d0c 65432305082a4a68", "000a 052343656a", "3031 13333a 1a5a",
    "4041 23434b3d1d", "000a 5307 256a", "1030384a5a", "030a 041323343a 344353646a", "030a 052343656a",
    "234365684a2a080523", "030d 05234365684a2a08", "636d 65432305082a4a68", "131a 15334364",
    "6453130405165768695a1a09", "20283a5a 0353", "03082a4a68 636a", "033a63", "031a365a63", "036a 630a",
    "033a 632c1d0d", "03630a6a", "5040313415363a4b5b", "303c", "1020313455363a2b1b", "061525465665",
    // clang-format on
};
constexpr std::string_view kUnknown = "00606a0a00";

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

}  // namespace

std::vector<PenStroke> strokes_of(char character) {
  const bool known = ' ' <= character && character <= '~';
  const std::string_view text = known ? kGlyphs[static_cast<std::size_t>(character - ' ')] : kUnknown;
  std::vector<PenStroke> strokes;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    if (at == 0 || text[at] == ' ') {
      strokes.emplace_back();
      if (at > 0) ++at;
    }
    strokes.back().push_back({digit(text[at]), digit(text[at + 1])});
  }
  return strokes;
}

}  // namespace weakspot::model::picture
