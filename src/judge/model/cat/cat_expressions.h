// SPDX-License-Identifier: MIT
// The expressions of cat: names, functions, recursive definitions, conditions and matches.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/cat/cat_operators.h"
#include "model/cat/cat_resolve.h"

namespace weakspot::model::cat {

class Expressions : public Operators {
 protected:
  Expressions(const Resolved& model, const std::vector<std::string>& variants, KnownNodes* known, bool checking,
              Graph::Form form)
      : Operators(known, checking, form), model_(model), variants_(variants), globals_(model.globals.size()) {}

  Value eval(const Expr& expr, const Locals* locals);
  Value eval_reference(Reference reference, const std::string& name, Place place, const Locals* locals);
  // The values of the bindings of `let`, in order.
  std::vector<Value> eval_bindings(const std::vector<Binding>& bindings, Place place, const Locals* locals);
  // The values of the bindings of `let rec`, in order; `extended` gets the locals that have their names.
  std::vector<Value> recursive(const std::vector<Binding>& bindings, const Locals* locals, const Locals*& extended,
                               std::optional<std::uint32_t> slot);
  Locals* push(Value value, const Locals* outer);

  const Resolved& model_;
  const std::vector<std::string>& variants_;
  std::vector<Value> globals_;
  std::unordered_map<const void*, int> active_;          // functions and procedures being applied
  std::vector<std::pair<NodeId, std::string>> applied_;  // results of functions, for labels

 private:
  Value eval_inside(const Expr& expr, const Locals* locals);
  using Coercion = Value (Values::*)(Place, const Value&);
  // The values of all operands, each coerced before the next is evaluated.
  std::vector<Value> eval_operands(const Expr& expr, const Locals* locals, Coercion coerce = nullptr);
  Value eval_let(const Expr& expr, const Locals* locals);
  Value eval_try(const Expr& expr, const Locals* locals);
  Value eval_if(const Expr& expr, const Locals* locals);
  Value eval_match_tag(const Expr& expr, const Locals* locals);
  Value eval_match_set(const Expr& expr, const Locals* locals);
  Value apply(Place place, const Value& function, const Value& argument);

  std::deque<Locals> locals_;
  int depth_ = 0;
};

}  // namespace weakspot::model::cat
