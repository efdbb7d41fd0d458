// SPDX-License-Identifier: MIT
#include "gen/cycle.h"

#include <algorithm>
#include <cctype>

namespace weakspot::gen {
namespace {

using litmus::Space;

// Ranks the points of a thread, its first and its last event, for names: W+RR before WW+RR before RW+RW.
int point_rank(Direction first, Direction last, bool single) {
  if (single) return first == Direction::write ? 0 : 6;
  if (first == Direction::write && last == Direction::write) return 1;
  if (first == Direction::read) return last == Direction::read ? 2 : 3;
  return 4;
}

// Rotations are compared by what their names would say: the points of the threads, then how many edges each has, then
// which, then all the rest.
std::vector<std::uint64_t> rotation_key(const Cycle& cycle) {
  std::vector<std::uint64_t> points, sizes, edges, events;
  const std::vector<std::size_t> starts = thread_starts(cycle);
  for (std::size_t t = 0; t < starts.size(); ++t) {
    const std::size_t end = t + 1 < starts.size() ? starts[t + 1] : cycle.steps.size();
    points.push_back(static_cast<std::uint64_t>(
        point_rank(cycle.steps[starts[t]].edge.source, cycle.steps[end - 1].edge.source, end - starts[t] == 1)));
    sizes.push_back(end - starts[t]);
  }
  for (const Step& step : cycle.steps) {
    edges.push_back(code(step.edge));
    events.push_back(~code(step.event));  // annotated events come first: LB+acq+po
  }
  std::vector<std::uint64_t> key = std::move(points);
  for (const auto* part : {&sizes, &edges, &events}) key.insert(key.end(), part->begin(), part->end());
  return key;
}

}  // namespace

Cycle rotated(const Cycle& cycle, std::size_t first) {
  Cycle result = cycle;
  std::rotate(result.steps.begin(), result.steps.begin() + static_cast<std::ptrdiff_t>(first), result.steps.end());
  return result;
}

std::string to_string(const Cycle& cycle) {
  std::string text;
  auto add = [&](std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
  };
  // A space is said once for each location.
  std::size_t changes = 0;
  for (const Step& step : cycle.steps) changes += !step.edge.same_location;
  std::vector<bool> said(changes + 1);
  std::size_t location = 0;
  for (const Step& step : cycle.steps) {
    std::string word = to_string(step.event);
    if (step.event.space != Space::none && !said[location]) {
      if (!word.empty()) word += '.';
      word += litmus::to_string(step.event.space);
      said[location] = true;
    }
    if (!word.empty()) {
      word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
      add(word);
    }
    add(to_string(step.edge));
    if (!step.edge.same_location) location = changes > 1 ? (location + 1) % changes : 0;
  }
  return text;
}

std::vector<Space> spaces_of(const Cycle& cycle, const std::vector<std::uint32_t>& locations) {
  std::vector<Space> spaces(locations.empty() ? 0 : *std::max_element(locations.begin(), locations.end()) + 1);
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    if (cycle.steps[i].event.space != Space::none) spaces[locations[i]] = cycle.steps[i].event.space;
  }
  return spaces;
}

Cycle with_spaces(const Cycle& cycle) {
  Cycle full = cycle;
  const std::vector<std::uint32_t> locations = locations_of(full);
  const std::vector<Space> spaces = spaces_of(full, locations);
  for (std::size_t i = 0; i < full.steps.size(); ++i) full.steps[i].event.space = spaces[locations[i]];
  // One event on a CPU puts the thread there.
  for (std::size_t round = 0; round < full.steps.size(); ++round) {
    for (std::size_t i = 0; i < full.steps.size(); ++i) {
      const std::size_t next = (i + 1) % full.steps.size();
      if (full.steps[i].edge.external || full.steps[i].event.cpu == full.steps[next].event.cpu) continue;
      full.steps[i].event.cpu = full.steps[next].event.cpu = true;
    }
  }
  return full;
}

Cycle canonical(const Cycle& cycle) {
  Cycle best;
  std::vector<std::uint64_t> best_key;
  const Cycle full = with_spaces(cycle);
  for (std::size_t i = 0; i < full.steps.size(); ++i) {
    if (!full.edge_into(i).external) continue;
    Cycle candidate = rotated(full, i);
    std::vector<std::uint64_t> key = rotation_key(candidate);
    if (best.steps.empty() || key < best_key) {
      best = std::move(candidate);
      best_key = std::move(key);
    }
  }
  return best;
}

std::vector<std::size_t> thread_starts(const Cycle& cycle) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    if (cycle.edge_into(i).external) starts.push_back(i);
  }
  return starts;
}

std::vector<std::uint32_t> locations_of(const Cycle& cycle) {
  std::vector<std::uint32_t> locations;
  std::uint32_t location = 0;
  for (const Step& step : cycle.steps) {
    locations.push_back(location);
    location += !step.edge.same_location;
  }
  // After the last change comes the first location again.
  for (std::uint32_t& one : locations) {
    if (location > 0) one %= location;
  }
  return locations;
}

}  // namespace weakspot::gen
