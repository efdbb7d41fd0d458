// SPDX-License-Identifier: MIT
// What a test asks about its final states: a quantifier over a proposition on registers and memory.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "base/source.h"
#include "litmus/instruction.h"
#include "litmus/value.h"

namespace weakspot::litmus {

// Something whose final value can be asked for. Registers come before locations, registers by thread.
struct ObservedRegister {
  ThreadId thread;
  RegisterId reg;
  friend auto operator<=>(const ObservedRegister&, const ObservedRegister&) = default;
};
using Observable = std::variant<ObservedRegister, LocationId>;

// One side of a comparison.
using Term = std::variant<Observable, Value>;

// A tree of connectives over comparisons. `truth` has no children; `negation` one; `conjunction` and
// `disjunction` two or more; `implication` two.
struct Proposition {
  enum class Kind : std::uint8_t { truth, falsity, comparison, negation, conjunction, disjunction, implication };

  Kind kind = Kind::truth;
  std::vector<Proposition> children;
  // kind comparison only:
  CompareOp op = CompareOp::eq;
  Term left;
  Term right;
  base::Span span;

  friend bool operator==(const Proposition&, const Proposition&) = default;
};

Proposition compare(Term left, CompareOp op, Term right);
Proposition equals(Observable observable, Value value);
// A single part stands for itself; no part makes all_of() true and any_of() false. Nested ones are flattened.
Proposition all_of(std::vector<Proposition> parts);
Proposition any_of(std::vector<Proposition> parts);
Proposition negation(Proposition part);

struct Condition {
  enum class Quantifier : std::uint8_t { exists, not_exists, forall };
  Quantifier quantifier = Quantifier::exists;
  Proposition proposition;
  friend bool operator==(const Condition&, const Condition&) = default;
};

// Evaluates under an assignment of final values.
bool holds(const Proposition& proposition, const std::function<Value(const Observable&)>& value_of);

// Calls `visit` for each observable of the proposition, left to right.
void for_each_observable(const Proposition& proposition, const std::function<void(const Observable&)>& visit);
void for_each_observable(Proposition& proposition, const std::function<void(Observable&)>& visit);
// The same for constants that may hold addresses.
void for_each_value(Proposition& proposition, const std::function<void(Value&)>& visit);

}  // namespace weakspot::litmus
