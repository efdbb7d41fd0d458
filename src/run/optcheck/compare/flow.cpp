// SPDX-License-Identifier: MIT
#include "optcheck/compare/flow.h"

#include <algorithm>

namespace weakspot::optcheck {
namespace {

// Facts before a step: the events that each register, and the way to this step, depend on.
struct State {
  std::vector<EventSet> registers;
  EventSet control = 0;
  bool reached = false;

  // True if something was added.
  bool join(const State& other) {
    if (!other.reached) return false;
    bool grew = !reached;
    reached = true;
    grew = add(control, other.control) || grew;
    for (std::size_t i = 0; i < registers.size(); ++i) grew = add(registers[i], other.registers[i]) || grew;
    return grew;
  }

 private:
  static bool add(EventSet& to, EventSet from) {
    const EventSet old = to;
    to |= from;
    return to != old;
  }
};

std::size_t register_count(std::span<const Step> steps) {
  std::size_t count = 0;
  for (const Step& step : steps) {
    for (const auto* registers : {&step.address, &step.data, &step.condition, &step.writes}) {
      for (const Register reg : *registers) count = std::max<std::size_t>(count, reg + std::size_t{1});
    }
  }
  return count;
}

EventSet sum(const State& state, const std::vector<Register>& registers) {
  EventSet all = 0;
  for (const Register reg : registers) all |= state.registers[reg];
  return all;
}

class Analysis {
 public:
  Analysis(std::span<const Step> steps, std::size_t events) : steps_(steps), found_(events) {
    State empty;
    empty.registers.resize(register_count(steps));
    before_.assign(steps.size() + 1, empty);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].event) continue;
      first_ = std::min(first_, i);
      last_ = i;
    }
  }

  std::vector<Dependence> run() {
    before_[0].reached = true;
    for (bool grows = true; grows;) {
      grows = false;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (before_[i].reached) grows = pass(i) || grows;
      }
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      // An event that reads and writes depends on itself, which says nothing.
      found_[i].address &= ~event_bit(i);
      found_[i].data &= ~event_bit(i);
      found_[i].control &= ~event_bit(i);
    }
    return std::move(found_);
  }

 private:
  bool pass(std::size_t i) {
    const Step& step = steps_[i];
    const State& before = before_[i];
    const EventSet condition = sum(before, step.condition);
    if (step.event) {
      Dependence& found = found_[*step.event];
      found.address |= sum(before, step.address);
      found.data |= sum(before, step.data);
      found.control |= before.control | condition;
    }
    State after = before;
    EventSet value = step.event && step.reads ? event_bit(*step.event) : sum(before, step.data);
    for (const Register reg : step.writes) {
      after.registers[reg] = step.keeps ? after.registers[reg] | value : value;
    }
    if (step.target) after.control |= condition;
    bool grows = false;
    if (step.falls_through) grows = before_[i + 1].join(after);
    if (!step.target) return grows;
    // The next round begins with nothing, but it may be the first one: loops can be entered at their ends.
    if (repeats_the_test(i, *step.target)) after = begun();
    return before_[*step.target].join(after) || grows;
  }

  State begun() const {
    State state;
    state.registers.resize(before_[0].registers.size());
    state.reached = true;
    return state;
  }

  bool repeats_the_test(std::size_t from, std::size_t to) const { return from > last_ && to <= first_; }

  std::span<const Step> steps_;
  std::vector<Dependence> found_;
  std::vector<State> before_;  // by step, and the end
  std::size_t first_ = SIZE_MAX;
  std::size_t last_ = 0;
};

}  // namespace

std::vector<Dependence> dependences(std::span<const Step> steps, std::size_t events) {
  return Analysis(steps, events).run();
}

}  // namespace weakspot::optcheck
