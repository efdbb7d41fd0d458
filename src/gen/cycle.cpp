#include "gen/cycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gen/placement.h"

namespace weakspot::gen {
namespace {

using litmus::Order;
using litmus::Space;

std::string_view noun(Direction direction) { return direction == Direction::read ? "read" : "write"; }

Cycle rotated(const Cycle& cycle, std::size_t first) {
  Cycle result = cycle;
  std::rotate(result.steps.begin(), result.steps.begin() + static_cast<std::ptrdiff_t>(first), result.steps.end());
  return result;
}

// The memory space of each location; contradictions are reported at the later event.
std::vector<Space> spaces_of(const Cycle& cycle, const std::vector<std::uint32_t>& locations,
                             std::vector<CycleMistake>& mistakes) {
  std::vector<Space> spaces(locations.empty() ? 0 : *std::max_element(locations.begin(), locations.end()) + 1);
  for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
    const Space said = cycle.steps[i].event.space;
    Space& space = spaces[locations[i]];
    if (said == Space::none || said == space) continue;
    if (space != Space::none) {
      mistakes.push_back({i, fmt::format("this location was said to be in {} memory before, here in {} memory",
                                         litmus::to_string(space), litmus::to_string(said))});
    }
    space = said;
  }
  return spaces;
}

class Checker {
 public:
  static constexpr std::size_t kMostEdges = 256;

  explicit Checker(const Cycle& cycle) : cycle_(cycle) {}

  std::vector<CycleMistake> run() {
    if (cycle_.steps.size() < 2) {
      add(0, "a cycle needs two edges or more");
      return std::move(mistakes_);
    }
    if (cycle_.steps.size() > kMostEdges) {
      add(kMostEdges, fmt::format("a cycle has {} edges at most", kMostEdges));
      return std::move(mistakes_);
    }
    check_directions();
    check_threads();
    check_locations();
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) check_event(i);
    if (mistakes_.empty()) check_places();
    return std::move(mistakes_);
  }

 private:
  void add(std::size_t step, std::string message) { mistakes_.push_back({step, std::move(message)}); }

  void check_directions() {
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) {
      const Edge& before = cycle_.edge_into(i);
      const Edge& after = cycle_.steps[i].edge;
      if (before.target == after.source) continue;
      add(i, fmt::format("'{}' starts with a {}, but '{}' before it ends with a {}", to_string(after),
                         noun(after.source), to_string(before), noun(before.target)));
    }
  }

  void check_threads() {
    const auto external = [](const Step& step) { return step.edge.external; };
    const auto count = std::count_if(cycle_.steps.begin(), cycle_.steps.end(), external);
    if (count == 0) add(0, "all edges stay in one thread; a cycle needs two external edges or more, such as Rfe");
    if (count == 1) {
      const auto only = std::find_if(cycle_.steps.begin(), cycle_.steps.end(), external);
      add(static_cast<std::size_t>(only - cycle_.steps.begin()),
          fmt::format("'{}' leaves its thread and no other edge comes back; a cycle needs two external edges or more",
                      to_string(only->edge)));
    }
  }

  void check_locations() {
    const auto changes = [](const Step& step) { return !step.edge.same_location; };
    const auto count = std::count_if(cycle_.steps.begin(), cycle_.steps.end(), changes);
    if (count == 1) {
      const auto only = std::find_if(cycle_.steps.begin(), cycle_.steps.end(), changes);
      add(static_cast<std::size_t>(only - cycle_.steps.begin()),
          fmt::format("'{}' is the only edge to another location, so the cycle does not come back to the first one",
                      to_string(only->edge)));
    }
    const auto orders_nothing = [](const Step& step) {
      return is_communication(step.edge.kind) || step.edge.kind == EdgeKind::rmw;
    };
    if (std::all_of(cycle_.steps.begin(), cycle_.steps.end(), orders_nothing)) {
      add(0, "communications alone cannot form a cycle: no coherence order agrees with them");
    }
  }

  // A read-modify-write, whichever half the event is, can have the orders of both.
  bool is_rmw(std::size_t i) const {
    return cycle_.steps[i].event.atomic || cycle_.steps[i].edge.kind == EdgeKind::rmw ||
           cycle_.edge_into(i).kind == EdgeKind::rmw;
  }

  void check_event(std::size_t i) {
    const Annotation& event = cycle_.steps[i].event;
    const Direction direction = cycle_.steps[i].edge.source;
    if (!event.order) return;
    const Order order = *event.order;
    if (is_rmw(i)) {
      if (order == Order::plain) add(i, "a read-modify-write cannot be non-atomic");
      return;
    }
    const bool misfit = direction == Direction::read ? order == Order::release || order == Order::acq_rel
                        : litmus::is_acquire(order)  ? order != Order::seq_cst
                                                     : order == Order::consume;
    if (misfit) add(i, fmt::format("a {} cannot have order '{}'", noun(direction), litmus::to_string(order)));
  }

  void check_places() {
    std::size_t first = 0;
    while (!cycle_.edge_into(first).external) ++first;
    const std::size_t size = cycle_.steps.size();
    const Placements places = place_threads(rotated(cycle_, first));
    if (places.contradiction) {
      const std::size_t step = (*places.contradiction + first) % size;
      add(step, fmt::format("'{}' puts its threads apart, but other edges put them together",
                            to_string(cycle_.steps[step].edge)));
    }
    std::vector<std::size_t> threads(size);
    for (std::size_t n = 1; n < size; ++n) {
      const std::size_t i = (first + n) % size, before = (first + n - 1) % size;
      threads[i] = threads[before] + cycle_.steps[before].edge.external;
    }
    check_shared(threads, places);
    check_barriers(threads, places);
  }

  void check_shared(const std::vector<std::size_t>& threads, const Placements& places) {
    const std::vector<std::uint32_t> locations = locations_of(cycle_);
    const std::vector<Space> spaces = spaces_of(cycle_, locations, mistakes_);
    std::vector<std::optional<std::uint32_t>> workgroups(spaces.size());
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) {
      if (spaces[locations[i]] != Space::shared) continue;
      const std::uint32_t here = places.threads[threads[i]].workgroup;
      std::optional<std::uint32_t>& home = workgroups[locations[i]];
      if (home && *home != here) {
        return add(i, "threads of two workgroups cannot share a location in shared memory; say .wg on the edge");
      }
      home = here;
    }
  }

  void check_barriers(const std::vector<std::size_t>& threads, const Placements& places) {
    std::vector<std::size_t> barriers(places.threads.size());
    std::size_t last = 0;
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) {
      if (cycle_.steps[i].edge.kind != EdgeKind::barrier) continue;
      ++barriers[threads[i]];
      last = i;
    }
    for (std::size_t a = 0; a < barriers.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool together = places.threads[a].workgroup == places.threads[b].workgroup;
        if (together && barriers[a] != barriers[b]) {
          return add(last, "not every thread of the workgroup comes to this barrier");
        }
      }
    }
  }

  const Cycle& cycle_;
  std::vector<CycleMistake> mistakes_;
};

struct Word {
  std::string_view text;
  base::Span span;
};

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> words;
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  for (std::size_t i = 0; i < text.size();) {
    if (blank(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !blank(text[end])) ++end;
    words.push_back({text.substr(i, end - i), {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end)}});
    i = end;
  }
  return words;
}

// How the points of a thread, its first and its last event, rank in names: W+RR before WW+RR before RW+RW.
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
    events.push_back(~code(step.event));  // what is annotated comes first: LB+acq+po
  }
  std::vector<std::uint64_t> key = std::move(points);
  for (const auto* part : {&sizes, &edges, &events}) key.insert(key.end(), part->begin(), part->end());
  return key;
}

}  // namespace

std::vector<CycleMistake> check(const Cycle& cycle) { return Checker(cycle).run(); }

base::Result<Cycle> parse_cycle(const base::Source& source) {
  Cycle cycle;
  std::vector<base::Span> spans;
  base::Diagnostics errors;
  Annotation event;  // of the event before the next edge
  auto mistake = [&](base::Span span, std::string message) {
    errors.push_back(base::error_at(source, span, std::move(message)));
  };
  for (const Word& word : words_of(source.text())) {
    if (const auto edge = parse_edge(word.text)) {
      cycle.steps.push_back({event, *edge});
      spans.push_back(word.span);
      event = Annotation{};
    } else if (!is_annotation(word.text)) {
      mistake(word.span, fmt::format("'{}' is neither an edge, such as Rfe, PodWR, Fence.sc.devdWR or DpAddrdR, nor an "
                                     "annotation, such as Acq, Rel.wg or Shared",
                                     word.text));
    } else if (!add_annotation(word.text, event)) {
      mistake(word.span, fmt::format("'{}' contradicts another annotation of this event", word.text));
    }
  }
  if (cycle.steps.empty() && errors.empty()) {
    return base::error_in(source.name(),
                          "there is no cycle in this text; expected edges such as 'Rfe PodRR Fre PodWW'");
  }
  if (event != Annotation{} && !cycle.steps.empty()) {
    // Said after the last edge: the event is the first one.
    Annotation& first = cycle.steps.front().event;
    const std::string text = to_string(event);
    bool fits = text.empty() || add_annotation(text, first);
    if (event.space != Space::none) fits = add_annotation(litmus::to_string(event.space), first) && fits;
    if (!fits) mistake(spans.back(), "what is said after the last edge contradicts what is said of the first event");
  }
  if (!errors.empty()) return errors;
  for (const CycleMistake& wrong : check(cycle)) mistake(spans[wrong.step], wrong.message);
  if (!errors.empty()) return errors;
  return cycle;
}

base::Result<Cycle> parse_cycle(std::string_view text) { return parse_cycle(base::Source("cycle", std::string(text))); }

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

Cycle with_spaces(const Cycle& cycle) {
  Cycle full = cycle;
  const std::vector<std::uint32_t> locations = locations_of(full);
  std::vector<CycleMistake> none;
  const std::vector<Space> spaces = spaces_of(full, locations, none);
  for (std::size_t i = 0; i < full.steps.size(); ++i) full.steps[i].event.space = spaces[locations[i]];
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
