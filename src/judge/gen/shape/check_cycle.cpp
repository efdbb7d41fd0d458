// SPDX-License-Identifier: MIT
#include "gen/shape/check_cycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "gen/shape/placement.h"

namespace weakspot::gen {
namespace {

using litmus::Order;
using litmus::Space;

std::string_view noun(Direction direction) { return direction == Direction::read ? "read" : "write"; }

class Checker {
 public:
  static constexpr std::size_t kMostEdges = 256;

  explicit Checker(const Cycle& cycle) : cycle_(cycle) {}

  std::vector<CycleMistake> run() {
    if (cycle_.steps.size() < 2) {
      add(0, "a cycle needs at least two edges");
      return std::move(mistakes_);
    }
    if (cycle_.steps.size() > kMostEdges) {
      add(kMostEdges, fmt::format("a cycle has at most {} edges", kMostEdges));
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
    if (count == 0) add(0, "all edges stay in one thread; a cycle needs at least two external edges, such as Rfe");
    if (count == 1) {
      const auto only = std::find_if(cycle_.steps.begin(), cycle_.steps.end(), external);
      add(static_cast<std::size_t>(only - cycle_.steps.begin()),
          fmt::format("'{}' leaves its thread and no other edge comes back; a cycle needs at least two external edges",
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
    if (event.copy) check_copy(i);
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

  // A copy has no order and no register.
  void check_copy(std::size_t i) {
    const Annotation& event = cycle_.steps[i].event;
    const bool weak = !event.order && !event.scope && event.cache == litmus::CacheOp::none && !event.is_volatile;
    if (!weak || is_rmw(i)) add(i, "an asynchronous copy has no order, scope or cache operator and does not modify");
    if (event.cpu) add(i, "a thread on a CPU issues no asynchronous copies");
    const bool reads = cycle_.steps[i].edge.source == Direction::read;
    const bool shared = with_spaces(cycle_).steps[i].event.space == Space::shared;
    if (event.copy == litmus::AsyncEngine::wgmma && !(reads && shared)) {
      add(i, "a product reads a location in shared memory; expected Shared and a read");
    }
    const EdgeKind into = cycle_.edge_into(i).kind;
    const bool depends = is_dependency(cycle_.steps[i].edge.kind) || into == EdgeKind::addr || into == EdgeKind::data;
    if (depends) add(i, "nothing depends on an asynchronous copy, and its address and value on nothing");
  }

  // CPUs and GPUs are different devices.
  void check_cpus(const std::vector<std::size_t>& threads, const Placements& places) {
    const Cycle full = with_spaces(cycle_);
    for (std::size_t i = 0; i < full.steps.size(); ++i) {
      for (std::size_t other = 0; other < full.steps.size(); ++other) {
        if (full.steps[i].event.cpu == full.steps[other].event.cpu) continue;
        if (places.threads[threads[i]].device != places.threads[threads[other]].device) continue;
        return add(i, "a thread on a CPU and one on a GPU share nothing but the system; expected .sys on the edge");
      }
    }
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
    check_cpus(threads, places);
  }

  void check_shared(const std::vector<std::size_t>& threads, const Placements& places) {
    const std::vector<std::uint32_t> locations = locations_of(cycle_);
    check_spaces(locations);
    const std::vector<Space> spaces = spaces_of(cycle_, locations);
    std::vector<std::optional<std::uint32_t>> workgroups(spaces.size());
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) {
      if (spaces[locations[i]] != Space::shared) continue;
      const std::uint32_t here = places.threads[threads[i]].workgroup;
      std::optional<std::uint32_t>& home = workgroups[locations[i]];
      if (home && *home != here) {
        return add(i, "threads of two workgroups cannot share a location in shared memory; expected .wg on the edge");
      }
      home = here;
    }
  }

  void check_spaces(const std::vector<std::uint32_t>& locations) {
    std::vector<Space> spaces(cycle_.steps.size());  // by location, as far as the events so far tell
    for (std::size_t i = 0; i < cycle_.steps.size(); ++i) {
      const Space said = cycle_.steps[i].event.space;
      Space& space = spaces[locations[i]];
      if (said == Space::none || said == space) continue;
      if (space != Space::none) {
        add(i, fmt::format("this location is in {} memory here, but in {} memory before", litmus::to_string(said),
                           litmus::to_string(space)));
      }
      space = said;
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
          return add(last, "not every thread of the workgroup reaches this barrier");
        }
      }
    }
  }

  const Cycle& cycle_;
  std::vector<CycleMistake> mistakes_;
};

}  // namespace

std::vector<CycleMistake> check(const Cycle& cycle) { return Checker(cycle).run(); }

}  // namespace weakspot::gen
