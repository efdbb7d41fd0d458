// SPDX-License-Identifier: MIT
#include "model/execution/question.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/sort.h"
#include "model/expression/expression.h"

namespace weakspot::model {
namespace {

using Kind = litmus::Proposition::Kind;
using litmus::Value;

litmus::Type type_of(const litmus::LitmusTest& test, const litmus::Observable& item) {
  if (const auto* reg = std::get_if<litmus::ObservedRegister>(&item)) return test[*reg].type;
  return test[std::get<litmus::LocationId>(item)].type;
}

bool compare(const Value& left, litmus::CompareOp op, const Value& right) {
  switch (op) {
    case litmus::CompareOp::eq:
      return left == right;
    case litmus::CompareOp::ne:
      return left != right;
    case litmus::CompareOp::lt:
      return left.number < right.number;
    case litmus::CompareOp::le:
      return left.number <= right.number;
    case litmus::CompareOp::gt:
      return left.number > right.number;
    case litmus::CompareOp::ge:
      return left.number >= right.number;
  }
  return false;
}

// True if any is true, false if all are false.
std::optional<bool> any_of(std::span<const std::optional<bool>> parts) {
  bool unknown = false;
  for (const std::optional<bool>& part : parts) {
    if (part == true) return true;
    unknown = unknown || !part;
  }
  return unknown ? std::nullopt : std::optional(false);
}

std::optional<bool> negate(const std::optional<bool>& part) { return part ? std::optional(!*part) : std::nullopt; }

std::optional<bool> all_of(std::span<std::optional<bool>> parts) {
  for (std::optional<bool>& part : parts) part = negate(part);
  return negate(any_of(parts));
}

void collect_numbers(const litmus::Proposition& proposition, std::vector<Value>& numbers) {
  for (const litmus::Proposition& child : proposition.children) collect_numbers(child, numbers);
  if (proposition.kind != Kind::comparison) return;
  for (const litmus::Term* term : {&proposition.left, &proposition.right}) {
    if (const Value* value = std::get_if<Value>(term); value != nullptr && !value->base) numbers.push_back(*value);
  }
}

}  // namespace

std::vector<Value> numbers_asked_for(const litmus::LitmusTest& test) {
  std::vector<Value> numbers;
  collect_numbers(test.condition.proposition, numbers);
  if (test.filter) collect_numbers(*test.filter, numbers);
  base::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Question::Question(const litmus::LitmusTest& test, const litmus::Proposition& proposition) {
  nodes_.reserve(1 + proposition.children.size());
  add(test, test.observed(), proposition);
}

void Question::add(const litmus::LitmusTest& test, const std::vector<litmus::Observable>& observed,
                   const litmus::Proposition& proposition) {
  for (const litmus::Proposition& child : proposition.children) add(test, observed, child);
  Node node{proposition.kind, proposition.children.size(), proposition.op, {}, {}};
  if (proposition.kind == Kind::comparison) {
    auto side = [&](const litmus::Term& term, const litmus::Term& other) {
      if (const auto* item = std::get_if<litmus::Observable>(&term)) {
        const auto found = std::find(observed.begin(), observed.end(), *item);
        return Side{static_cast<std::size_t>(found - observed.begin()), {}};
      }
      const Value& value = std::get<Value>(term);
      const auto* item = std::get_if<litmus::Observable>(&other);
      return Side{std::nullopt, item == nullptr ? value : wrap(value, type_of(test, *item))};
    };
    node.left = side(proposition.left, proposition.right);
    node.right = side(proposition.right, proposition.left);
  }
  nodes_.push_back(node);
}

template <typename ValueOf>
std::optional<bool> Question::answer(const ValueOf& value_of) const {
  static constexpr std::size_t kSmall = 16;
  std::array<std::optional<bool>, kSmall> few;
  std::vector<std::optional<bool>> many;
  if (nodes_.size() > kSmall) many.resize(nodes_.size());
  const std::span<std::optional<bool>> stack = nodes_.size() > kSmall ? std::span(many) : std::span(few);
  std::size_t size = 0;
  for (const Node& node : nodes_) {
    const std::span children = stack.subspan(size - node.children, node.children);
    std::optional<bool> result;
    switch (node.kind) {
      case Kind::truth:
        result = true;
        break;
      case Kind::falsity:
        result = false;
        break;
      case Kind::negation:
        result = negate(children[0]);
        break;
      case Kind::conjunction:
        result = all_of(children);
        break;
      case Kind::disjunction:
        result = any_of(children);
        break;
      case Kind::implication:
        children[0] = negate(children[0]);
        result = any_of(children);
        break;
      case Kind::comparison: {
        const std::optional<Value> left = node.left.index ? value_of(*node.left.index) : node.left.value;
        const std::optional<Value> right = node.right.index ? value_of(*node.right.index) : node.right.value;
        if (left && right) result = compare(*left, node.op, *right);
        break;
      }
    }
    size -= node.children;
    stack[size++] = result;
  }
  return stack[size - 1];
}

bool Question::holds(std::span<const Value> outcome) const {
  return *answer([&](std::size_t index) { return std::optional(outcome[index]); });
}

std::optional<bool> Question::holds_so_far(std::span<const std::optional<Value>> outcome) const {
  return answer([&](std::size_t index) { return outcome[index]; });
}

}  // namespace weakspot::model
