// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "litmus/text.h"
#include "model/execution/expand.h"
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

std::string event_place(const Frame& frame, EventId event) {
  const Event& e = frame.events[event];
  if (!e.location) return {};
  const litmus::Location& location = (*frame.test)[*e.location];
  const std::string& name = location.name;
  const int size = litmus::size_in_bytes((*frame.test)[e.physical].type);
  if (location.is_array()) {
    const std::string element = fmt::format("{}[{}]", name, e.offset / size);
    if (e.size == size) return element;
    return fmt::format("{}[{}..{}]", element, e.offset % size, e.offset % size + e.size - 1);
  }
  if (!frame.pieces || e.size == size) return name;
  return fmt::format("{}[{}..{}]", name, e.offset, e.offset + e.size - 1);
}

namespace {

// "b=phase 0 (1 arrival and 4 bytes to come)".
std::string mbarrier_text(std::string_view name, std::int64_t state) {
  if (state < kMbarrierDone / 2) return fmt::format("{}=nothing", name);  // not initialised
  state &= (std::int64_t{1} << kMbarrierDropped) - 1;
  const std::int64_t phase = state >> kMbarrierPhase;
  const std::int64_t bytes_mask = kMbarrierPending >> kMbarrierBytes;
  const std::int64_t bytes = ((state >> kMbarrierBytes) & bytes_mask) - (kMbarrierDone >> kMbarrierBytes);
  const std::int64_t arrivals = state - (phase << kMbarrierPhase) - (bytes << kMbarrierBytes) - kMbarrierDone;
  std::string text = fmt::format("{}=phase {} ({} arrival{}", name, phase, arrivals, arrivals == 1 ? "" : "s");
  if (bytes != 0) text += fmt::format(" and {} bytes", bytes);
  return text + " to come)";
}

}  // namespace

std::string event_value(const Frame& frame, const std::vector<litmus::Value>& values, EventId event) {
  if (!frame.events[event].location) return {};
  if (frame.expansion != nullptr && frame.expansion->mbarriers.contains(frame.events[event].physical)) {
    return mbarrier_text(event_place(frame, event), values[event].number);
  }
  return fmt::format("{}={}", event_place(frame, event), litmus::value_text(*frame.test, values[event]));
}

}  // namespace weakspot::model
