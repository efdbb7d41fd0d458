// SPDX-License-Identifier: MIT
// A proposition about final states, prepared to be evaluated often: observables are indices into the outcome, and
// constants have the value that the observed item's type can hold (-1 in a u32 is 4294967295).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "litmus/outcome.h"
#include "litmus/test.h"

namespace weakspot::model {

// The numbers that the condition and the filter mention, sorted.
std::vector<litmus::Value> numbers_asked_for(const litmus::LitmusTest& test);

class Question {
 public:
  Question(const litmus::LitmusTest& test, const litmus::Proposition& proposition);

  bool holds(std::span<const litmus::Value> outcome) const;
  // With part of the outcome known: true, false, or none if it depends on the rest.
  std::optional<bool> holds_so_far(std::span<const std::optional<litmus::Value>> outcome) const;

 private:
  struct Side {
    std::optional<std::size_t> index;  // into the outcome; else `value`
    litmus::Value value;
  };
  // Children come before their parent, which finds their answers on a stack.
  struct Node {
    litmus::Proposition::Kind kind = litmus::Proposition::Kind::truth;
    std::size_t children = 0;
    litmus::CompareOp op = litmus::CompareOp::eq;
    Side left, right;
  };

  void add(const litmus::LitmusTest& test, const std::vector<litmus::Observable>& observed,
           const litmus::Proposition& proposition);
  template <typename ValueOf>
  std::optional<bool> answer(const ValueOf& value_of) const;

  std::vector<Node> nodes_;
};

}  // namespace weakspot::model
