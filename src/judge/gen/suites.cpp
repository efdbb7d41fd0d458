// SPDX-License-Identifier: MIT
#include "gen/suites.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "base/check.h"
#include "gen/identity.h"
#include "gen/name.h"
#include "gen/search.h"
#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "litmus/normalize.h"

namespace weakspot::gen {
namespace {

using Found = std::function<bool(LitmusTest)>;
using litmus::Arch;
using litmus::Scope;

void make_mc_mutants(const Found& found) {
  McMutants suite = mc_mutants_suite();
  for (std::vector<LitmusTest>* list : {&suite.conformance, &suite.mutants}) {
    for (LitmusTest& test : *list) {
      if (!found(std::move(test))) return;
    }
  }
}

bool give(std::string_view name, Arch arch, const Found& found) {
  const base::Result<Cycle> cycle = cycle_named(name);
  WEAKSPOT_CHECK(cycle.ok());
  TestOptions options;
  options.arch = arch;
  base::Result<LitmusTest> test = to_test(*cycle, options);
  WEAKSPOT_CHECK(test.ok());
  return found(std::move(*test));
}

// OOPSLA 2020, section 6.1: the six shapes of two threads with relaxed accesses, for tuning, and with orders that
// cannot be weakened, for conformance. Shapes of three and four threads with orders that forbid them.
void make_opencl(const Found& found) {
  for (std::string_view name : {"MP",
                                "LB",
                                "SB",
                                "S",
                                "R",
                                "2+2W",
                                "MP+rel+acq",
                                "LB+rel+acq",
                                "SB+sc",
                                "S+rel+acq",
                                "R+sc",
                                "2+2W+sc",
                                "WRC",
                                "ISA2",
                                "RWC",
                                "IRIW",
                                "WRC+w+rel+acq",
                                "ISA2+rel+acq-po-rel+acq",
                                "RWC+sc",
                                "IRIW+sc",
                                "3.SB+sc",
                                "3.2W+sc"}) {
    if (!give(name, Arch::opencl, found)) return;
  }
}

std::vector<Edge> edges(std::initializer_list<std::string_view> words) {
  std::vector<Edge> list;
  for (std::string_view word : words) {
    const std::vector<Edge> meant = expand_edge(word);
    WEAKSPOT_CHECK(!meant.empty());
    list.insert(list.end(), meant.begin(), meant.end());
  }
  return list;
}

Flavour flavour(std::string_view read, std::string_view write) {
  Flavour result;
  WEAKSPOT_CHECK(add_annotation(read, result.read) && add_annotation(write, result.write));
  return result;
}

// Runs several searches as one.
void generate_all(const std::vector<SearchConfig>& configs, const Found& found) {
  bool go_on = true;
  for (const SearchConfig& config : configs) {
    if (!go_on) return;
    generate(config, [&](LitmusTest test) { return go_on = found(std::move(test)); });
  }
}

// Shapes of two threads with a fence of either kind and any scope in each; shapes of up to four with one scope
// throughout. Threads are in one CTA, in two, or on two devices.
void make_ptx_scoped(const Found& found) {
  SearchConfig fences;
  fences.edges = edges({"Rfe", "Fre", "Coe", "Fence.acqrel.wgd**", "Fence.acqreld**", "Fence.acqrel.sysd**",
                        "Fence.sc.wgd**", "Fence.scd**", "Fence.sc.sysd**"});
  fences.size = {4, 4};
  fences.threads = {2, 2};
  fences.together = {Scope::workgroup, Scope::device, Scope::system};
  fences.flavours = {flavour("rlx.wg", "rlx.wg"), flavour("rlx.dev", "rlx.dev"), flavour("rlx.sys", "rlx.sys")};
  fences.test.arch = Arch::ptx;

  SearchConfig orders = fences;
  orders.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  orders.size = {4, 6};
  orders.threads = {2, 4};
  orders.flavours = {flavour("acq.wg", "rel.wg"), flavour("acq.dev", "rel.dev"), flavour("acq.sys", "rel.sys")};
  orders.together = {Scope::workgroup, Scope::device};
  orders.mixed_together = true;
  generate_all({fences, orders}, found);
}

// The same for Vulkan: release and acquire on accesses and in fences at the scopes it has, threads in one subgroup,
// in one workgroup, in several.
void make_vulkan_scoped(const Found& found) {
  SearchConfig fences;
  fences.edges = edges({"Rfe", "Fre", "Coe", "Pod**", "Fence.acqrel.sgd**", "Fence.acqrel.wgd**", "Fence.acqreld**"});
  fences.size = {4, 4};
  fences.threads = {2, 2};
  fences.together = {Scope::subgroup, Scope::workgroup, Scope::device};
  fences.flavours = {flavour("rlx.wg", "rlx.wg"), flavour("rlx.dev", "rlx.dev")};
  fences.test.arch = Arch::vulkan;

  SearchConfig orders = fences;
  orders.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  orders.size = {4, 6};
  orders.threads = {2, 4};
  orders.flavours = {flavour("acq.wg", "rel.wg"), flavour("acq.dev", "rel.dev")};
  orders.together = {Scope::workgroup, Scope::device};
  orders.mixed_together = true;
  generate_all({fences, orders}, found);
}

// A read-modify-write of the test as a compare-exchange that succeeds on 0.
void compare_and_exchange(litmus::Thread& thread, litmus::Rmw& rmw) {
  if (!rmw.target) {
    rmw.target = litmus::RegisterId{static_cast<std::uint32_t>(thread.registers.size())};
    thread.registers.push_back({fmt::format("e{}", thread.registers.size()), rmw.access.type, {}});
  }
  if (rmw.op == litmus::RmwOp::add) rmw.operand = litmus::integer(3);
  rmw.op = litmus::RmwOp::cas;
  rmw.expected = *rmw.target;
  const litmus::Order order = rmw.access.order;
  rmw.failure_order = order == litmus::Order::seq_cst ? litmus::Order::seq_cst
                      : litmus::is_acquire(order)     ? litmus::Order::acquire
                                                      : litmus::Order::relaxed;
}

// The same test with compare-exchanges; none if it has no read-modify-writes.
std::optional<LitmusTest> with_compare_exchange(LitmusTest test, bool weak) {
  bool any = false;
  for (litmus::Thread& thread : test.threads) {
    for (litmus::Instruction& instruction : thread.instructions) {
      auto* rmw = std::get_if<litmus::Rmw>(&instruction.operation);
      if (rmw == nullptr) continue;
      compare_and_exchange(thread, *rmw);
      rmw->may_fail = weak;
      any = true;
    }
  }
  if (!any) return std::nullopt;
  test.name += weak ? "+weak-cas" : "+cas";
  test.description.clear();
  test.info.clear();
  litmus::normalize(test);
  return test;
}

// C11's orders over the shapes of two threads, each access with an order of its own and as a load, a store or a
// read-modify-write; fences of every order in them; the shapes of three threads with fewer choices.
void make_c11(const Found& found) {
  SearchConfig accesses;
  accesses.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  accesses.size = {4, 4};
  accesses.threads = {2, 2};
  accesses.flavours = {flavour("rlx", "rlx"), flavour("acq", "rel"), flavour("sc", "sc"),
                       flavour("atom.acqrel", "atom.acqrel")};
  accesses.mixed_flavours = true;
  accesses.test.arch = Arch::c11;

  SearchConfig updates = accesses;
  updates.flavours = {flavour("rlx", "rlx"), flavour("atom.rlx", "atom.rlx"), flavour("atom.acq", "atom.rel"),
                      flavour("atom.sc", "atom.sc")};

  SearchConfig fences = accesses;
  fences.edges =
      edges({"Rfe", "Fre", "Coe", "Pod**", "Fence.acqd**", "Fence.reld**", "Fence.acqreld**", "Fence.scd**"});
  fences.flavours = {flavour("rlx", "rlx"), flavour("acq", "rel"), flavour("sc", "sc"),
                     flavour("atom.rlx", "atom.rlx")};
  fences.mixed_flavours = false;

  SearchConfig dependencies = accesses;
  dependencies.edges = edges({"Rfe", "Fre", "Coe", "Pod**", "DpAddrd*", "DpDatadW", "DpCtrldW"});
  dependencies.flavours = {flavour("rlx", "rlx"), flavour("acq", "rel")};

  SearchConfig three = accesses;
  three.size = {5, 6};
  three.threads = {3, 3};
  three.flavours = {flavour("rlx", "rlx"), flavour("acq", "rel"), flavour("sc", "sc")};
  three.mixed_flavours = false;
  SearchConfig three_fenced = three;
  three_fenced.edges = edges({"Rfe", "Fre", "Coe", "Pod**", "Fence.acqreld**", "Fence.scd**"});
  three_fenced.flavours = {flavour("rlx", "rlx"), flavour("acq", "rel")};
  SearchConfig three_updates = three;
  three_updates.flavours = {flavour("atom.rlx", "rlx"),    flavour("atom.acq", "rel"),
                            flavour("acq", "atom.rel"),    flavour("atom.acqrel", "atom.acqrel"),
                            flavour("atom.sc", "atom.sc"), flavour("sc", "atom.sc")};

  // Several searches meet the same test.
  std::set<base::Hash128> seen;
  bool go_on = true;
  auto give_once = [&](LitmusTest test) {
    go_on = go_on && (!seen.insert(canonical_hash(test)).second || found(std::move(test)));
    return go_on;
  };
  generate_all({accesses, updates, fences, dependencies, three, three_fenced, three_updates}, give_once);
  if (!go_on) return;
  generate_all({updates, three_updates}, [&](LitmusTest test) {
    const std::optional<LitmusTest> exchanging = with_compare_exchange(std::move(test), false);
    if (!exchanging) return true;
    base::Result<LitmusTest> adapted = litmus::adapt(*exchanging, litmus::Dialect::c11);
    return !adapted || give_once(std::move(*adapted));
  });
}

// Two workgroups' orders and scopes in OpenCL: on accesses, on read-modify-writes and in fences.
void make_opencl_scoped(const Found& found) {
  SearchConfig fences;
  fences.edges =
      edges({"Rfe", "Fre", "Coe", "Pod**", "Fence.acqrel.wgd**", "Fence.acqreld**", "Fence.sc.wgd**", "Fence.scd**"});
  fences.size = {4, 4};
  fences.threads = {2, 2};
  fences.together = {Scope::workgroup, Scope::device};
  fences.flavours = {flavour("rlx.dev", "rlx.dev")};
  fences.test.arch = Arch::opencl;

  SearchConfig orders = fences;
  orders.edges = edges({"Rfe", "Fre", "Coe", "Pod**"});
  orders.size = {4, 6};
  orders.threads = {2, 3};
  orders.flavours = {flavour("acq.wg", "rel.wg"), flavour("acq.dev", "rel.dev"), flavour("sc.dev", "sc.dev"),
                     flavour("atom.acqrel.wg", "atom.acqrel.wg"), flavour("atom.acqrel.dev", "atom.acqrel.dev")};
  orders.mixed_together = true;
  generate_all({fences, orders}, found);
}

// Covers the operations of WGSL: relaxed loads, stores, exchanges, additions and weak compare-exchanges, dependencies,
// accesses of one location in a row.
void make_wgsl(const Found& found) {
  SearchConfig accesses;
  accesses.edges = edges({"Rfe", "Fre", "Coe", "Pod**", "Pos**", "DpDatadW", "DpCtrldW"});
  accesses.size = {3, 4};
  accesses.threads = {2, 2};
  accesses.flavours = {flavour("rlx", "rlx"), flavour("atom.rlx", "atom.rlx")};
  accesses.mixed_flavours = true;
  SearchConfig three = accesses;
  three.size = {4, 6};
  three.threads = {3, 3};
  three.mixed_flavours = false;
  generate_all({accesses, three}, [&](LitmusTest test) {
    std::optional<LitmusTest> exchanging = with_compare_exchange(test, true);
    return found(std::move(test)) && (!exchanging || found(std::move(*exchanging)));
  });
}

constexpr Suite kSuites[] = {
    {"mc-mutants", "20 conformance tests and their 32 mutants (MC Mutants, ASPLOS 2023)", make_mc_mutants},
    {"opencl", "shapes with relaxed accesses, and with orders that forbid the outcome (OOPSLA 2020)", make_opencl},
    {"opencl20", "six shapes whose orders cannot be weakened (OOPSLA 2020)", make_opencl20},
    {"opencl20-mutants", "the same, weakened by six wrappers of the atomic functions, i0 to i5", make_opencl20_mutants},
    {"c11", "C11's loads, stores, read-modify-writes and fences of every order, in two and three threads", make_c11},
    {"opencl-scoped", "orders and scopes of accesses, read-modify-writes and fences, for OpenCL", make_opencl_scoped},
    {"wgsl", "relaxed loads, stores, read-modify-writes and dependencies, which is what WGSL has", make_wgsl},
    {"sc-per-loc", "five coherence shapes of one location", make_sc_per_loc},
    {"iriw", "multi-copy atomicity: IRIW relaxed, release-acquire and seq_cst", make_iriw},
    {"ptx-scoped", "fences, releases and acquires of every scope, threads at every distance, for PTX", make_ptx_scoped},
    {"vulkan-scoped", "the same for Vulkan, subgroups included", make_vulkan_scoped},
};

}  // namespace

std::span<const Suite> suites() { return kSuites; }

const Suite* suite_named(std::string_view name) {
  for (const Suite& suite : kSuites) {
    if (suite.name == name) return &suite;
  }
  return nullptr;
}

std::vector<LitmusTest> tests_of(const Suite& suite) {
  std::vector<LitmusTest> tests;
  suite.make([&](LitmusTest test) {
    tests.push_back(std::move(test));
    return true;
  });
  return tests;
}

}  // namespace weakspot::gen
