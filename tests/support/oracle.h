// SPDX-License-Identifier: MIT
// The brute-force oracle of the judge: what a model of models/ says of a small test, found by trying every execution
// and evaluating the model's text on each. For tests only.
#pragma once

#include <cstdlib>
#include <memory>
#include <set>
#include <string>

#include "model/execution/expand.h"
#include "support/brute_force.h"
#include "support/naive_cat.h"

namespace weakspot::tests {

struct Opinion {
  litmus::OutcomeSet outcomes;   // allowed
  std::uint64_t executions = 0;  // allowed
  std::set<std::string> flags;   // raised by some allowed execution
};

class Oracle {
 public:
  // The name of a file of models/, without the ending.
  explicit Oracle(const std::string& model) : cat_(model) {}

  // Throws TooLarge for a test that would take more than a fraction of a second.
  Opinion ask(const litmus::LitmusTest& test) const {
    Opinion opinion;
    const std::shared_ptr<const model::Expansion> expansion = model::expand(test);
    int executions_left = kMostExecutions;
    int orders_left = kMostOrders;
    const Summary summary = all_executions(
        expansion ? expansion->test : test,
        [&](const Execution& execution) {
          if (--executions_left < 0) throw TooLarge();
          return cat_.allows(execution, opinion.flags, orders_left);
        },
        cat_.partial_coherence(), kMostCombinations);
    opinion.outcomes = summary.outcomes;
    opinion.executions = summary.executions;
    return opinion;
  }

 private:
  static constexpr int kMostExecutions = 5'000;
  static constexpr int kMostOrders = 10'000;
  static constexpr std::size_t kMostCombinations = 5'000;

  NaiveCat cat_;
};

// The number of random tests to try: WEAKSPOT_ORACLE_TESTS in the environment if set, else `usually`.
inline int number_of_random_tests(int usually) {
  const char* const asked = std::getenv("WEAKSPOT_ORACLE_TESTS");
  return asked == nullptr ? usually : std::atoi(asked);
}

}  // namespace weakspot::tests
