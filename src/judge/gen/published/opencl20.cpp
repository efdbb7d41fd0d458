// SPDX-License-Identifier: MIT
// The conformance tests of Kirkham et al., "Foundations of empirical memory consistency testing" (OOPSLA 2020), section
// 6: six shapes whose orders cannot be weakened, the six ways in which a wrapper of the atomic functions weakens them,
// coherence, and multi-copy atomicity.
#include <fmt/format.h>

#include "base/check.h"
#include "base/source.h"
#include "gen/name.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"

namespace weakspot::gen {
namespace {

using Found = std::function<bool(LitmusTest)>;
using litmus::Order;

LitmusTest test_named(std::string_view name) {
  const base::Result<Cycle> cycle = cycle_named(name);
  WEAKSPOT_CHECK(cycle.ok());
  TestOptions options;
  options.arch = litmus::Arch::opencl;
  base::Result<LitmusTest> test = to_test(*cycle, options);
  WEAKSPOT_CHECK(test.ok());
  return std::move(*test);
}

// The study's LB has a release and an acquire in each thread; one of each is enough to forbid the outcome, and only
// then does weakening any of them allow it.
constexpr std::string_view kTests[] = {"MP+rel+acq", "LB+rel+acq", "SB+sc", "S+rel+acq", "R+sc", "2+2W+sc"};

// A wrapper changes the order of every load, or of every store, that has the order `from`. The study does not say which
// of its mutants is which; these numbers agree with the tests that exposed each of them.
struct Wrapper {
  bool loads;
  Order from, to;
};
constexpr Wrapper kWrappers[] = {
    {false, Order::release, Order::relaxed}, {true, Order::seq_cst, Order::relaxed},
    {true, Order::seq_cst, Order::acquire},  {false, Order::seq_cst, Order::release},
    {false, Order::seq_cst, Order::relaxed}, {true, Order::acquire, Order::relaxed},
};

// Nothing if the test has no such order.
std::optional<LitmusTest> wrapped(const LitmusTest& test, std::size_t number) {
  const Wrapper& wrapper = kWrappers[number];
  LitmusTest mutant = test;
  std::vector<litmus::Place> changed;
  for (std::size_t t = 0; t < mutant.threads.size(); ++t) {
    for (std::size_t i = 0; i < mutant.threads[t].instructions.size(); ++i) {
      litmus::Instruction& instruction = mutant.threads[t].instructions[i];
      const bool fits = wrapper.loads ? std::holds_alternative<litmus::Load>(instruction.operation)
                                      : std::holds_alternative<litmus::Store>(instruction.operation);
      litmus::Access* access = litmus::access_of(instruction);
      if (!fits || access->order != wrapper.from) continue;
      access->order = wrapper.to;
      changed.push_back({t, i});
    }
  }
  if (changed.empty()) return std::nullopt;
  mutant.name = litmus::mutant_name(test.name, order_change(wrapper.to), ordered_places(test), changed);
  set_info(mutant, "Cycle", "");
  set_info(mutant, "Mutator", fmt::format("i{}", number));
  set_info(mutant, "Parent", test.name);
  set_info(mutant, "Edge",
           fmt::format("{} {} to {}", litmus::to_string(wrapper.from), wrapper.loads ? "loads" : "stores",
                       litmus::to_string(wrapper.to)));
  return mutant;
}

bool give_text(std::string_view text, const Found& found) {
  auto tests = litmus::read_tests(base::Source("suite", std::string(text)));
  WEAKSPOT_CHECK(tests.ok() && tests->size() == 1);
  return found(std::move(tests->front()));
}

// The five coherence shapes of one location (Alglave et al., "Herding cats", figure 6), relaxed.
constexpr std::string_view kCoherenceTests[] = {
    R"(OPENCL CoWW0
{ }
P0@wg 0, dev 0 (atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(x, 2, memory_order_relaxed);
}
exists (x=1)
)",
    R"(OPENCL CoRW1
{ }
P0@wg 0, dev 0 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
exists (0:r0=1)
)",
    R"(OPENCL CoRW2
{ }
P0@wg 0, dev 0 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
P1@wg 1, dev 0 (atomic_int* x) {
  atomic_store_explicit(x, 2, memory_order_relaxed);
}
exists (0:r0=2 /\ x=2)
)",
    R"(OPENCL CoWR
{ }
P0@wg 0, dev 0 (atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
}
P1@wg 1, dev 0 (atomic_int* x) {
  atomic_store_explicit(x, 2, memory_order_relaxed);
}
exists (0:r0=2 /\ x=1)
)",
    R"(OPENCL CoRR
{ }
P0@wg 0, dev 0 (atomic_int* x) {
  atomic_store_explicit(x, 1, memory_order_relaxed);
}
P1@wg 1, dev 0 (atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  int r1 = atomic_load_explicit(x, memory_order_relaxed);
}
exists (1:r0=1 /\ 1:r1=0)
)",
};

}  // namespace

void make_opencl20(const Found& found) {
  for (const std::string_view name : kTests) {
    if (!found(test_named(name))) return;
  }
}

void make_opencl20_mutants(const Found& found) {
  for (const std::string_view name : kTests) {
    const LitmusTest test = test_named(name);
    for (std::size_t i = 0; i < std::size(kWrappers); ++i) {
      std::optional<LitmusTest> mutant = wrapped(test, i);
      if (mutant && !found(*std::move(mutant))) return;
    }
  }
}

void make_sc_per_loc(const Found& found) {
  for (const std::string_view text : kCoherenceTests) {
    if (!give_text(text, found)) return;
  }
}

// Relaxed and release-acquire are allowed and tell whether the device is multi-copy atomic; seq_cst is forbidden.
void make_iriw(const Found& found) {
  for (const std::string_view name : {"IRIW", "IRIW+ra", "IRIW+sc"}) {
    if (!found(test_named(name))) return;
  }
}

}  // namespace weakspot::gen
