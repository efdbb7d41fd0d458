// SPDX-License-Identifier: MIT
#include "model/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "litmus/text.h"
#include "model/reason.h"
#include "model/reason/reason_text.h"

namespace weakspot::model {
namespace {

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

// The writes of one location in coherence order, as far as it orders them.
std::string coherence_text(const Witness& witness, litmus::LocationId location) {
  std::vector<EventId> writes;
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    const Event& e = witness.frame.events[event];
    if (e.is_write() && e.location && e.physical == location) writes.push_back(event);
  }
  if (writes.size() < 3) return {};  // it is obvious that the initial write comes first
  std::map<EventId, std::ptrdiff_t> before;
  for (EventId event : writes) {
    before[event] =
        std::count_if(writes.begin(), writes.end(), [&](EventId other) { return witness.co.has(other, event); });
  }
  std::sort(writes.begin(), writes.end(),
            [&](EventId a, EventId b) { return std::pair(before[a], a) < std::pair(before[b], b); });
  std::string text;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (i > 0) text += witness.co.has(writes[i - 1], writes[i]) ? " then " : " beside ";
    text += litmus::value_text(*witness.frame.test, witness.values[writes[i]]);
  }
  return fmt::format("  coherence of {}: {}\n", (*witness.frame.test)[location].name, text);
}

// The events that an explanation speaks of: letter, thread, instruction, effect.
std::string event_lines(const Witness& witness, std::vector<EventId> events) {
  std::sort(events.begin(), events.end());
  const EventTexts event_text(witness.frame);
  std::string text;
  for (EventId event : events) {
    if (witness.frame.events[event].thread) {
      text += fmt::format("    {:<2}  {}\n", event_letter(witness.frame, event), event_text(event, witness.values));
    }
  }
  return text;
}

// The limits of the explanation of a verdict.
Limits limits_left(const Verdict& verdict, Limits limits) {
  if (limits.time.count() == 0) return limits;
  const auto used = std::chrono::milliseconds(static_cast<std::int64_t>(verdict.seconds * 1000));
  limits.time = std::max({limits.time - used, limits.time / 10, std::chrono::milliseconds(1)});
  return limits;
}

}  // namespace

EventTexts::EventTexts(const Frame& frame) : frame_(frame), columns_(litmus::canonical_columns(*frame.test)) {}

std::string EventTexts::source(EventId event) const {
  const Event& e = frame_.events[event];
  if (!e.thread) return "initially";
  const std::vector<std::string>& column = columns_[e.thread->index];
  const std::string line = e.instruction + 1 < column.size() ? column[e.instruction + 1] : "";
  return fmt::format("P{} `{}`", e.thread->index, line);
}

std::string EventTexts::operator()(EventId event, const std::vector<litmus::Value>& values) const {
  const Event& e = frame_.events[event];
  std::string effect = kind_text(e);
  if (e.location) {
    effect += fmt::format(" {}={}", (*frame_.test)[*e.location].name, litmus::value_text(*frame_.test, values[event]));
  }
  return fmt::format("{}  {}", effect, source(event));
}

std::string explain_verdict(const Verdict& verdict, const Model& model, const Limits& limits) {
  if (verdict.witness) return fmt::format("  allowed, for example:\n{}", explain_execution(*verdict.witness));
  if (const std::optional<Witness>& witness = verdict.counterexample) {
    return fmt::format("  {}\n{}", litmus::outcome_text(*witness->frame.test, witness->outcome),
                       explain_forbidden(*witness, model, limits_left(verdict, limits)));
  }
  if (verdict.reach != Verdict::Reach::forbidden) return {};
  if (!verdict.unexplained.empty()) {
    return fmt::format("  no example was found of what is forbidden ({})\n", verdict.unexplained);
  }
  return "  no candidate execution ends like this under any model\n";
}

std::string explain_forbidden(const Witness& witness, const Model& model, const Limits& limits) {
  const Reason reason = find_reason(witness, model, limits);
  if (!reason.unfinished.empty()) return fmt::format("  the failed check was not found ({})\n", reason.unfinished);
  return event_lines(witness, reason.events) + ReasonText(witness, reason).text();
}

std::string explain_execution(const Witness& witness) {
  std::string text;
  const EventTexts event_text(witness.frame);
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    const Event& e = witness.frame.events[event];
    if (!e.thread || e.kind == EventKind::branch) continue;
    text += fmt::format("    {}", event_text(event, witness.values));
    if (e.kind == EventKind::read) {
      for (EventId write = 0; write < witness.frame.size(); ++write) {
        if (!witness.rf.has(write, event)) continue;
        text += fmt::format("   reads from {}", event_text.source(write));
      }
    }
    text += '\n';
  }
  for (std::uint32_t i = 0; i < witness.frame.test->locations.size(); ++i) {
    text += coherence_text(witness, litmus::LocationId{i});
  }
  return text;
}

}  // namespace weakspot::model
