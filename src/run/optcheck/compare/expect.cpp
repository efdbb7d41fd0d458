// SPDX-License-Identifier: MIT
#include "optcheck/compare/expect.h"

#include <algorithm>
#include <map>

#include "litmus/visit.h"

namespace weakspot::optcheck {
namespace {

using namespace litmus;

class Expecting {
 public:
  Expecting(const Thread& thread, const ExpectEvents& events_of) : thread_(thread), events_of_(events_of) {}

  ExpectedThread run() {
    // An instruction may need several steps.
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
      begins.push_back(steps_.size());
      add(i, thread_.instructions[i]);
    }
    for (const auto& [step, label] : jumps_) {
      for (std::size_t i = 0; i < thread_.instructions.size(); ++i) {
        const auto* found = std::get_if<Label>(&thread_.instructions[i].operation);
        if (found != nullptr && found->name == label) steps_[step].target = begins[i];
      }
    }
    // Too many for the analysis: the matcher says so.
    if (out_.events.size() > kMostEvents) return std::move(out_);
    out_.dependences = dependences(steps_, out_.events.size());
    out_.guards = guards();
    return std::move(out_);
  }

 private:
  void add(std::size_t number, const Instruction& instruction) {
    std::vector<ExpectedEvent> events = events_of_(instruction);
    for (std::size_t i = 0; i + 1 < events.size(); ++i) {
      Step fence;
      fence.event = out_.events.size();
      push(number, std::move(events[i]));
      steps_.push_back(std::move(fence));
    }
    Step step;
    for_each_operand(instruction, [&](const Operand& operand) { read(operand, step.data); });
    for_each_written(instruction, [&](RegisterId id) { step.writes.push_back(static_cast<Register>(id.index)); });
    if (const Access* access = access_of(instruction); access != nullptr && access->address.index) {
      step.address.push_back(static_cast<Register>(access->address.index->index));
    }
    if (!events.empty()) {
      step.event = out_.events.size();
      step.reads = true;
      push(number, std::move(events.back()));
    }
    if (const auto* branch = std::get_if<Branch>(&instruction.operation)) {
      step.condition = std::exchange(step.data, {});
      step.falls_through = branch->condition.has_value();
      jumps_[steps_.size()] = branch->label;
      step.target = steps_.size() + 1;
    }
    if (instruction.guard) {
      step.condition.push_back(static_cast<Register>(instruction.guard->predicate.index));
      step.keeps = true;
      step.falls_through = true;
      if (step.event) guarded_.push_back(*step.event);
    }
    steps_.push_back(std::move(step));
  }

  static void read(const Operand& operand, std::vector<Register>& to) {
    if (const auto* id = std::get_if<RegisterId>(&operand)) to.push_back(static_cast<Register>(id->index));
  }

  void push(std::size_t number, ExpectedEvent event) {
    event.instruction = number;
    out_.events.push_back(std::move(event));
  }

  EventSet guards() const {
    EventSet all = 0;
    for (const std::size_t event : guarded_) all |= out_.dependences[event].control;
    return all;
  }

  const Thread& thread_;
  const ExpectEvents& events_of_;
  ExpectedThread out_;
  std::vector<Step> steps_;
  std::map<std::size_t, std::string> jumps_;
  std::vector<std::size_t> guarded_;
};

}  // namespace

std::string_view to_string(EventKind kind) {
  static constexpr std::string_view kNames[] = {"load", "store", "read-modify-write", "fence", "barrier"};
  return kNames[static_cast<std::size_t>(kind)];
}

ExpectedThread expect_thread(const Thread& thread, const ExpectEvents& events_of) {
  return Expecting(thread, events_of).run();
}

Order rmw_order(const Rmw& rmw) {
  const Order order = rmw.access.order;
  if (rmw.op != RmwOp::cas || !is_acquire(rmw.failure_order) || is_acquire(order)) return order;
  return is_release(order) ? Order::acq_rel : Order::acquire;
}

}  // namespace weakspot::optcheck
