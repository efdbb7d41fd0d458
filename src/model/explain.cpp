// SPDX-License-Identifier: MIT
#include "model/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "litmus/text.h"

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

// The location that an event names, with the bytes of it where accesses are in pieces: "x", "x[4..7]".
std::string place_text(const Frame& frame, const Event& event) {
  const std::string& name = (*frame.test)[*event.location].name;
  if (!frame.pieces || event.size == litmus::size_in_bytes((*frame.test)[event.physical].type)) return name;
  return fmt::format("{}[{}..{}]", name, event.offset, event.offset + event.size - 1);
}

// The writes of the cell of an initial write in coherence order, as far as it orders them.
std::string coherence_text(const Witness& witness, EventId initial) {
  std::vector<EventId> writes;
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    if (witness.frame.events[event].is_write() && witness.frame.loc.has(initial, event)) writes.push_back(event);
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
  return fmt::format("  coherence of {}: {}\n", place_text(witness.frame, witness.frame.events[initial]), text);
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
    effect += fmt::format(" {}={}", place_text(frame_, e), litmus::value_text(*frame_.test, values[event]));
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
  Allowance allowance(limits);
  Evaluator evaluator(model, &allowance);
  evaluator.begin(witness.frame);
  const Evaluator::Failure failure = evaluator.explain(witness.candidate());
  auto unfinished = [&] { return fmt::format("  the failed check was not found ({})\n", allowance.reason()); };
  if (allowance.used_up()) return unfinished();
  const Model::Check& check = model.checks()[failure.check];
  const EventTexts event_text(witness.frame);
  static constexpr std::string_view kKinds[] = {"acyclic", "irreflexive", "empty"};
  std::string text = fmt::format("  check '{}' ({}{}) fails:\n", check.name, check.negated ? "not " : "",
                                 kKinds[static_cast<std::size_t>(check.kind)]);
  for (std::size_t i = 0; i < failure.events.size(); ++i) {
    text += fmt::format("    {}\n", event_text(failure.events[i], witness.values));
    const bool last = i + 1 == failure.events.size();
    if (last && check.kind == Model::Check::Kind::empty) break;
    const EventId next = failure.events[last ? 0 : i + 1];
    const std::vector<std::string> names = evaluator.names_of(failure.events[i], next);
    if (allowance.used_up()) return unfinished();
    text += fmt::format("      -- {} -->{}\n", names.empty() ? "related" : names.front(), last ? " the first" : "");
  }
  return text;
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
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    if (witness.frame.events[event].kind == EventKind::init) text += coherence_text(witness, event);
  }
  return text;
}

}  // namespace weakspot::model
