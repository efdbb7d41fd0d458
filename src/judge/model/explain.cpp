// SPDX-License-Identifier: MIT
#include "model/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "base/sort.h"
#include "litmus/text.h"
#include "model/execution/expand.h"
#include "model/judge.h"
#include "model/reason.h"
#include "model/reason/asynchronous_remarks.h"
#include "model/reason/event_texts.h"
#include "model/reason/reason_text.h"

namespace weakspot::model {
namespace {

// The writes of the cell of an initial write in coherence order, as far as it orders them.
// Those of an mbarrier are changes, each of the state that it read.
std::string coherence_text(const Witness& witness, EventId initial) {
  const Frame& frame = witness.frame;
  if (frame.expansion != nullptr && frame.expansion->mbarriers.contains(frame.events[initial].physical)) return {};
  std::vector<EventId> writes;
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    if (witness.frame.events[event].is_write() && witness.frame.loc.has(initial, event)) writes.push_back(event);
  }
  if (writes.size() < 3) return {};  // the initial write obviously comes first
  std::map<EventId, std::ptrdiff_t> before;
  for (EventId event : writes) {
    before[event] =
        std::count_if(writes.begin(), writes.end(), [&](EventId other) { return witness.co.has(other, event); });
  }
  base::sort(writes, [&](EventId a, EventId b) { return std::pair(before[a], a) < std::pair(before[b], b); });
  std::string text;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (i > 0) text += witness.co.has(writes[i - 1], writes[i]) ? " then " : " beside ";
    text += fmt::format("{} ({})", litmus::value_text(*witness.frame.test, witness.values[writes[i]]),
                        witness.frame.events[writes[i]].thread ? event_letter(witness.frame, writes[i]) : "initially");
  }
  return fmt::format("  coherence of {}: {}\n", event_place(witness.frame, initial), text);
}

// Lines of cells, each column as wide as its widest cell.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line = "    ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
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

// "hb | hb^-1" in words: "hb".
std::string either_way(const std::string& relations) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < relations.size();) {
    const std::size_t end = std::min(relations.find(" | ", at), relations.size());
    const std::string name = relations.substr(at, end - at);
    if (!name.ends_with("^-1")) names.push_back(name);
    at = end + 3;
  }
  return names.empty() ? relations : fmt::format("{}", fmt::join(names, ", not "));
}

// The events, one per line: letter, thread, effect, what a read reads from, and the instruction.
std::string explain_events(const Witness& witness, std::vector<EventId> events) {
  base::sort(events);
  const Frame& frame = witness.frame;
  const EventTexts event_text(frame);
  std::vector<std::vector<std::string>> rows;
  for (EventId event : events) {
    const Event& e = frame.events[event];
    if (!e.thread || e.kind == EventKind::branch) continue;
    std::string effect = event_text.effect(event, witness.values);
    for (EventId write = 0; write < frame.size(); ++write) {
      if (!witness.rf.has(write, event)) continue;
      effect += frame.events[write].thread ? fmt::format(" from {}", event_letter(frame, write)) : " initially";
    }
    // "P0.1" is the first asynchronous operation that P0 issues.
    const std::string agent = e.agent == 0 ? "" : fmt::format(".{}", e.agent);
    rows.push_back({event_letter(frame, event), fmt::format("P{}{}", e.thread->index, agent), std::move(effect),
                    event_text.instruction(event)});
  }
  return table(rows);
}

// The execution itself: each event in program order, and the coherence order.
std::string explain_execution(const Witness& witness) {
  std::vector<EventId> events(witness.frame.size());
  std::iota(events.begin(), events.end(), EventId{0});
  std::string text = explain_events(witness, std::move(events));
  for (EventId event = 0; event < witness.frame.size(); ++event) {
    if (witness.frame.events[event].kind == EventKind::init) text += coherence_text(witness, event);
  }
  return text;
}

// The failed check, opened into steps (see reason.h), with the events that they touch. The model must forbid the
// execution.
std::string explain_forbidden(const Witness& witness, const Model& model, const Limits& limits) {
  const Reason reason = find_reason(witness, model, limits);
  if (!reason.unfinished.empty()) return fmt::format("  the failed check was not found ({})\n", reason.unfinished);
  return explain_events(witness, reason.events) + ReasonText(witness, reason).text();
}

// The flag that an allowed execution raises: a data race names its two accesses, and what could order them.
std::string explain_flag(const Witness& witness, const Model& model, const Limits& limits) {
  const Reason reason = find_flag_reason(witness, model, limits);
  if (!reason.unfinished.empty())
    return fmt::format("  the reason of the flag was not found ({})\n", reason.unfinished);
  if (reason.check.empty()) return {};
  std::string text = fmt::format("  flag '{}'", reason.check);
  if (reason.steps.empty()) return text + "\n";
  const EventId first = reason.steps.front().from;
  const EventId second = reason.steps.back().to;
  const std::string a = event_letter(witness.frame, first);
  const std::string b = event_letter(witness.frame, second);
  text += fmt::format(": {} and {}, when the test ends with {}\n", a, b,
                      litmus::outcome_text(*witness.frame.test, witness.outcome));
  text += explain_events(witness, {first, second});
  if (!reason.missing.empty()) text += fmt::format("    nothing orders them: not {}\n", either_way(reason.missing));
  if (!reason.words.empty()) text += fmt::format("    {}\n", reason.words);
  return text;
}

std::string reach_text(const Verdict& verdict, const Model& model, const Limits& limits) {
  if (verdict.witness) {
    std::string text = fmt::format("  allowed, for example:\n{}", explain_execution(*verdict.witness));
    for (const std::string& remark : asynchronous_remarks(*verdict.witness)) text += fmt::format("  {}\n", remark);
    return text;
  }
  if (const auto& witness = verdict.counterexample) {
    return fmt::format("  {}\n{}", litmus::outcome_text(*witness->frame.test, witness->outcome),
                       explain_forbidden(*witness, model, limits));
  }
  if (verdict.reach != Verdict::Reach::forbidden) return {};
  if (!verdict.unexplained.empty()) {
    return fmt::format("  no example was found of what is forbidden ({})\n", verdict.unexplained);
  }
  if (verdict.never_ends) return "  no execution of the test ends\n";
  return "  no candidate execution ends like this under any model\n";
}

}  // namespace

std::string explain_verdict(const Verdict& verdict, const Model& model, const Limits& limits) {
  const Limits left = limits_left(verdict, limits);
  return reach_text(verdict, model, left) + (verdict.flagged ? explain_flag(*verdict.flagged, model, left) : "");
}

}  // namespace weakspot::model
