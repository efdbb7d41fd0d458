// SPDX-License-Identifier: MIT
// A thread's effects on memory, in words that no instruction set owns: the list that a reader makes of machine code,
// and the list that the test asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/operators.h"
#include "litmus/vocabulary.h"
#include "optcheck/compare/flow.h"

namespace weakspot::optcheck {

enum class EventKind : std::uint8_t { load, store, rmw, fence, barrier };
std::string_view to_string(EventKind kind);

// A location of the test, and the bytes from its beginning.
struct Where {
  std::uint32_t location = 0;
  std::int64_t offset = 0;
  friend bool operator==(const Where&, const Where&) = default;
};

struct Event {
  EventKind kind = EventKind::load;
  int bytes = 0;
  litmus::Order order = litmus::Order::relaxed;
  std::string qualifiers;  // scope, cache operator and the like, in the words of the instruction set
  std::string fence;       // the instruction, for fences and barriers
  bool exclusive = false;
  std::optional<litmus::RmwOp> op;  // unless a loop computes the new value
  std::optional<Where> where;       // unless the address is a value of the test
};

// An instruction of the machine, as far as it concerns the test.
struct MachineEvent {
  Event event;
  std::uint64_t at = 0;  // byte of the function
  std::string text;
  bool loop = false;  // a read-modify-write that is tried again until it succeeds: it depends on itself by control
};

// One thread's code.
struct MachineThread {
  std::vector<MachineEvent> events;  // in the order of the code
  std::vector<Dependence> dependences;
};

// The effect that an instruction of the test must have become.
struct ExpectedEvent {
  std::size_t instruction = 0;  // number in the thread
  Event event;
  std::vector<litmus::Order> orders;  // any of them
};

struct ExpectedThread {
  std::vector<ExpectedEvent> events;
  std::vector<Dependence> dependences;
  EventSet guards = 0;  // events that switch single instructions on or off: machines without predicates branch
};

}  // namespace weakspot::optcheck
