// SPDX-License-Identifier: MIT
#include "model/progress/recurrence.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/progress/machine.h"
#include "model/progress/schedule_rule.h"

namespace weakspot::model {
namespace {

using litmus::Value;
using Values = std::set<Value>;

constexpr std::size_t kMostLoopValues = 8;  // per location
constexpr std::size_t kMostOwnStates = 500;
constexpr std::size_t kMostLoopingThreads = 4;
constexpr std::size_t kMostLoopLocations = 4;

struct Step {
  std::size_t from = 0, to = 0;
  std::size_t location = 0;            // if it reads or writes
  std::optional<Value> read, written;  // a value that is written back is not
};

// All that one thread may do, whatever it reads.
struct Behaviour {
  std::vector<MachineState::ThreadState> states;  // the first is where it starts
  std::vector<bool> finished;                     // by state
  std::vector<Step> steps;
};

// By location: the values that it may hold.
using Domains = std::vector<Values>;

// None if there are too many states, or arithmetic without a meaning.
std::optional<Behaviour> behaviour_of(const Machine& machine, std::size_t thread, const Domains& domains) {
  Behaviour result;
  std::map<MachineState::ThreadState, std::size_t> numbers;
  MachineState state = machine.start();
  auto number_of = [&](const MachineState& reached) {
    const auto [found, is_new] = numbers.emplace(reached.threads[thread], result.states.size());
    if (is_new) {
      result.states.push_back(reached.threads[thread]);
      result.finished.push_back(machine.has_finished(reached, thread));
    }
    return found->second;
  };
  number_of(state);
  for (std::size_t from = 0; from < result.states.size(); ++from) {
    if (result.states.size() > kMostOwnStates) return std::nullopt;
    if (result.finished[from]) continue;
    state.threads[thread] = result.states[from];
    const std::optional<Machine::ReadValue> read = machine.read_by(state, thread);
    const std::optional<litmus::LocationId> stored = machine.store_by(state, thread);
    const std::size_t location = read ? read->location.index : stored ? stored->index : 0;
    const Values values = read ? domains[location] : Values{state.memory[location]};
    for (const Value& value : values) {
      state.memory[location] = value;
      const std::optional<MachineState> next = machine.step(state, thread);
      if (!next) return std::nullopt;
      Step step{from, number_of(*next), location, std::nullopt, std::nullopt};
      if (read) step.read = value;
      if (stored || next->memory[location] != value) step.written = next->memory[location];
      result.steps.push_back(step);
    }
  }
  return result;
}

// All threads, with values that locations may hold; none if these do not come to an end soon.
std::optional<std::vector<Behaviour>> behaviours_of(const litmus::LitmusTest& test, const Machine& machine) {
  Domains domains;
  for (const Value& value : machine.start().memory) domains.push_back({value});
  for (;;) {
    Domains grown = domains;
    std::vector<Behaviour> behaviours;
    for (std::size_t t = 0; t < test.threads.size(); ++t) {
      std::optional<Behaviour> one = behaviour_of(machine, t, domains);
      if (!one) return std::nullopt;
      for (const Step& step : one->steps) {
        if (step.written) grown[step.location].insert(*step.written);
      }
      behaviours.push_back(*std::move(one));
    }
    if (grown == domains) return behaviours;
    domains = std::move(grown);
    for (const Values& values : domains) {
      if (values.size() > kMostLoopValues) return std::nullopt;
    }
  }
}

// By state: the values that the thread may have written last to the location on its way there; none: it did not.
using LastWrites = std::vector<std::set<std::optional<Value>>>;
using AllLastWrites = std::vector<std::vector<LastWrites>>;  // by thread and location

LastWrites last_writes(const Behaviour& behaviour, std::size_t location) {
  LastWrites last(behaviour.states.size());
  last[0].insert(std::nullopt);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Step& step : behaviour.steps) {
      const bool writes = step.written && step.location == location;
      for (const std::optional<Value>& before : std::set<std::optional<Value>>(last[step.from])) {
        changed = last[step.to].insert(writes ? step.written : before).second || changed;
      }
    }
  }
  return last;
}

// The steps that lie on circles of these steps.
std::vector<Step> on_circles(const std::vector<Step>& steps, std::size_t states) {
  std::vector<std::vector<bool>> reaches(states, std::vector<bool>(states));
  for (const Step& step : steps) reaches[step.from][step.to] = true;
  for (std::size_t k = 0; k < states; ++k) {
    for (std::size_t i = 0; i < states; ++i) {
      for (std::size_t j = 0; j < states && reaches[i][k]; ++j) reaches[i][j] = reaches[i][j] || reaches[k][j];
    }
  }
  std::vector<Step> found;
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(found),
               [&](const Step& step) { return step.from == step.to || reaches[step.to][step.from]; });
  return found;
}

// One choice of who goes on for ever, and of the locations that are written for ever.
class Attempt {
 public:
  Attempt(const std::vector<Behaviour>& behaviours, const AllLastWrites& last, const Domains& initial,
          const std::vector<Ending>& endings, const std::set<std::size_t>& written)
      : behaviours_(behaviours),
        last_(last),
        initial_(initial),
        endings_(endings),
        written_(written),
        steps_(behaviours.size()) {}

  bool fails() {
    for (std::size_t t = 0; t < behaviours_.size(); ++t) {
      if (endings_[t] != Ending::spins) continue;
      for (const Step& step : behaviours_[t].steps) {
        if (!step.written || written_.contains(step.location)) steps_[t].push_back(step);
      }
    }
    for (std::size_t before = SIZE_MAX; before != count();) {
      before = count();
      for (std::size_t t = 0; t < behaviours_.size(); ++t) {
        if (endings_[t] != Ending::spins) continue;
        steps_[t] = on_circles(steps_[t], behaviours_[t].states.size());
        if (steps_[t].empty()) return true;
      }
      for (std::size_t location = 0; location < initial_.size(); ++location) {
        const Values values = written_.contains(location) ? written_for_ever(location) : last_in_coherence(location);
        if (values.empty()) return true;
        for (std::vector<Step>& steps : steps_) {
          std::erase_if(steps, [&](const Step& step) {
            return step.read && step.location == location && !values.contains(*step.read);
          });
        }
      }
    }
    return false;
  }

 private:
  std::size_t count() const {
    std::size_t sum = 0;
    for (const std::vector<Step>& steps : steps_) sum += steps.size();
    return sum;
  }

  Values written_for_ever(std::size_t location) const {
    Values values;
    for (const std::vector<Step>& steps : steps_) {
      for (const Step& step : steps) {
        if (step.written && step.location == location) values.insert(*step.written);
      }
    }
    return values;
  }

  // Whether the thread may be in that state from some time on.
  bool may_stay(std::size_t thread, std::size_t state) const {
    switch (endings_[thread]) {
      case Ending::finished:
        return behaviours_[thread].finished[state];
      case Ending::unstarted:
        return state == 0;
      case Ending::spins:
        return std::any_of(steps_[thread].begin(), steps_[thread].end(),
                           [&](const Step& step) { return step.from == state; });
      default:
        return !behaviours_[thread].finished[state];
    }
  }

  Values last_in_coherence(std::size_t location) const {
    Values values;
    bool untouched = true;
    for (std::size_t t = 0; t < behaviours_.size(); ++t) {
      bool may_leave = false;
      for (std::size_t state = 0; state < behaviours_[t].states.size(); ++state) {
        if (!may_stay(t, state)) continue;
        for (const std::optional<Value>& value : last_[t][location][state]) {
          may_leave = may_leave || !value;
          if (value) values.insert(*value);
        }
      }
      untouched = untouched && may_leave;
    }
    if (untouched) values.insert(initial_[location].begin(), initial_[location].end());
    return values;
  }

  const std::vector<Behaviour>& behaviours_;
  const AllLastWrites& last_;
  const Domains& initial_;
  const std::vector<Ending>& endings_;
  const std::set<std::size_t>& written_;
  std::vector<std::vector<Step>> steps_;  // by thread: those that may be taken infinitely often
};

}  // namespace

bool nothing_recurs(const litmus::LitmusTest& test, Progress progress, Allowance& allowance) {
  const Machine machine(test);
  const std::size_t threads = test.threads.size();
  const std::size_t locations = test.locations.size();
  if (!machine.refusal().empty() || !machine.is_exact()) return false;
  if (threads > kMostLoopingThreads || locations > kMostLoopLocations) return false;
  const std::optional<std::vector<Behaviour>> behaviours = behaviours_of(test, machine);
  if (!behaviours) return false;
  AllLastWrites last(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    for (std::size_t location = 0; location < locations; ++location) {
      last[t].push_back(last_writes((*behaviours)[t], location));
    }
  }
  Domains initial;
  for (const Value& value : machine.start().memory) initial.push_back({value});
  constexpr Ending kEndings[] = {Ending::finished, Ending::spins, Ending::stopped, Ending::unstarted};
  for (std::size_t choice = 0; choice < (std::size_t{1} << (2 * threads)); ++choice) {
    std::vector<Ending> endings;
    for (std::size_t t = 0; t < threads; ++t) endings.push_back(kEndings[choice >> (2 * t) & 3]);
    if (!may_last(progress, endings)) continue;
    for (std::size_t set = 0; set < (std::size_t{1} << locations); ++set) {
      std::set<std::size_t> written;
      for (std::size_t location = 0; location < locations; ++location) {
        if ((set >> location & 1) != 0) written.insert(location);
      }
      if (allowance.spend(100) || !Attempt(*behaviours, last, initial, endings, written).fails()) return false;
    }
  }
  return true;
}

}  // namespace weakspot::model
