// SPDX-License-Identifier: MIT
// The limits that end a search for candidate executions early, and the division of a search among enumerations that
// share a test.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "model/budget/allowance.h"
#include "model/execution/enumerate.h"

namespace weakspot::model {

// The limits of one enumeration, and the work and memory counted against them.
struct Budget {
  Budget(const EnumerateOptions& given, Allowance& left, const CandidateVisitor& with)
      : options(given), limits(given.limits), allowance(left), visitor(with) {}

  bool spent(EnumerateResult& result) {
    if (stopped) return true;
    if (limits.candidates != 0 && result.candidates >= limits.candidates) {
      stop(result, fmt::format("gave up after {} candidate executions", limits.candidates));
    } else if (allowance.used_up() || (steps += weight) >= kStepsPerLook) {
      look(result);
    }
    return stopped;
  }

  // Looks at the clock and at the memory held.
  void look(EnumerateResult& result) {
    steps = 0;
    if (allowance.look() || !allowance.holds(paths + open + visitor.held())) stop(result, allowance.reason());
  }

  void stop(EnumerateResult& result, std::string reason) {
    stopped = true;
    result.complete = false;
    if (result.reason.empty()) result.reason = std::move(reason);
  }

  // A step takes longer the more events there are.
  void weigh(std::size_t events) { weight = 1 + events * events / 256; }

  static constexpr std::uint64_t kStepsPerLook = 64;
  const EnumerateOptions& options;
  const Limits& limits;
  Allowance& allowance;
  const CandidateVisitor& visitor;
  std::uint64_t steps = 0;
  std::uint64_t weight = 1;
  std::size_t paths = 0;  // bytes held for the whole test
  std::size_t open = 0;   // bytes held for the frame being searched
  bool stopped = false;
};

// The subtrees of the search that belong to this enumeration when several share a test. All enumerations walk the same
// tree and number its subtrees alike; the shared counter hands out the numbers, so each subtree has one owner.
struct Share {
  explicit Share(std::atomic<std::uint64_t>* counter) : next(counter) { take(); }

  void take() {
    if (next != nullptr) mine = next->fetch_add(1, std::memory_order_relaxed);
  }
  // Counts the subtrees in an order that all enumerations agree on. After it returned true, take() must be called
  // before it is called again.
  bool claim() { return seen++ == mine; }

  std::atomic<std::uint64_t>* next;
  std::uint64_t mine = 0;
  std::uint64_t seen = 0;
};

}  // namespace weakspot::model
