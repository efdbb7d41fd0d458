// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "model/reason.h"

namespace weakspot::model {

std::string event_letter(const Frame& frame, EventId event) {
  const Event& e = frame.events[event];
  if (!e.thread) return fmt::format("init {}", e.location ? (*frame.test)[*e.location].name : "");
  auto number = std::count_if(frame.events.begin(), frame.events.begin() + event,
                              [](const Event& other) { return other.thread && other.kind != EventKind::branch; });
  std::string letters;
  for (++number; number > 0; number = (number - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('a' + (number - 1) % 26));
  }
  return letters;
}

}  // namespace weakspot::model
