// SPDX-License-Identifier: MIT
// The condition of a test on its final states: a quantifier over a proposition on registers and memory.
#pragma once

#include <cstdint>
#include <functional>
#include <variant>
#include <vector>

#include "base/span.h"
#include "litmus/operators.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

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

// A tree of connectives over comparisons. `truth` and `falsity` have no children; `negation` has one; `conjunction` and
// `disjunction` have two or more; `implication` has two.
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
// A single part stands for itself; without parts all_of() is true and any_of() false. Nested connectives of the same
// kind are flattened.
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
// Wraps each number to the type of the observable it is compared with, if `type_of` gives one: 255 is -1 in a signed
// byte.
void wrap_numbers(Proposition& proposition, const std::function<std::optional<Type>(const Observable&)>& type_of);

}  // namespace weakspot::litmus
