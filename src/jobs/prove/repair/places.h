// SPDX-License-Identifier: MIT
// The places of a source at which a launch synchronises, or could: its fences, orders and scopes, and the gaps around
// its accesses of memory that others change.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "prove/repair/forms.h"
#include "prove/repair/source_edit.h"
#include "race/site.h"
#include "residual/residual.h"

namespace weakspot::prove {

struct SourcePlace {
  enum class Kind : std::uint8_t { gap, fence, order, scope, access };
  enum class Side : std::uint8_t { none, before, behind };

  Kind kind = Kind::fence;
  std::size_t begin = 0, end = 0;  // the bytes that the forms take the place of; of a gap the statement beside it
  Forms forms;                     // of a gap without the empty one
  unsigned line = 0;
  Side side = Side::none;  // of the statement, for a gap
  bool wraps = false;      // the statement beside the gap stands alone behind a condition or a loop: it needs braces
};

// The layout of a change: on the line that is there, so that lines keep their numbers, or as a person would write it.
enum class Layout : std::uint8_t { same_lines, own_lines };
std::vector<TextEdit> edits_for(std::string_view text, const SourcePlace& place, const Form& form, Layout layout);

struct SourcePlaces {
  std::vector<SourcePlace> present;    // what is written, with weaker forms
  std::vector<SourcePlace> stronger;   // what is written, with stronger forms, and gaps
  std::vector<std::string> elsewhere;  // what is not tried, and why
};
SourcePlaces source_places(const residual::Residual& residual, const std::string& file, std::string_view text,
                           bool of_ptx);

}  // namespace weakspot::prove
