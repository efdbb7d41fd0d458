// SPDX-License-Identifier: MIT
// The arithmetic of instructions on concrete values. The models and the code generators share it, so that a test means
// the same whether it is judged or run.
#pragma once

#include <optional>

#include "litmus/operators.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

// The value as the type holds it. Addresses stay as they are.
inline Value wrap(const Value& value, Type type) {
  return value.base ? value : Value{wrap(value.number, type), std::nullopt};
}

// The result of a Compute whose target has this type; `right` is ignored if is_unary(op). Shift amounts outside
// [0, width) shift everything out, and comparisons are signed, both as in PTX.
//
// Addresses can be moved, compared for equality, offset by numbers, and subtracted or ordered within one location. The
// idioms of false dependencies (a ^ a, a - a, a & 0, a * 0) work on them as well. Any other arithmetic on addresses has
// no meaning and gives nullopt.
std::optional<Value> compute(ComputeOp op, Type type, const Value& left, const Value& right);

// The value that a read-modify-write of this type stores over `old`; for `cas`, the value it stores if it succeeds.
std::optional<Value> modify(RmwOp op, Type type, const Value& old, const Value& operand);

}  // namespace weakspot::litmus
