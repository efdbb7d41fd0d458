// SPDX-License-Identifier: MIT
#include "model/picture/telling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "model/reason/event_texts.h"

namespace weakspot::model::picture {
namespace {

// What a place costs: an event before one that stands above it; a read or a write that is not of the newest value; a
// change of the thread. Each is worth any number of the next.
constexpr std::uint32_t kEarly = 1'000'000, kStale = 1'000, kTurn = 1;
// So many events have all their orders weighed; of more, the next best one follows.
constexpr std::size_t kExact = 14;

using Mask = std::uint64_t;
constexpr Mask bit(std::size_t i) { return Mask{1} << i; }

// Events that are told at once: one, or the two halves of a read-modify-write.
struct Unit {
  std::vector<EventId> events;
  std::size_t column = 0;  // of units: those of one agent have one number
  Mask needed = 0;         // units that come first in every story
  Mask above = 0;          // in program order
  Mask newer = 0;          // writes that are newer than what it reads, or later in coherence than what it writes
};

class Teller {
 public:
  explicit Teller(const Witness& witness) : witness_(witness), frame_(witness.frame) {}

  std::optional<std::vector<Told>> tell() {
    for (const Event& event : frame_.events) {
      if (event.kind == EventKind::barrier) return std::nullopt;
    }
    collect_units();
    if (units_.empty() || units_.size() > 64) return std::nullopt;
    relate_units();
    const std::vector<std::size_t> order = units_.size() <= kExact ? best_order() : next_best_order();
    if (order.size() != units_.size()) return std::nullopt;  // what is needed goes round in a circle
    return remarks_on(order);
  }

 private:
  void collect_units() {
    unit_of_.assign(frame_.size(), 0);
    for (EventId event = 0; event < frame_.size(); ++event) {
      const Event& e = frame_.events[event];
      if (!e.thread || e.kind == EventKind::branch) continue;
      const bool joins = !units_.empty() && frame_.rmw.has(units_.back().events.back(), event);
      if (!joins) units_.push_back({.events = {}, .column = column_of(e)});
      unit_of_[event] = units_.size() - 1;
      units_.back().events.push_back(event);
    }
  }

  std::size_t column_of(const Event& event) {
    const auto key = std::pair(event.thread->index, event.agent);
    const auto found = std::find(columns_.begin(), columns_.end(), key);
    if (found != columns_.end()) return static_cast<std::size_t>(found - columns_.begin());
    columns_.push_back(key);
    return columns_.size() - 1;
  }

  bool is_told(EventId event) const {
    return frame_.events[event].thread && frame_.events[event].kind != EventKind::branch;
  }

  void add(const Relation& relation, Mask Unit::* set) {
    relation.for_each([&](EventId from, EventId to) {
      if (!is_told(from) || !is_told(to) || unit_of_[from] == unit_of_[to]) return;
      units_[unit_of_[to]].*set |= bit(unit_of_[from]);
    });
  }

  void relate_units() {
    for (const Relation* relation : {&witness_.rf, &frame_.addr, &frame_.data, &frame_.issues, &frame_.completes}) {
      if (relation->events() != 0) add(*relation, &Unit::needed);
    }
    add(frame_.po, &Unit::above);
    Relation inverse(frame_.size()), from_read(frame_.size()), later(frame_.size());
    inverse.assign_inverse(witness_.rf);
    from_read.assign_composition(inverse, witness_.co);
    from_read |= witness_.co;
    later.assign_inverse(from_read);  // from a newer write to the read or write of an older value
    newer_ = later;
    add(later, &Unit::newer);
  }

  std::uint32_t cost(std::size_t unit, Mask told, std::size_t last) const {
    const Unit& u = units_[unit];
    const auto count = [](Mask mask) { return static_cast<std::uint32_t>(__builtin_popcountll(mask)); };
    return kEarly * count(u.above & ~told) + kStale * count(u.newer & told) + (u.column == last ? 0 : kTurn);
  }

  bool may_follow(std::size_t unit, Mask told) const {
    return (told & bit(unit)) == 0 && (units_[unit].needed & ~told) == 0;
  }

  // The cheapest way to each set of told units and last column.
  std::vector<std::size_t> best_order() const {
    struct Way {
      std::uint32_t cost = std::numeric_limits<std::uint32_t>::max();
      std::uint8_t unit = 0, column = 0;  // the unit told last, and the column before
    };
    const std::size_t count = units_.size(), columns = columns_.size() + 1;  // the last one: none yet
    std::vector<Way> ways((std::size_t{1} << count) * columns);
    ways[columns - 1].cost = 0;
    for (Mask told = 0; told + 1 < bit(count); ++told) {
      for (std::size_t last = 0; last < columns; ++last) {
        const Way from = ways[told * columns + last];
        if (from.cost == std::numeric_limits<std::uint32_t>::max()) continue;
        for (std::size_t unit = 0; unit < count; ++unit) {
          if (!may_follow(unit, told)) continue;
          Way& to = ways[(told | bit(unit)) * columns + units_[unit].column];
          const std::uint32_t all = from.cost + cost(unit, told, last);
          if (all < to.cost) to = {all, static_cast<std::uint8_t>(unit), static_cast<std::uint8_t>(last)};
        }
      }
    }
    Mask told = bit(count) - 1;
    std::size_t last = 0;
    for (std::size_t column = 1; column + 1 < columns; ++column) {
      if (ways[told * columns + column].cost <= ways[told * columns + last].cost) last = column;
    }
    std::vector<std::size_t> order;
    while (told != 0) {
      const Way& way = ways[told * columns + last];
      if (way.cost == std::numeric_limits<std::uint32_t>::max()) return {};
      order.push_back(way.unit);
      told &= ~bit(way.unit);
      last = way.column;
    }
    std::reverse(order.begin(), order.end());
    return order;
  }

  std::vector<std::size_t> next_best_order() const {
    std::vector<std::size_t> order;
    Mask told = 0;
    std::size_t last = columns_.size();
    while (order.size() < units_.size()) {
      std::optional<std::size_t> best;
      for (std::size_t unit = 0; unit < units_.size(); ++unit) {
        if (may_follow(unit, told) && (!best || cost(unit, told, last) < cost(*best, told, last))) best = unit;
      }
      if (!best) break;
      order.push_back(*best);
      told |= bit(*best);
      last = units_[*best].column;
    }
    return order;
  }

  std::vector<Told> remarks_on(const std::vector<std::size_t>& order) const {
    std::vector<Told> story;
    EventSet told(frame_.size());
    for (std::size_t unit : order) {
      for (EventId event : units_[unit].events) {
        Told step{.event = event, .early = {}, .unseen = {}, .outlived = {}};
        const bool reads = frame_.events[event].kind == EventKind::read;
        for (EventId other = 0; other < frame_.size(); ++other) {
          if (!is_told(other) || unit_of_[other] == unit) continue;
          if (!told.has(other) && frame_.po.has(other, event)) step.early.push_back(other);
          if (told.has(other) && newer_.has(other, event)) (reads ? step.unseen : step.outlived).push_back(other);
        }
        story.push_back(std::move(step));
      }
      for (EventId event : units_[unit].events) told.insert(event);
    }
    return story;
  }

  const Witness& witness_;
  const Frame& frame_;
  std::vector<Unit> units_;
  std::vector<std::size_t> unit_of_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> columns_;  // thread and agent
  Relation newer_;
};

std::string joined(const Frame& frame, const std::vector<EventId>& events) {
  std::string text;
  for (std::size_t i = 0; i < events.size(); ++i) {
    text += i == 0 ? "" : i + 1 == events.size() ? " and " : ", ";
    text += event_letter(frame, events[i]);
  }
  return text;
}

std::string agent_name(const Event& event) {
  return event.agent == 0 ? fmt::format("P{}", event.thread->index)
                          : fmt::format("P{}.{}", event.thread->index, event.agent);
}

// A write that the thread of the read has seen in an earlier step, after `missed` in program order.
std::optional<EventId> seen_after(const Witness& witness, const std::vector<Told>& story, std::size_t step,
                                  EventId missed) {
  const Frame& frame = witness.frame;
  const Event& reader = frame.events[story[step].event];
  for (std::size_t earlier = 0; earlier < step; ++earlier) {
    const EventId read = story[earlier].event;
    if (frame.events[read].kind != EventKind::read || !frame.events[read].same_agent(reader)) continue;
    for (EventId write = 0; write < frame.size(); ++write) {
      if (witness.rf.has(write, read) && frame.po.has(missed, write)) return write;
    }
  }
  return std::nullopt;
}

std::string read_words(const Witness& witness, const std::vector<Told>& story, std::size_t step) {
  const Frame& frame = witness.frame;
  const Told& told = story[step];
  std::string text;
  for (EventId write = 0; write < frame.size(); ++write) {
    if (!witness.rf.has(write, told.event)) continue;
    text += frame.events[write].thread ? fmt::format(", which {} wrote", event_letter(frame, write))
                                       : std::string(", the initial value");
    break;
  }
  text += '.';
  if (told.unseen.empty()) return text;
  text += fmt::format(" It does not see {}", joined(frame, told.unseen));
  for (EventId missed : told.unseen) {
    const auto seen = seen_after(witness, story, step, missed);
    if (!seen) continue;
    text += fmt::format(", although {} has seen {}, which comes after {}", agent_name(frame.events[told.event]),
                        event_letter(frame, *seen), event_letter(frame, missed));
    break;
  }
  return text + '.';
}

}  // namespace

std::optional<std::vector<Told>> tell(const Witness& witness) { return Teller(witness).tell(); }

std::string told_words(const Witness& witness, const std::vector<Told>& story, std::size_t step) {
  const Frame& frame = witness.frame;
  const Told& told = story[step];
  const Event& event = frame.events[told.event];
  std::string text = agent_name(event);
  if (event.kind == EventKind::read) {
    text += fmt::format(" reads {}", event_value(frame, witness.values, told.event)) + read_words(witness, story, step);
  } else if (event.kind == EventKind::write) {
    text += fmt::format(" writes {}.", event_value(frame, witness.values, told.event));
  } else {
    text += fmt::format(" goes past {}.", EventTexts(frame).instruction(told.event));
  }
  if (!told.outlived.empty()) {
    text += fmt::format(" Memory keeps the value of {}: {} later in the order of writes to {}.",
                        joined(frame, told.outlived), told.outlived.size() == 1 ? "it comes" : "they come",
                        event_place(frame, told.event));
  }
  if (!told.early.empty()) {
    text += fmt::format(" This happens before {}, which {} above it in the program.", joined(frame, told.early),
                        told.early.size() == 1 ? "stands" : "stand");
  }
  return text;
}

}  // namespace weakspot::model::picture
