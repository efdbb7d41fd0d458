// SPDX-License-Identifier: MIT
#include "race/finding/fingerprint.h"

#include <algorithm>

#include "base/hash.h"
#include "race/classes.h"

namespace weakspot::race {

std::string fingerprint(const Finding& finding, const LineReader& line_of) {
  auto line = [&](const Place& place) {
    std::string text = line_of(place.file, place.line).value_or(std::to_string(place.line));
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
    return place.file + '\n' + text + '\n';
  };
  // The two sides in an order that does not depend on the schedule.
  std::string first = line(finding.place), second = finding.other ? line(*finding.other) : "";
  if (second < first) std::swap(first, second);
  return base::hash_bytes(std::string(class_of(finding.finding_class).id) + '\n' + array_text(finding.variable) + '\n' +
                          first + second)
      .hex();
}

std::string fingerprint_of_all(const Finding& finding, const LineReader& line_of) {
  std::string least = fingerprint(finding, line_of);
  for (const Finding& other : finding.also) least = std::min(least, fingerprint(other, line_of));
  return least;
}

}  // namespace weakspot::race
