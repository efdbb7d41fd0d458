// SPDX-License-Identifier: MIT
// The operators of cat on values: sets of events, relations, and sets of other values. The expression gives the
// operator and the places of its operands, for messages.
#pragma once

#include <optional>
#include <vector>

#include "model/cat/cat_primitives.h"

namespace weakspot::model::cat {

class Operators : public Primitives {
 protected:
  using Primitives::Primitives;

  Value unary(const Expr& expr, const Value& value);
  Value sequence(const std::vector<Value>& relations);
  Value product(const Value& from, const Value& to);              // both are sets
  Value add(const Expr& expr, const std::vector<Value>& values);  // element ++ set
  Value explicit_set(const Expr& expr, std::vector<Value> items);
  // | & and \.
  Value set_operation(const Expr& expr, const std::vector<Value>& values);
  // `if left = right` and the like; none if there is a problem.
  std::optional<bool> compare(const Expr& expr, const Value& left, const Value& right, Value& problem);

 private:
  Value complement(const Expr& expr, const Value& value);
  Value operation_on_open(const Expr& expr, const std::vector<Value>& values) const;
  Value operation_on_values(const Expr& expr, const std::vector<Value>& values);
};

}  // namespace weakspot::model::cat
