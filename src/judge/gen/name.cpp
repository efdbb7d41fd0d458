// SPDX-License-Identifier: MIT
#include "gen/name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sort.h"
#include "gen/shape/check_cycle.h"
#include "gen/shape/family.h"

namespace weakspot::gen {
namespace {

using litmus::Order;
using litmus::Scope;
using litmus::Space;

// The annotation without the memory space, which the name has apart.
Annotation without_space(Annotation annotation) {
  annotation.space = Space::none;
  return annotation;
}

const Annotation kNothing{};

// Applies "ra" to an event with annotation `rest`: a release or an acquire.
Annotation release_or_acquire(Annotation rest, Direction direction) {
  rest.order = direction == Direction::read ? Order::acquire : Order::release;
  return rest;
}

// ---- words of edges ----

std::string edge_word(const Edge& edge) {
  std::string word;
  switch (edge.kind) {
    case EdgeKind::rf:
      return "rfi";
    case EdgeKind::fr:
      return "fri";
    case EdgeKind::co:
      return "coi";
    case EdgeKind::rmw:
      return "rmw";
    case EdgeKind::po:
      word = "po";
      break;
    case EdgeKind::fence:
      word = fence_word(edge.fence);
      break;
    case EdgeKind::wait:
      word = wait_word(*edge.wait);
      break;
    case EdgeKind::barrier:
      word = "bar";
      break;
    case EdgeKind::addr:
      word = "addr";
      break;
    case EdgeKind::data:
      word = "data";
      break;
    case EdgeKind::ctrl:
      word = "ctrl";
      if (edge.fence) word += fence_word(edge.fence);
      break;
  }
  return edge.same_location ? word + "s" : word;
}

// Whether the edge leaves the direction of its source or target open.
bool open_source(const Edge& edge) {
  return edge.kind == EdgeKind::po || edge.kind == EdgeKind::fence || edge.kind == EdgeKind::wait ||
         edge.kind == EdgeKind::barrier;
}
bool open_target(const Edge& edge) {
  return open_source(edge) || edge.kind == EdgeKind::addr || edge.kind == EdgeKind::ctrl;
}

// The edges a word can mean ("dmb.sys": dmb.sy at one location), with directions still open.
std::vector<Edge> edges_of_word(std::string_view word) {
  std::vector<Edge> edges;
  auto add = [&](EdgeKind kind, bool same, std::optional<litmus::Fence> fence) {
    Edge edge;
    edge.kind = kind;
    edge.same_location = same;
    edge.fence = std::move(fence);
    if (kind == EdgeKind::data) edge.target = Direction::write;
    edges.push_back(std::move(edge));
  };
  for (EdgeKind kind : {EdgeKind::rf, EdgeKind::fr, EdgeKind::co}) {
    if (edge_word(communication(kind, false)) == word) return {communication(kind, false)};
  }
  if (word == "wsi") return {communication(EdgeKind::co, false)};
  if (word == "rmw") return {*parse_edge("Rmw")};
  for (bool same : {false, true}) {
    std::string_view stem = word;
    if (same) {
      if (!stem.ends_with('s')) break;
      stem.remove_suffix(1);
    }
    if (stem == "po") add(EdgeKind::po, same, std::nullopt);
    if (stem == "bar") add(EdgeKind::barrier, same, std::nullopt);
    if (stem == "addr") add(EdgeKind::addr, same, std::nullopt);
    if (stem == "data") add(EdgeKind::data, same, std::nullopt);
    if (stem == "ctrl") add(EdgeKind::ctrl, same, std::nullopt);
    if (stem.starts_with("ctrl") && stem.size() > 4) {
      const auto fence = parse_fence_word(stem.substr(4));
      if (fence && *fence) add(EdgeKind::ctrl, same, *fence);
    }
    if (const auto fence = parse_fence_word(stem)) add(EdgeKind::fence, same, *fence);
    if (const auto wait = parse_wait_word(stem)) {
      add(EdgeKind::wait, same, std::nullopt);
      edges.back().wait = *wait;
    }
  }
  return edges;
}

// ---- names ----

std::string join(const std::vector<std::string>& parts, char separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (!text.empty()) text += separator;
    text += part;
  }
  return text;
}

class Namer {
 public:
  explicit Namer(const Cycle& cycle) : cycle_(canonical(cycle)), starts_(thread_starts(cycle_)) {
    uniform_ = uniform_annotation();
  }

  std::string run() {
    std::vector<std::string> parts = {family()};
    for (std::string& part : summarised(components())) parts.push_back(std::move(part));
    for (std::string& part : suffixes()) parts.push_back(std::move(part));
    return join(parts, '+');
  }

 private:
  std::size_t end_of(std::size_t thread) const {
    return thread + 1 < starts_.size() ? starts_[thread + 1] : cycle_.steps.size();
  }
  bool isolated(std::size_t thread) const { return end_of(thread) - starts_[thread] == 1; }

  std::string family() const {
    std::vector<Points> points;
    bool one_location = true;
    for (std::size_t t = 0; t < starts_.size(); ++t) {
      points.push_back({cycle_.steps[starts_[t]].edge.source, cycle_.steps[end_of(t) - 1].edge.source, isolated(t)});
    }
    for (const Step& step : cycle_.steps) one_location = one_location && step.edge.same_location;
    return family_name(points, one_location);
  }

  // The annotation that all events have in common; empty if there is none, or if they are not all alike.
  std::string uniform_annotation() const {
    const Annotation first = without_space(cycle_.steps.front().event);
    Annotation rest = first;
    rest.order.reset();
    bool alike = true, release_acquire = true;
    for (const Step& step : cycle_.steps) {
      const Annotation event = without_space(step.event);
      alike = alike && event == first;
      release_acquire = release_acquire && event == release_or_acquire(rest, step.edge.source);
    }
    if (alike) return to_string(first);
    if (!release_acquire) return {};
    return rest == kNothing ? "ra" : "ra." + to_string(rest);
  }

  Annotation shown(std::size_t event) const {
    return uniform_.empty() ? without_space(cycle_.steps[event].event) : kNothing;
  }

  std::vector<std::string> components() const {
    bool show_isolated = false;
    for (std::size_t t = 0; t < starts_.size(); ++t) {
      show_isolated = show_isolated || (isolated(t) && shown(starts_[t]) != kNothing);
    }
    std::vector<std::string> list;
    for (std::size_t t = 0; t < starts_.size(); ++t) {
      if (!isolated(t) || show_isolated) list.push_back(component(starts_[t], end_of(t)));
    }
    return list;
  }

  std::string component(std::size_t begin, std::size_t end) const {
    if (end - begin == 1) {
      std::string word = cycle_.steps[begin].edge.source == Direction::read ? "r" : "w";
      const std::string annotation = to_string(shown(begin));
      return annotation.empty() ? word : word + "-" + annotation;
    }
    if (end - begin == 2) {
      const std::string brief = brief_component(begin);
      if (!brief.empty()) return brief;
    }
    std::vector<std::string> words;
    for (std::size_t i = begin; i < end; ++i) {
      if (shown(i) != kNothing) words.push_back(to_string(shown(i)));
      if (i + 1 == end) break;
      const Edge& edge = cycle_.steps[i].edge;
      std::string word = edge_word(edge);
      const bool ambiguous = i + 2 < end && open_target(edge) && open_source(cycle_.steps[i + 1].edge);
      if (ambiguous) word += edge.target == Direction::read ? 'R' : 'W';
      words.push_back(std::move(word));
    }
    return join(words, '-');
  }

  // "rel" for po to a release, "acq" for po from an acquire.
  std::string brief_component(std::size_t begin) const {
    const Edge& edge = cycle_.steps[begin].edge;
    if (edge.kind != EdgeKind::po || edge.same_location) return {};
    const Annotation first = shown(begin), last = shown(begin + 1);
    if (first == kNothing && last.order == Order::release) return to_string(last);
    if (last == kNothing && first.order == Order::acquire) return to_string(first);
    return {};
  }

  static std::vector<std::string> summarised(std::vector<std::string> list) {
    const bool alike = std::all_of(list.begin(), list.end(), [&](const std::string& one) { return one == list[0]; });
    if (list.empty() || !alike) return list;
    if (list[0] == "po" || (list[0] == "pos" && list.size() == 1)) return {};
    if (list.size() > 1) return {list[0] + "s"};
    return list;
  }

  std::vector<std::string> suffixes() const {
    std::vector<std::string> list;
    if (!uniform_.empty()) list.push_back(uniform_);
    std::vector<std::string> together, spaces;
    for (const Step& step : cycle_.steps) {
      if (step.edge.external) together.emplace_back(litmus::to_string(step.edge.together));
    }
    const std::vector<std::uint32_t> locations = locations_of(cycle_);
    for (std::size_t i = 0; i < locations.size(); ++i) {
      const Space space = cycle_.steps[i].event.space;
      if (locations[i] != spaces.size()) continue;
      spaces.emplace_back(space == Space::none ? "none" : litmus::to_string(space));
    }
    add_list(list, "in", std::move(together), litmus::to_string(Scope::device));
    add_list(list, "mem", std::move(spaces), "none");
    return list;
  }

  static void add_list(std::vector<std::string>& list, const std::string& keyword, std::vector<std::string> words,
                       std::string_view usual) {
    const bool alike = std::all_of(words.begin(), words.end(), [&](const std::string& one) { return one == words[0]; });
    if (alike && words[0] == usual) return;
    if (alike) words.resize(1);
    list.push_back(keyword + "." + join(words, '.'));
  }

  Cycle cycle_;
  std::vector<std::size_t> starts_;
  std::string uniform_;
};

// ---- reading names ----

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// The events and edges of one thread, as a name has them.
struct ThreadShape {
  std::vector<Annotation> events;
  std::vector<Edge> edges;
};

// Tries the ways to read a name, until one gives a cycle of that name.
class NameReader {
 public:
  explicit NameReader(std::string_view name) : name_(name), words_(split(name, '+')) {}

  base::Result<Cycle> run() {
    for (std::size_t n = std::min<std::size_t>(words_.size(), kMostThreads); n > 0 && !exact_; --n) {
      std::string_view base = words_.front();
      if (n > 1)
        base = std::string_view(base.data(),
                                static_cast<std::size_t>(words_[n - 1].data() - base.data()) + words_[n - 1].size());
      if (const auto points = family_named(base)) read_rest(*points, n);
      known_ = known_ || family_named(base).has_value();
    }
    if (exact_) return *exact_;
    if (other_) return *other_;
    if (!known_)
      return base::error(fmt::format("'{}' does not start with the name of a family, such as MP or WW+RR", name_));
    return base::error(fmt::format("'{}' is not the name of a cycle", name_));
  }

 private:
  static constexpr std::size_t kMostThreads = 16;

  // The rest of the words: components of threads, then suffixes.
  void read_rest(const std::vector<Points>& points, std::size_t from) {
    const std::size_t left = words_.size() - from;
    std::size_t busy = 0;
    for (const Points& thread : points) busy += !thread.single;
    std::vector<std::size_t> counts = {0, 1, busy, points.size()};
    base::sort(counts);
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    for (std::size_t count : counts) {
      if (count > left || exact_) continue;
      const std::vector<std::string_view> words(words_.begin() + static_cast<std::ptrdiff_t>(from),
                                                words_.begin() + static_cast<std::ptrdiff_t>(from + count));
      const std::vector<std::string_view> suffixes(words_.begin() + static_cast<std::ptrdiff_t>(from + count),
                                                   words_.end());
      if (count == 0) {
        for (std::string_view usual : {"po", "pos"}) try_threads(points, {busy, usual}, suffixes);
      } else if (count == 1 && words[0].ends_with('s')) {
        const std::string_view singular = words[0].substr(0, words[0].size() - 1);
        if (busy > 1) try_threads(points, {busy, singular}, suffixes);
        try_threads(points, {points.size(), singular}, suffixes);
      }
      if (count == busy || count == points.size()) try_threads(points, words, suffixes);
    }
  }

  struct Words : std::vector<std::string_view> {
    using vector::vector;
    Words(const std::vector<std::string_view>& list) : vector(list) {}  // NOLINT: a list of words is one
  };

  // `words` has one word for each thread, or for each thread of two events or more.
  void try_threads(const std::vector<Points>& points, const Words& words,
                   const std::vector<std::string_view>& suffixes) {
    std::vector<std::vector<ThreadShape>> shapes;
    std::size_t next = 0;
    for (const Points& thread : points) {
      if (thread.single && words.size() != points.size()) {
        shapes.push_back({ThreadShape{{Annotation{}}, {}}});
        continue;
      }
      if (next == words.size()) return;
      shapes.push_back(read_thread(thread, words[next++]));
      if (shapes.back().empty()) return;
    }
    if (next != words.size()) return;
    std::vector<const ThreadShape*> chosen;
    choose(points, shapes, chosen, suffixes);
  }

  void choose(const std::vector<Points>& points, const std::vector<std::vector<ThreadShape>>& shapes,
              std::vector<const ThreadShape*>& chosen, const std::vector<std::string_view>& suffixes) {
    if (exact_ || tries_ > kMostTries) return;
    if (chosen.size() == shapes.size()) return finish(points, chosen, suffixes);
    for (const ThreadShape& shape : shapes[chosen.size()]) {
      chosen.push_back(&shape);
      choose(points, shapes, chosen, suffixes);
      chosen.pop_back();
    }
  }

  static std::vector<ThreadShape> read_thread(const Points& points, std::string_view word) {
    if (points.single) {
      const std::string_view own = points.first == Direction::read ? "r" : "w";
      if (!word.starts_with(own)) return {};
      word.remove_prefix(1);
      Annotation annotation;
      if (word.empty()) return {{{annotation}, {}}};
      if (word[0] != '-' || !add_annotation(word.substr(1), annotation)) return {};
      return {{{annotation}, {}}};
    }
    Annotation brief;
    if (add_annotation(word, brief) && brief.order) {
      Edge po;
      po.same_location = false;
      if (*brief.order == Order::release) return directed(points, {{{}, brief}, {po}});
      if (*brief.order == Order::acquire) return directed(points, {{brief, {}}, {po}});
      return {};
    }
    std::vector<ThreadShape> shapes = {ThreadShape{{Annotation{}}, {}}};
    bool after_edge = true;
    for (std::string_view part : split(word, '-')) {
      Annotation annotation;
      if (after_edge && add_annotation(part, annotation)) {
        for (ThreadShape& shape : shapes) shape.events.back() = annotation;
        after_edge = false;
        continue;
      }
      shapes = extended(shapes, part);
      after_edge = true;
    }
    std::vector<ThreadShape> fitting;
    for (const ThreadShape& shape : shapes) {
      for (ThreadShape& one : directed(points, shape)) fitting.push_back(std::move(one));
    }
    return fitting;
  }

  // Every shape with every edge the word can mean.
  static std::vector<ThreadShape> extended(const std::vector<ThreadShape>& shapes, std::string_view word) {
    std::optional<Direction> target;
    if (word.ends_with('R')) target = Direction::read;
    if (word.ends_with('W')) target = Direction::write;
    if (target) word.remove_suffix(1);
    std::vector<ThreadShape> longer;
    if (shapes.size() > kMostTries) return longer;
    for (const Edge& edge : edges_of_word(word)) {
      for (const ThreadShape& shape : shapes) {
        ThreadShape& one = longer.emplace_back(shape);
        one.edges.push_back(edge);
        if (target) one.edges.back().target = *target;
        one.events.emplace_back();
      }
    }
    return longer;
  }

  // Gives the edges of a thread their directions: from the points, from neighbours, from what the word said.
  static std::vector<ThreadShape> directed(const Points& points, ThreadShape shape) {
    if (shape.edges.empty()) return {};
    for (std::size_t i = 0; i < shape.edges.size(); ++i) {
      Edge& edge = shape.edges[i];
      const bool last = i + 1 == shape.edges.size();
      const Direction source = i == 0 ? points.first : shape.edges[i - 1].target;
      if (open_source(edge)) edge.source = source;
      if (edge.source != source) return {};
      if (open_target(edge)) {
        if (last) edge.target = points.last;
        if (!last && !open_source(shape.edges[i + 1])) edge.target = shape.edges[i + 1].source;
      } else if (last && edge.target != points.last) {
        return {};
      }
    }
    return {shape};
  }

  void finish(const std::vector<Points>& points, const std::vector<const ThreadShape*>& threads,
              const std::vector<std::string_view>& suffixes) {
    ++tries_;
    Cycle cycle;
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const Direction from = points[t].last;
      const Direction to = points[(t + 1) % points.size()].first;
      if (from == Direction::read && to == Direction::read) return;
      const EdgeKind kind = from == Direction::read ? EdgeKind::fr
                            : to == Direction::read ? EdgeKind::rf
                                                    : EdgeKind::co;
      for (std::size_t i = 0; i < threads[t]->events.size(); ++i) {
        const bool last = i + 1 == threads[t]->events.size();
        cycle.steps.push_back({threads[t]->events[i], last ? communication(kind, true) : threads[t]->edges[i]});
      }
    }
    if (!apply_suffixes(cycle, suffixes) || !check(cycle).empty()) return;
    cycle = canonical(cycle);
    if (name_of(cycle) == name_) {
      exact_ = cycle;
    } else if (!other_) {
      other_ = cycle;
    }
  }

  static bool apply_suffixes(Cycle& cycle, const std::vector<std::string_view>& suffixes) {
    for (std::string_view suffix : suffixes) {
      const std::vector<std::string_view> words = split(suffix, '.');
      bool fits = false;
      if (words[0] == "in" && words.size() > 1) {
        fits = apply_together(cycle, {words.begin() + 1, words.end()});
      } else if (words[0] == "mem" && words.size() > 1) {
        fits = apply_spaces(cycle, {words.begin() + 1, words.end()});
      } else {
        fits = apply_annotation(cycle, suffix);
      }
      if (!fits) return false;
    }
    return true;
  }

  static bool apply_annotation(Cycle& cycle, std::string_view word) {
    Annotation uniform;
    const bool release_acquire = word == "ra" || word.starts_with("ra.");
    if (release_acquire) word.remove_prefix(std::min<std::size_t>(word.size(), 3));
    if (!word.empty() && !add_annotation(word, uniform)) return false;
    for (Step& step : cycle.steps) {
      if (without_space(step.event) != kNothing) return false;
      const Space space = step.event.space;
      step.event = release_acquire ? release_or_acquire(uniform, step.edge.source) : uniform;
      step.event.space = space;
    }
    return true;
  }

  static bool apply_together(Cycle& cycle, const std::vector<std::string_view>& words) {
    std::size_t next = 0;
    for (Step& step : cycle.steps) {
      if (!step.edge.external) continue;
      if (next >= words.size() && words.size() > 1) return false;
      const auto scope = parse_scope(words[words.size() == 1 ? 0 : next++]);
      if (!scope || !can_hold_threads(*scope)) return false;
      step.edge.together = *scope;
    }
    return words.size() == 1 || next == words.size();
  }

  static bool apply_spaces(Cycle& cycle, const std::vector<std::string_view>& words) {
    const std::vector<std::uint32_t> locations = locations_of(cycle);
    for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
      const std::size_t index = words.size() == 1 ? 0 : locations[i];
      if (index >= words.size()) return false;
      const auto space = words[index] == "none" ? Space::none : litmus::space_named(words[index]);
      if (!space) return false;
      cycle.steps[i].event.space = *space;
    }
    return true;
  }

  static constexpr std::size_t kMostTries = 4096;

  std::string_view name_;
  std::vector<std::string_view> words_;
  bool known_ = false;
  std::size_t tries_ = 0;
  std::optional<Cycle> exact_;
  std::optional<Cycle> other_;
};

}  // namespace

std::string name_of(const Cycle& cycle) { return Namer(cycle).run(); }

base::Result<Cycle> cycle_named(std::string_view name) { return NameReader(name).run(); }

}  // namespace weakspot::gen
