// SPDX-License-Identifier: MIT
// The flow of values through straight code with branches: which accesses an access depends on, through its address, its
// data, or the branches before it. The same analysis serves a thread of a test and the machine code made of it, so the
// two can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace weakspot::optcheck {

// Numbered by whoever writes the steps; flags, predicates and the like are registers.
using Register = std::uint16_t;

// A set of events of one thread.
using EventSet = std::uint64_t;
inline constexpr std::size_t kMostEvents = 64;
constexpr EventSet event_bit(std::size_t event) { return EventSet{1} << event; }

// One instruction.
struct Step {
  std::vector<Register> address;
  std::vector<Register> data;
  std::vector<Register> condition;  // inputs of a branch, or of a predicate that can switch the instruction off
  std::vector<Register> writes;     // receive what comes from `data`, or from memory
  std::optional<std::size_t> event;
  bool reads = false;                 // `writes` receive what the event read, and nothing of `data`
  bool keeps = false;                 // the old values of `writes` may remain
  std::optional<std::size_t> target;  // a branch's target: the number of a step, or that of the end
  bool falls_through = true;
};

struct Dependence {
  EventSet address = 0;
  EventSet data = 0;
  EventSet control = 0;

  friend bool operator==(const Dependence&, const Dependence&) = default;
};

// Dependences by event. A loop around all events repeats the test: nothing is carried from one round to the next.
std::vector<Dependence> dependences(std::span<const Step> steps, std::size_t events);

}  // namespace weakspot::optcheck
