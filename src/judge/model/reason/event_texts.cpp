// SPDX-License-Identifier: MIT
#include "model/reason/event_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/execution/expand.h"

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

std::string kind_text(const Event& event) {
  switch (event.kind) {
    case EventKind::init:
    case EventKind::write:
      return "W";
    case EventKind::read:
      return "R";
    case EventKind::fence:
      return "F";
    case EventKind::barrier:
      return "B";
    case EventKind::branch:
      return "branch";
  }
  return "?";
}

}  // namespace

std::string event_value(const Frame& frame, const std::vector<litmus::Value>& values, EventId event) {
  if (!frame.events[event].location) return {};
  if (frame.expansion != nullptr && frame.expansion->mbarriers.contains(frame.events[event].physical)) {
    return mbarrier_text(event_place(frame, event), values[event].number);
  }
  return fmt::format("{}={}", event_place(frame, event), litmus::value_text(*frame.test, values[event]));
}

EventTexts::EventTexts(const Frame& frame)
    : frame_(frame),
      texts_(litmus::instruction_texts(frame.expansion != nullptr ? frame.expansion->original : *frame.test)) {}

std::string EventTexts::instruction(EventId event) const {
  const Event& e = frame_.events[event];
  if (!e.thread) return {};
  const std::vector<std::string>& column = texts_[e.thread->index];
  const std::uint32_t index =
      frame_.expansion != nullptr ? frame_.expansion->origin[e.thread->index][e.instruction] : e.instruction;
  return index < column.size() ? column[index] : "";
}

std::string EventTexts::effect(EventId event, const std::vector<litmus::Value>& values) const {
  const Event& e = frame_.events[event];
  if (!e.location) return kind_text(e);
  return fmt::format("{} {}", kind_text(e), event_value(frame_, values, event));
}

}  // namespace weakspot::model
