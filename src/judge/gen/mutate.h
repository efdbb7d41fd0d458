// SPDX-License-Identifier: MIT
// Mutants: tests that differ from a forbidden one by one disrupted edge, so that the forbidden outcome becomes allowed
// (Levine et al., "MC Mutants: evaluating and improving testing for memory consistency specifications",
// ASPLOS 2023, section 3).
//
// The info of every mutant says where it comes from: Mutator, Parent (a name) and Edge (what was disrupted, and in
// which thread).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gen/build.h"
#include "gen/cycle.h"
#include "litmus/mutant_name.h"
#include "litmus/test.h"

namespace weakspot::gen {

using litmus::LitmusTest;

// ---- on cycles ----

// Section 3.1: each edge of program order at one location is reversed: the two accesses change places, and the
// condition stays.
base::Result<std::vector<LitmusTest>> reverse_po_loc(const Cycle& cycle, const TestOptions& options = {});

// Section 3.2: program order at one location becomes plain program order: the location splits into several.
base::Result<std::vector<LitmusTest>> weaken_po_loc(const Cycle& cycle, const TestOptions& options = {});

// Section 3.3: the fences of every set of threads that have some are removed; all of them first.
base::Result<std::vector<LitmusTest>> weaken_sw(const Cycle& cycle, const TestOptions& options = {});

// ---- on any test ----

// One kind of disruption. `apply` gives every mutant of a test once, also where symmetric threads or locations lead to
// it in several ways; litmus/mutant_name.h says what they are called.
struct Mutator {
  std::string_view word;      // "swap"
  std::string_view sentence;  // "two accesses of one thread to one location change places"
  std::vector<LitmusTest> (*apply)(const LitmusTest& test);
};

// swap, split, scope, order, fence.
std::span<const Mutator> mutators();
const Mutator* mutator_named(std::string_view word);

struct MutateOptions {
  std::vector<std::string> words;  // mutators to apply; empty: all
  // Tells whether a model allows the condition's proposition to hold. Mutants that the model still forbids are dropped.
  std::function<bool(const LitmusTest&)> allowed;
};

// The mutants of all chosen mutators.
std::vector<LitmusTest> mutate(const LitmusTest& test, const MutateOptions& options = {});

// The places where an order can be weakened, and the part of a mutant's name for an order that became `order`.
std::vector<litmus::Place> ordered_places(const LitmusTest& test);
std::string order_change(litmus::Order order);

// The value of an info key, or nothing.
std::optional<std::string> info_of(const LitmusTest& test, std::string_view key);
// Replaces the value or adds the key; an empty value removes it.
void set_info(LitmusTest& test, std::string_view key, std::string value);

}  // namespace weakspot::gen
