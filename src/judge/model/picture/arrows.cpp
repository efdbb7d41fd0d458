// SPDX-License-Identifier: MIT
#include "model/picture/arrows.h"

#include <algorithm>
#include <map>

#include "model/evaluate/evaluator.h"
#include "model/execution/frame.h"

namespace weakspot::model::picture {
namespace {

using Tone = PictureArrow::Tone;

bool is_shown(const Frame& frame, EventId event) { return frame.events[event].kind != EventKind::branch; }

// Pairs with nothing between them.
Relation immediate(const Relation& relation) {
  Relation twice(relation.events());
  twice.assign_composition(relation, relation);
  Relation direct = relation;
  direct -= twice;
  return direct;
}

// From a read to the write that comes next after the one it reads.
Relation next_from_read(const Witness& witness) {
  const std::size_t size = witness.frame.size();
  Relation inverse(size), fr(size), later(size);
  inverse.assign_inverse(witness.rf);
  fr.assign_composition(inverse, witness.co);
  fr -= Relation::identity(EventSet::all(size));
  later.assign_composition(fr, witness.co);
  fr -= later;
  return fr;
}

// Names under which models define what synchronises.
bool means_synchronisation(const std::string& name) {
  return name == "sw" || name == "synchronizes" || name == "synchronizes-with";
}

class Collection {
 public:
  explicit Collection(const Witness& witness) : witness_(witness), frame_(witness.frame) {}

  void add(const Relation& relation, const char* label, Tone tone) {
    relation.for_each([&](EventId from, EventId to) { add(from, to, label, tone); });
  }

  void add(EventId from, EventId to, const std::string& label, Tone tone) {
    if (from == to || !is_shown(frame_, from) || !is_shown(frame_, to)) return;
    Entry& entry = entries_[{from, to}];
    std::vector<std::string>& labels = tone == Tone::loud ? entry.steps : entry.labels;
    if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    entry.tone = std::max(entry.tone, tone);
  }

  void add_program_order() {
    Relation po = frame_.po;
    for (EventId event = 0; event < frame_.size(); ++event) {
      if (is_shown(frame_, event)) continue;
      for (EventId other = 0; other < frame_.size(); ++other) {
        po.erase(event, other);
        po.erase(other, event);
      }
    }
    add(immediate(po), "po", Tone::order);
  }

  // The first event that a branch decides stands for those that follow.
  void add_control() {
    frame_.ctrl.for_each([&](EventId from, EventId to) {
      for (EventId other = 0; other < frame_.size(); ++other) {
        if (frame_.ctrl.has(from, other) && frame_.po.has(other, to)) return;
      }
      add(from, to, "ctrl", Tone::dependency);
    });
  }

  void add_coherence() {
    immediate(witness_.co).for_each([&](EventId from, EventId to) {
      if (frame_.events[from].kind != EventKind::init) add(from, to, "co", Tone::communication);
    });
  }

  void add_synchronisation(const Model& model, const Limits& limits) {
    Allowance allowance(limits);
    Evaluator evaluator(model, &allowance);
    evaluator.begin(frame_);
    const Candidate candidate = witness_.candidate();
    if (!evaluator.allows(candidate) && !allowance.used_up()) evaluator.explain(candidate);  // computes all of it
    if (allowance.used_up() || evaluator.problem()) return;
    for (EventId from = 0; from < frame_.size(); ++from) {
      for (EventId to = 0; to < frame_.size(); ++to) {
        if (!frame_.events[from].thread || !frame_.events[to].thread) continue;
        if (frame_.events[from].thread == frame_.events[to].thread) continue;
        const std::vector<std::string> names = evaluator.names_of(from, to);
        if (std::any_of(names.begin(), names.end(), means_synchronisation))
          add(from, to, "sync", Tone::synchronisation);
      }
    }
  }

  void add_step(const ReasonStep& step) {
    const bool sync = means_synchronisation(step.relation);
    if (step.inside.empty()) return add(step.from, step.to, sync ? "sync" : step.relation, Tone::loud);
    for (const ReasonStep& part : step.inside) add_step(part);
    if (sync) add(step.from, step.to, "sync", Tone::synchronisation);
  }

  // A race goes both ways, unless an arrow is there already.
  void add_race(EventId first, EventId second) {
    if (entries_.contains({second, first})) std::swap(first, second);
    add(first, second, "race", Tone::loud);
    entries_[{first, second}].both_ways = entries_[{first, second}].labels.empty();
  }

  Arrows take() && {
    Arrows arrows;
    for (const auto& [ends, entry] : entries_) {
      const auto& [from, to] = ends;
      const auto back = entries_.find({to, from});
      const bool mutual = back != entries_.end() && back->second == entry;
      if ((mutual && to < from) || (back != entries_.end() && is_said_by(entry, back->second))) continue;
      arrows.push_back({from, to, label_of(entry), entry.tone, mutual || entry.both_ways});
    }
    return arrows;
  }

 private:
  struct Entry {
    std::vector<std::string> labels;
    std::vector<std::string> steps;  // labels of the steps of the reason
    Tone tone = Tone::order;
    bool both_ways = false;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // Barriers synchronise both ways; one arrow is enough if the other way says more.
  static bool is_said_by(const Entry& entry, const Entry& back) {
    const bool only_sync = entry.steps.empty() && entry.labels == std::vector<std::string>{"sync"};
    return only_sync && back.tone > entry.tone &&
           std::find(back.labels.begin(), back.labels.end(), "sync") != back.labels.end();
  }

  // A step is called what the reason calls it. Program order is plain to see, and is named only as a step.
  static std::string label_of(const Entry& entry) {
    std::string text;
    auto append = [&](const std::string& label) { text += (text.empty() ? "" : ",") + label; };
    for (const std::string& label : entry.steps) append(label);
    for (const std::string& label : entry.labels) {
      const bool step = !entry.steps.empty() && entry.steps.front() != "race";
      const bool adds = step ? label == "sync" : label != "po";
      if (adds && text.find(label) == std::string::npos) append(label);
    }
    return text;
  }

  const Witness& witness_;
  const Frame& frame_;
  std::map<std::pair<EventId, EventId>, Entry> entries_;
};

}  // namespace

Arrows arrows_of(const Witness& witness, const Model& model, const Emphasis& emphasis, const Limits& limits) {
  Collection arrows(witness);
  const Frame& frame = witness.frame;
  arrows.add_program_order();
  arrows.add(frame.addr, "addr", Tone::dependency);
  arrows.add(frame.data, "data", Tone::dependency);
  arrows.add_control();
  arrows.add(frame.rmw, "rmw", Tone::dependency);
  arrows.add(witness.rf, "rf", Tone::communication);
  arrows.add_coherence();
  if (emphasis.reason.steps.empty()) arrows.add(next_from_read(witness), "fr", Tone::communication);
  for (const ReasonStep& step : emphasis.reason.steps) arrows.add_step(step);
  arrows.add_synchronisation(model, limits);
  if (emphasis.race) arrows.add_race(emphasis.race->first, emphasis.race->second);
  return std::move(arrows).take();
}

}  // namespace weakspot::model::picture
