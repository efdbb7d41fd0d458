// SPDX-License-Identifier: MIT
#include "model/picture/words.h"

#include <fmt/format.h>

namespace weakspot::model::picture {

std::string title_words(const Picture& picture) {
  return fmt::format("{}: {} by {}", picture.test, picture.verdict, picture.model);
}

std::string description_words(const Picture& picture) {
  std::string text;
  // Outcomes end in a semicolon of their own.
  for (const std::string& remark : picture.remarks) {
    text += fmt::format("{}{}", text.empty() ? "" : text.ends_with(';') ? " " : "; ", remark);
  }
  for (std::size_t column = 0; column < picture.columns.size(); ++column) {
    std::string does;
    for (const PictureEvent& event : picture.events) {
      if (event.initial || event.column != column) continue;
      does += fmt::format("{}{} {}", does.empty() ? "" : ", ", event.letter, event.effect);
    }
    text += fmt::format(". {}: {}", picture.columns[column], does.empty() ? "nothing" : does);
  }
  std::string arrows;
  for (const PictureArrow& arrow : picture.arrows) {
    if (arrow.label.empty()) continue;
    arrows +=
        fmt::format("{}{} {} {}{}", arrows.empty() ? "" : ", ", picture.events[arrow.from].letter, arrow.label,
                    picture.events[arrow.to].letter, arrow.tone == PictureArrow::Tone::loud ? " (highlighted)" : "");
  }
  return arrows.empty() ? text + "." : fmt::format("{}. Arrows: {}.", text, arrows);
}

}  // namespace weakspot::model::picture
