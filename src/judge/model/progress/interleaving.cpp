// SPDX-License-Identifier: MIT
#include "model/progress/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "litmus/text.h"
#include "model/execution/spin.h"
#include "model/progress/machine.h"
#include "model/progress/schedule_rule.h"
#include "model/progress/story.h"

namespace weakspot::model {
namespace {

using litmus::LocationId;

constexpr std::size_t kMostStates = 20'000;
constexpr std::size_t kMostInterleaved = 8;

// The states that can be reached, and who leads from which to which.
class StateGraph {
 public:
  StateGraph(const Machine& machine, Allowance& allowance) : threads_(machine.threads()) {
    add(machine.start());
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_.size() > kMostStates || allowance.spend(threads_)) {
        complete_ = false;
        return;
      }
      for (std::size_t t = 0; t < threads_; ++t) {
        std::optional<MachineState> next = machine.step(*states_[i], t);
        const std::size_t to = next ? add(*std::move(next)) : kNone;
        edges_[i * threads_ + t] = to;
      }
    }
  }

  static constexpr std::size_t kNone = SIZE_MAX;
  bool complete() const { return complete_; }
  std::size_t size() const { return states_.size(); }
  const MachineState& state(std::size_t index) const { return *states_[index]; }
  // The state that a step of the thread leads to; kNone if it has finished.
  std::size_t next(std::size_t from, std::size_t thread) const { return edges_[from * threads_ + thread]; }

 private:
  std::size_t add(MachineState state) {
    const auto [found, is_new] = numbers_.emplace(std::move(state), states_.size());
    if (is_new) {
      states_.push_back(&found->first);
      edges_.resize(edges_.size() + threads_, kNone);
    }
    return found->second;
  }

  std::size_t threads_;
  std::map<MachineState, std::size_t> numbers_;
  std::vector<const MachineState*> states_;
  std::vector<std::size_t> edges_;
  bool complete_ = true;
};

// The strongly connected components of the graph of the steps of some threads, after Tarjan, without recursion.
class Components {
 public:
  Components(const StateGraph& graph, std::vector<std::size_t> runners)
      : graph_(graph), runners_(std::move(runners)), order_(graph.size(), 0), low_(graph.size()), of_(graph.size()) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      if (order_[i] == 0) visit(i);
    }
  }

  // By component: its states.
  const std::vector<std::vector<std::size_t>>& all() const { return components_; }
  // Whether each of the threads runs inside the component.
  bool all_run(const std::vector<std::size_t>& component) const {
    return std::all_of(runners_.begin(), runners_.end(), [&](std::size_t thread) {
      return std::any_of(component.begin(), component.end(), [&](std::size_t state) {
        const std::size_t to = graph_.next(state, thread);
        return to != StateGraph::kNone && of_[to] == of_[state];
      });
    });
  }

 private:
  struct Frame {
    std::size_t state, next = 0;
  };

  void visit(std::size_t root) {
    std::vector<Frame> open = {{root}};
    while (!open.empty()) {
      Frame& top = open.back();
      if (top.next == 0 && order_[top.state] == 0) enter(top.state);
      if (top.next < runners_.size()) {
        const std::size_t to = graph_.next(top.state, runners_[top.next++]);
        if (to == StateGraph::kNone) continue;
        if (order_[to] == 0) {
          open.push_back({to});
        } else if (of_[to] == 0) {
          low_[top.state] = std::min(low_[top.state], order_[to]);
        }
        continue;
      }
      const std::size_t state = top.state;
      open.pop_back();
      if (low_[state] == order_[state]) close(state);
      if (!open.empty()) low_[open.back().state] = std::min(low_[open.back().state], low_[state]);
    }
  }

  void enter(std::size_t state) {
    order_[state] = low_[state] = ++count_;
    stack_.push_back(state);
  }

  void close(std::size_t state) {
    std::vector<std::size_t>& component = components_.emplace_back();
    std::size_t member = 0;
    do {
      member = stack_.back();
      stack_.pop_back();
      of_[member] = components_.size();
      component.push_back(member);
    } while (member != state);
  }

  const StateGraph& graph_;
  const std::vector<std::size_t> runners_;
  std::vector<std::size_t> order_, low_;  // counted from 1
  std::vector<std::size_t> of_;           // component + 1; 0: none yet
  std::vector<std::size_t> stack_;
  std::vector<std::vector<std::size_t>> components_;
  std::size_t count_ = 0;
};

std::vector<Ending> endings_of(const Machine& machine, const MachineState& state,
                               const std::vector<std::size_t>& runners) {
  std::vector<Ending> endings;
  for (std::size_t t = 0; t < machine.threads(); ++t) {
    if (machine.has_finished(state, t)) {
      endings.push_back(Ending::finished);
    } else if (std::find(runners.begin(), runners.end(), t) != runners.end()) {
      endings.push_back(Ending::spins);
    } else {
      endings.push_back(machine.has_started(state, t) ? Ending::stopped : Ending::unstarted);
    }
  }
  return endings;
}

// A thread without instructions has finished whether or not it ever started: here none did that comes after all others
// that did.
std::vector<Ending> with_late_starts(const Machine& machine, const MachineState& state, std::vector<Ending> endings) {
  for (std::size_t t = endings.size(); t-- > 0;) {
    const bool idle = endings[t] == Ending::finished && !machine.has_started(state, t);
    if (!idle && endings[t] != Ending::unstarted) break;
    endings[t] = Ending::unstarted;
  }
  return endings;
}

std::vector<std::string> describe(const litmus::LitmusTest& test, const Machine& machine, const StateGraph& graph,
                                  const std::vector<std::size_t>& component, const std::vector<Ending>& endings) {
  const std::vector<std::vector<std::string>> columns = litmus::canonical_columns(test);
  std::vector<ThreadFate> fates(endings.size());
  for (std::size_t t = 0; t < endings.size(); ++t) {
    fates[t].ending = endings[t];
    const std::size_t next = machine.next_instruction(graph.state(component[0]), t);
    for (std::size_t i = 0; i < next && endings[t] == Ending::stopped; ++i) fates[t].done.push_back(i);
    if (endings[t] != Ending::spins) continue;
    std::map<std::size_t, std::set<litmus::Value>> reads;  // by instruction
    for (std::size_t state : component) {
      const std::optional<Machine::ReadValue> read = machine.read_by(graph.state(state), t);
      if (!read) continue;
      reads[read->instruction].insert(read->value);
      fates[t].waiting_for.push_back(read->location);
    }
    for (const auto& [instruction, values] : reads) {
      std::string list;
      for (const litmus::Value& value : values) {
        list += (list.empty() ? "" : " and ") + litmus::value_text(test, value);
      }
      fates[t].reads.push_back(fmt::format("`{}` reads {}", columns[t][instruction + 1], list));
    }
  }
  return tell_story(test, fates);
}

}  // namespace

InterleavingResult find_endless_run(const litmus::LitmusTest& test, Progress progress, Allowance& allowance) {
  InterleavingResult result;
  const Machine machine(test);
  if (!machine.refusal().empty() || test.threads.size() > kMostInterleaved) {
    return {std::nullopt, false, machine.refusal().empty() ? "too many threads" : machine.refusal()};
  }
  const StateGraph graph(machine, allowance);
  result.complete = graph.complete() && machine.is_exact();
  if (!graph.complete()) result.reason = allowance.used_up() ? allowance.reason() : "too many states";
  if (!machine.is_exact()) result.reason = "some operation may fail for no reason";
  if (!graph.complete()) return result;
  for (std::size_t set = 1; set < (std::size_t{1} << machine.threads()); ++set) {
    std::vector<std::size_t> runners;
    for (std::size_t t = 0; t < machine.threads(); ++t) {
      if ((set >> t & 1) != 0) runners.push_back(t);
    }
    if (allowance.spend(graph.size())) return {std::nullopt, false, allowance.reason()};
    const Components components(graph, runners);
    for (const std::vector<std::size_t>& component : components.all()) {
      const MachineState& state = graph.state(component[0]);
      std::vector<Ending> endings = endings_of(machine, state, runners);
      if (!may_last(progress, endings)) endings = with_late_starts(machine, state, std::move(endings));
      if (!may_last(progress, endings) || !components.all_run(component)) continue;
      result.story = describe(test, machine, graph, component, endings);
      return result;
    }
  }
  return result;
}

namespace {

// The locations that are accessed; none if some access is not of the kind that coherence speaks about.
std::optional<std::set<std::uint32_t>> coherent_locations(const litmus::LitmusTest& test) {
  const SharedAccesses shared(test);
  std::set<std::uint32_t> locations;
  for (const litmus::Thread& thread : test.threads) {
    for (const litmus::Instruction& instruction : thread.instructions) {
      if (std::holds_alternative<litmus::Barrier>(instruction.operation)) return std::nullopt;
      const litmus::Access* access = litmus::access_of(instruction);
      if (access == nullptr) continue;
      const litmus::Address& address = access->address;
      const bool plain_address = address.location && !address.index && address.offset == 0;
      if (!plain_address || access->proxy != litmus::Proxy::generic) return std::nullopt;
      const LocationId physical = litmus::physical_location(test, *address.location);
      if (shared.may_race(physical)) return std::nullopt;
      if (litmus::size_in_bytes(access->type) != litmus::size_in_bytes(test[physical].type)) return std::nullopt;
      locations.insert(physical.index);
    }
  }
  return locations;
}

}  // namespace

bool is_coherent(const litmus::LitmusTest& test) { return coherent_locations(test).has_value(); }

bool is_interleaved(const litmus::LitmusTest& test) {
  const std::optional<std::set<std::uint32_t>> locations = coherent_locations(test);
  return locations && locations->size() <= 1;
}

}  // namespace weakspot::model
