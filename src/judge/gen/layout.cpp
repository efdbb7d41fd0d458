// SPDX-License-Identifier: MIT
#include "gen/layout.h"

#include <algorithm>

#include "base/check.h"
#include "gen/shape/placement.h"

namespace weakspot::gen {
namespace {

constexpr std::size_t kNoWrite = SIZE_MAX;

// The writes of one location in coherence order, and which of its pairs the condition must show.
struct Coherence {
  std::vector<std::size_t> writes;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};

// Follows the events of one location, in the order of the cycle.
struct Walk {
  Coherence coherence;
  std::vector<std::size_t> source;  // by event: the write a read sees

  Walk(const Cycle& cycle, std::size_t first, std::size_t count, bool carries_over_po)
      : source(cycle.steps.size(), kNoWrite) {
    std::size_t last_write = kNoWrite;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = (first + n) % cycle.steps.size();
      const std::size_t next = (i + 1) % cycle.steps.size();
      const Edge& edge = cycle.steps[i].edge;
      if (edge.source == Direction::read) {
        source[i] = last_write;
      } else {
        coherence.writes.push_back(i);
        last_write = i;
      }
      if (edge.kind == EdgeKind::co) coherence.pairs.emplace_back(i, next);
      if (edge.kind == EdgeKind::fr && source[i] != kNoWrite) coherence.pairs.emplace_back(source[i], next);
      const bool carries = is_communication(edge.kind) || edge.kind == EdgeKind::rmw;
      if (!carries && !carries_over_po) last_write = kNoWrite;
    }
  }
};

struct Shown {
  bool final_value = false;
  std::vector<std::size_t> observed;  // writes, in coherence order
};

Shown show(const Coherence& coherence, bool prefer_observers) {
  Shown shown;
  std::vector<std::size_t> wanted;
  for (const auto& [earlier, later] : coherence.pairs) {
    if (later == coherence.writes.back() && !prefer_observers) {
      shown.final_value = true;
    } else {
      wanted.push_back(earlier);
      wanted.push_back(later);
    }
  }
  for (std::size_t write : coherence.writes) {
    if (std::find(wanted.begin(), wanted.end(), write) != wanted.end()) shown.observed.push_back(write);
  }
  return shown;
}

class LayoutMaker {
 public:
  LayoutMaker(const Cycle& cycle, const LayoutOptions& options) : options_(options) {
    layout_.cycle = options.as_written ? with_spaces(cycle) : canonical(cycle);
  }

  Layout run() {
    make_events();
    coherence_.resize(layout_.locations);
    if (layout_.locations == 1) {
      walk_one_location();
    } else {
      walk_each_location();
    }
    assign_values();
    ask();
    layout_.placements = place_threads(layout_.cycle).threads;
    return std::move(layout_);
  }

 private:
  const std::vector<Step>& steps() const { return layout_.cycle.steps; }

  void make_events() {
    const std::vector<std::uint32_t> locations = locations_of(layout_.cycle);
    layout_.events.resize(steps().size());
    source_.assign(steps().size(), kNoWrite);
    for (std::size_t i = 0; i < steps().size(); ++i) {
      Event& event = layout_.events[i];
      if (i > 0 && steps()[i - 1].edge.external) ++layout_.threads;
      event.direction = steps()[i].edge.source;
      event.annotation = steps()[i].event;
      event.thread = layout_.threads;
      event.location = locations[i];
      layout_.locations = std::max(layout_.locations, locations[i] + 1);
    }
    ++layout_.threads;
  }

  void take(Walk walk, std::uint32_t location) {
    coherence_[location] = std::move(walk.coherence);
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (walk.source[i] != kNoWrite) source_[i] = walk.source[i];
    }
  }

  void walk_each_location() {
    for (std::size_t i = 0; i < steps().size(); ++i) {
      if (steps()[i].edge.same_location) continue;
      const std::size_t first = (i + 1) % steps().size();
      std::size_t count = 1;
      while (steps()[(first + count - 1) % steps().size()].edge.same_location) ++count;
      take(Walk(layout_.cycle, first, count, true), layout_.events[first].location);
    }
  }

  void walk_one_location() {
    std::optional<Walk> best;
    std::size_t fewest = 0;
    for (std::size_t i = 0; i < steps().size(); ++i) {
      const Edge& edge = steps()[i].edge;
      if (is_communication(edge.kind) || edge.kind == EdgeKind::rmw) continue;
      Walk walk(layout_.cycle, i + 1, steps().size(), false);
      const std::size_t needed = show(walk.coherence, options_.prefer_observers).observed.size();
      if (!best || needed < fewest) {
        best = std::move(walk);
        fewest = needed;
      }
    }
    WEAKSPOT_CHECK(best.has_value());
    take(std::move(*best), 0);
  }

  void assign_values() {
    for (const Coherence& coherence : coherence_) {
      std::int64_t value = 0;
      for (std::size_t write : coherence.writes) layout_.events[write].value = ++value;
    }
    if (!options_.values.empty()) {
      std::size_t next = 0;
      for (Event& event : layout_.events) {
        if (event.direction != Direction::write) continue;
        WEAKSPOT_CHECK(next < options_.values.size());
        event.value = options_.values[next++];
      }
    }
    for (std::size_t i = 0; i < source_.size(); ++i) {
      if (source_[i] != kNoWrite) layout_.events[i].value = layout_.events[source_[i]].value;
    }
  }

  void ask() {
    for (std::size_t i = 0; i < steps().size(); ++i) {
      Event& event = layout_.events[i];
      const EdgeKind out = steps()[i].edge.kind;
      // The read before a branch is asked for its value, because the events after the branch depend on it.
      event.asked = event.direction == Direction::read &&
                    (layout_.cycle.edge_into(i).kind == EdgeKind::rf || out == EdgeKind::fr || out == EdgeKind::ctrl);
    }
    for (std::uint32_t location = 0; location < coherence_.size(); ++location) {
      const Shown shown = show(coherence_[location], options_.prefer_observers);
      if (!shown.final_value && shown.observed.empty()) continue;
      Witness& witness = layout_.witnesses.emplace_back();
      witness.location = location;
      if (shown.final_value) witness.final_value = layout_.events[coherence_[location].writes.back()].value;
      for (std::size_t write : shown.observed) witness.observed.push_back(layout_.events[write].value);
    }
  }

  const LayoutOptions& options_;
  Layout layout_;
  std::vector<Coherence> coherence_;  // by location
  std::vector<std::size_t> source_;   // by event
};

}  // namespace

Layout lay_out(const Cycle& cycle, const LayoutOptions& options) { return LayoutMaker(cycle, options).run(); }

}  // namespace weakspot::gen
