// SPDX-License-Identifier: MIT
#include "base/check.h"
#include "base/source.h"
#include "gen/parse_cycle.h"
#include "gen/suites.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"

namespace weakspot::gen {
namespace {

enum class McMutator { reverse_po_loc, weaken_po_loc, weaken_sw };

// A conformance test: its cycle, the values its threads write, and how it is mutated. The order of the threads and the
// names of the locations are those of the paper. Four accesses to one location have many outcomes that coherence
// forbids; such a test asks for any of them and needs no observer.
struct Row {
  const char* name;
  McMutator mutator;
  const char* cycle;
  std::vector<std::int64_t> values;
  std::vector<std::string> locations;
  const char* condition = nullptr;  // nullptr: that of the cycle
};

const std::vector<Row>& rows() {
  using enum McMutator;
  static const std::vector<Row> table = {
      {"CoRR", reverse_po_loc, "Rfe PosRR Fre", {1}, {}},
      {"CoRR-rmw", reverse_po_loc, "Atom Rfe PosRR Atom Fre", {1}, {}},
      {"CoRW", reverse_po_loc, "PosRW Coe Rfe", {1, 2}, {}},
      {"CoRW-rmw", reverse_po_loc, "PosRW Coe Atom Rfe", {1, 2}, {}},
      {"CoWR", reverse_po_loc, "PosWR Fre Coe", {1, 2}, {}},
      {"CoWR-rmw", reverse_po_loc, "PosWR Fre Atom Coe", {1, 2}, {}},
      {"CoWW", reverse_po_loc, "PosWW Coe Coe", {1, 2, 3}, {}},
      {"CoWW-rmw", reverse_po_loc, "Atom PosWW Coe Atom Coe", {1, 2, 3}, {}},

      {"MP-CO",
       weaken_po_loc,
       "PosWW Rfe PosRR Fre",
       {1, 2},
       {},
       R"(exists (1:r0!=0 /\ 1:r1=0 \/ 1:r0=2 /\ 1:r1!=2 \/ x!=2))"},
      {"LB-CO",
       weaken_po_loc,
       "PosRW Rfe PosRW Rfe",
       {1, 2},
       {"y", "x"},
       R"(exists (0:r0!=0 /\ x!=1 \/ 0:r0=1 \/ 1:r0!=0 /\ x!=2 \/ 1:r0=2 \/ x=0))"},
      {"SB-CO",
       weaken_po_loc,
       "PosWR Fre PosWR Fre",
       {1, 2},
       {},
       R"(exists (0:r0!=1 /\ x!=2 \/ 0:r0=0 \/ 1:r0!=2 /\ x!=1 \/ 1:r0=0 \/ x=0))"},
      {"S-CO",
       weaken_po_loc,
       "PosWW Rfe PosRW Coe",
       {2, 1, 3},
       {},
       R"(exists (1:r0=1 /\ x!=3 \/ 1:r0=3 \/ x=0 \/ x=2))"},
      {"R-CO",
       weaken_po_loc,
       "PosWW Coe PosWR Fre",
       {1, 2, 3},
       {},
       R"(exists (1:r0!=3 /\ x!=2 \/ 1:r0=0 \/ x=0 \/ x=1))"},
      {"2+2W-CO", weaken_po_loc, "PosWW Coe PosWW Coe", {2, 1, 3, 4}, {}, R"(exists (x=0 \/ x=2 \/ x=3))"},

      {"MP-relacq", weaken_sw, "Fence.reldWW Rfe Fence.acqdRR Fre", {}, {}},
      {"LB-relacq", weaken_sw, "Fence.reldRW Rfe Fence.acqdRW Rfe", {}, {"y", "x"}},
      {"S-relacq", weaken_sw, "Fence.reldWW Rfe Fence.acqdRW Coe", {}, {}},
      {"R-rmw", weaken_sw, "Fence.reldWW Atom Coe Atom Fence.acqdWR Fre", {}, {}},
      {"SB-rmw", weaken_sw, "Fence.reldWR Atom Fre Atom Fence.acqdWR Fre", {}, {}},
      {"2+2W-rmw", weaken_sw, "Fence.reldWW Atom Coe Atom Fence.acqdWW Coe", {}, {}},
  };
  return table;
}

TestOptions options_of(const Row& row) {
  TestOptions options;
  options.name = row.name;
  options.place_threads = true;
  options.locations = row.locations;
  options.layout.as_written = true;
  options.layout.values = row.values;
  return options;
}

// The observer's last read is a read-modify-write as well.
void make_last_observation_atomic(LitmusTest& test) {
  litmus::Instruction& last = test.threads.back().instructions.back();
  const auto load = std::get<litmus::Load>(last.operation);
  last.operation = litmus::Rmw{
      .op = litmus::RmwOp::add, .target = load.target, .access = load.access, .operand = litmus::integer(0)};
}

// The paper asks whether the read sees an overwritten value rather than the initial one: r0=2, not r0=0.
void ask_for_overwritten_write(LitmusTest& test) {
  for (litmus::Proposition& part : test.condition.proposition.children) {
    if (part.right == litmus::Term(litmus::integer(0))) part.right = litmus::integer(2);
  }
}

template <typename T>
T expect(base::Result<T> result) {
  WEAKSPOT_CHECK(result.ok());
  return std::move(*result);
}

void ask(LitmusTest& test, std::string_view condition) {
  test.threads.resize(2);
  test.scopes = litmus::default_scope_tree(test.threads.size());
  test.condition.proposition = {};
  const std::string text = expect(litmus::print(test, litmus::Dialect::canonical));
  test =
      expect(litmus::read_tests(base::Source("suite", text.substr(0, text.rfind("exists")) + std::string(condition))))
          .front();
}

std::vector<LitmusTest> mutants_of(const Row& row, const Cycle& cycle) {
  const TestOptions options = options_of(row);
  switch (row.mutator) {
    case McMutator::reverse_po_loc:
      return expect(reverse_po_loc(cycle, options));
    case McMutator::weaken_po_loc:
      return expect(weaken_po_loc(cycle, options));
    case McMutator::weaken_sw:
      return expect(weaken_sw(cycle, options));
  }
  return {};
}

}  // namespace

McMutants mc_mutants_suite() {
  McMutants suite;
  for (const Row& row : rows()) {
    const Cycle cycle = expect(parse_cycle(row.cycle));
    TestOptions options = options_of(row);
    // With one location only, it is called x.
    if (row.mutator == McMutator::weaken_po_loc) options.locations.clear();
    LitmusTest test = expect(to_test(cycle, options));
    std::vector<LitmusTest> mutants = mutants_of(row, cycle);
    const std::string_view name = row.name;
    if (name == "CoWW-rmw") {
      make_last_observation_atomic(test);
      for (LitmusTest& mutant : mutants) make_last_observation_atomic(mutant);
    }
    if (name.starts_with("CoWR")) ask_for_overwritten_write(test);
    if (row.condition != nullptr) {
      ask(test, row.condition);
      // The outcomes of a disjunction are not split one by one: the split of the cycle is the only one.
      WEAKSPOT_CHECK(mutants.size() == 1 && mutator_named("split")->apply(test).empty());
      mutants.front().name = test.name + "-" + std::string(litmus::kSplit);
    }
    suite.conformance.push_back(std::move(test));
    for (LitmusTest& mutant : mutants) suite.mutants.push_back(std::move(mutant));
  }
  return suite;
}

}  // namespace weakspot::gen
