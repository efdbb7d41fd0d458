// SPDX-License-Identifier: MIT
#include <algorithm>

#include "model/reason.h"
#include "model/reason/failed_check.h"
#include "model/reason/opener.h"
#include "model/reason/words.h"

namespace weakspot::model {
namespace {

using Steps = std::vector<ReasonStep>;

// Pairs and events to choose the shortest chain from.
constexpr std::size_t kMostTries = 8;

std::size_t edges(const Steps& steps) {
  std::size_t count = 0;
  for (const ReasonStep& step : steps) count += step.inside.empty() ? 1 : edges(step.inside);
  return count;
}

bool is_mark(const ReasonStep& step) { return step.from == step.to && step.inside.empty(); }

// Turns conditions on single events into remarks of the edge next to them, where there is one.
void attach_marks(Steps& steps) {
  for (ReasonStep& step : steps) attach_marks(step.inside);
  if (std::all_of(steps.begin(), steps.end(), is_mark)) return;
  Steps kept;
  std::vector<ReasonRemark> waiting;
  for (ReasonStep& step : steps) {
    if (!is_mark(step)) {
      step.remarks.insert(step.remarks.begin(), waiting.begin(), waiting.end());
      waiting.clear();
      kept.push_back(std::move(step));
      continue;
    }
    std::vector<ReasonRemark> remarks = std::move(step.remarks);
    if (!step.words.empty()) remarks.insert(remarks.begin(), {std::move(step.words), {}, {}});
    std::vector<ReasonRemark>& to = kept.empty() ? waiting : kept.back().remarks;
    to.insert(to.end(), remarks.begin(), remarks.end());
  }
  steps = std::move(kept);
}

// Two steps of program order with a mere access between them are one.
void join_program_order(const Witness& witness, Steps& steps) {
  for (ReasonStep& step : steps) join_program_order(witness, step.inside);
  Steps joined;
  for (ReasonStep& step : steps) {
    const bool access = witness.frame.events[step.from].location.has_value();
    if (!joined.empty() && access && step.relation == "po" && joined.back().relation == "po" &&
        joined.back().to == step.from && step.remarks.empty() && joined.back().remarks.empty()) {
      joined.back().to = step.to;
      joined.back().words = edge_words(witness, "po", joined.back().from, step.to);
    } else {
      joined.push_back(std::move(step));
    }
  }
  steps = std::move(joined);
}

void drop_repeated_remarks(Steps& steps) {
  for (ReasonStep& step : steps) {
    drop_repeated_remarks(step.inside);
    std::vector<ReasonRemark> kept;
    for (ReasonRemark& remark : step.remarks) {
      if (std::find(kept.begin(), kept.end(), remark) == kept.end()) kept.push_back(std::move(remark));
    }
    step.remarks = std::move(kept);
  }
}

// A circle starts at its first event in program order.
void rotate_to_first(const Witness& witness, Steps& steps) {
  const auto first = std::min_element(steps.begin(), steps.end(), [&](const ReasonStep& a, const ReasonStep& b) {
    auto rank = [&](const ReasonStep& step) {
      return std::pair(!witness.frame.events[step.from].thread.has_value(), step.from);
    };
    return rank(a) < rank(b);
  });
  std::rotate(steps.begin(), first, steps.end());
}

void collect_events(const Steps& steps, std::vector<EventId>& events) {
  for (const ReasonStep& step : steps) {
    for (EventId event : {step.from, step.to}) {
      if (std::find(events.begin(), events.end(), event) == events.end()) events.push_back(event);
    }
    collect_events(step.inside, events);
  }
}

class Finder {
 public:
  Finder(const WrittenModel& model, const FailedCheck& failed)
      : model_(model), failed_(failed), opener_(model, *failed.values) {}

  Reason find() {
    const Check& check = model_.program.checks[failed_.check];
    Reason reason;
    reason.check = check.name;
    reason.kind = check.kind;
    reason.negated = check.negated && !check.flag;
    reason.words = model_.program.check_infos[failed_.check].statement->words;
    reason.choices = failed_.choices;
    if (!reason.negated) open(reason);
    finish(reason);
    return reason;
  }

 private:
  const Graph& graph() const { return model_.graph(); }

  void open(Reason& reason) {
    if (graph().is_set(failed_.node)) {
      failed_.values->set_at(graph(), failed_.node).for_each([&](EventId event) { reason.events.push_back(event); });
      return;
    }
    const Relation& relation = failed_.values->relation_at(graph(), failed_.node);
    switch (reason.kind) {
      case Check::Kind::acyclic: {
        const std::vector<EventId> cycle = find_cycle(relation, &model_.allowance);
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          Steps more = opener_.open(failed_.node, cycle[i], cycle[i + 1 == cycle.size() ? 0 : i + 1]);
          std::move(more.begin(), more.end(), std::back_inserter(reason.steps));
        }
        break;
      }
      case Check::Kind::irreflexive:
        shortest(relation, true, reason);
        break;
      case Check::Kind::empty:
        shortest(relation, false, reason);
        break;
    }
  }

  void shortest(const Relation& relation, bool reflexive, Reason& reason) {
    // The pair lacks the subtracted relation.
    const Node& node = graph()[failed_.node];
    const bool lacks = !reflexive && node.op == Op::subtract;
    const NodeId opened = lacks ? node.a : failed_.node;
    if (lacks) reason.missing = opener_.text(node.b);
    std::size_t tries = 0;
    relation.for_each([&](EventId from, EventId to) {
      if ((reflexive && from != to) || ++tries > kMostTries) return;
      Steps steps = opener_.open(opened, from, to);
      if (reason.steps.empty() || edges(steps) < edges(reason.steps)) reason.steps = std::move(steps);
    });
  }

  void finish(Reason& reason) {
    attach_marks(reason.steps);
    if (reason.kind != Check::Kind::empty && !reason.steps.empty()) {
      rotate_to_first(model_.witness, reason.steps);
    }
    join_program_order(model_.witness, reason.steps);
    drop_repeated_remarks(reason.steps);
    collect_events(reason.steps, reason.events);
    if (model_.allowance.used_up()) reason.unfinished = model_.allowance.reason();
  }

  const WrittenModel& model_;
  const FailedCheck& failed_;
  Opener opener_;
};

Reason find(const Witness& witness, const Model& model, const Limits& limits, bool flag) {
  Allowance allowance(limits);
  const WrittenModel written(model, witness, allowance);
  const std::optional<FailedCheck> failed = flag ? find_raised_flag(written) : find_failed_check(written);
  if (failed) return Finder(written, *failed).find();
  Reason reason;
  reason.unfinished = allowance.reason();
  return reason;
}

}  // namespace

Reason find_reason(const Witness& witness, const Model& model, const Limits& limits) {
  return find(witness, model, limits, false);
}

Reason find_flag_reason(const Witness& witness, const Model& model, const Limits& limits) {
  return find(witness, model, limits, true);
}

}  // namespace weakspot::model
