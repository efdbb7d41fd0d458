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

std::string source_text(const Frame& frame, const Event& event) {
  if (!event.thread) return "initially";
  const auto columns = litmus::canonical_columns(*frame.test);
  const std::vector<std::string>& column = columns[event.thread->index];
  const std::string line = event.instruction + 1 < column.size() ? column[event.instruction + 1] : "";
  return fmt::format("P{} `{}`", event.thread->index, line);
}

// The writes of one location in coherence order, as far as it orders them.
std::string coherence_text(const Witness& witness, litmus::LocationId location) {
  std::vector<EventId> writes;
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    const Event& e = witness.frame.events[event];
    if (e.is_write() && e.location && e.physical == location) writes.push_back(event);
  }
  if (writes.size() < 3) return {};  // it is obvious that the initial write comes first
  std::sort(writes.begin(), writes.end(), [&](EventId a, EventId b) {
    auto before = [&](EventId event) {
      return std::count_if(writes.begin(), writes.end(), [&](EventId other) { return witness.co.has(other, event); });
    };
    return std::pair(before(a), a) < std::pair(before(b), b);
  });
  std::string text;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (i > 0) text += witness.co.has(writes[i - 1], writes[i]) ? " then " : " beside ";
    text += litmus::value_text(*witness.frame.test, witness.values[writes[i]]);
  }
  return fmt::format("  coherence of {}: {}\n", (*witness.frame.test)[location].name, text);
}

}  // namespace

std::string event_text(const Frame& frame, EventId event, const std::vector<litmus::Value>& values) {
  const Event& e = frame.events[event];
  std::string effect = kind_text(e);
  if (e.location) {
    effect += fmt::format(" {}={}", (*frame.test)[*e.location].name, litmus::value_text(*frame.test, values[event]));
  }
  return fmt::format("{}  {}", effect, source_text(frame, e));
}

std::string explain_verdict(const Verdict& verdict, const Model& model) {
  if (verdict.witness) return fmt::format("  allowed, for example:\n{}", explain_execution(*verdict.witness));
  if (const std::optional<Witness>& witness = verdict.counterexample) {
    return fmt::format("  {}\n{}", litmus::outcome_text(*witness->frame.test, witness->outcome),
                       explain_forbidden(*witness, model));
  }
  if (verdict.reach != Verdict::Reach::forbidden) return {};
  return "  no candidate execution ends like this under any model\n";
}

std::string explain_forbidden(const Witness& witness, const Model& model) {
  Evaluator evaluator(model);
  evaluator.begin(witness.frame);
  const Evaluator::Failure failure = evaluator.explain(witness.candidate());
  const Model::Check& check = model.checks()[failure.check];
  static constexpr std::string_view kKinds[] = {"acyclic", "irreflexive", "empty"};
  std::string text = fmt::format("  check '{}' ({}{}) fails:\n", check.name, check.negated ? "not " : "",
                                 kKinds[static_cast<std::size_t>(check.kind)]);
  for (std::size_t i = 0; i < failure.events.size(); ++i) {
    text += fmt::format("    {}\n", event_text(witness.frame, failure.events[i], witness.values));
    const bool last = i + 1 == failure.events.size();
    if (last && check.kind == Model::Check::Kind::empty) break;
    const EventId next = failure.events[last ? 0 : i + 1];
    const std::vector<std::string> names = evaluator.names_of(failure.events[i], next);
    text += fmt::format("      -- {} -->{}\n", names.empty() ? "related" : names.front(), last ? " the first" : "");
  }
  return text;
}

std::string explain_execution(const Witness& witness) {
  std::string text;
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    const Event& e = witness.frame.events[event];
    if (!e.thread || e.kind == EventKind::branch) continue;
    text += fmt::format("    {}", event_text(witness.frame, event, witness.values));
    if (e.kind == EventKind::read) {
      for (EventId write = 0; write < witness.frame.size(); ++write) {
        if (!witness.rf.has(write, event)) continue;
        text += fmt::format("   reads from {}", source_text(witness.frame, witness.frame.events[write]));
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
