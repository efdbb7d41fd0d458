// SPDX-License-Identifier: MIT
#include "gen/cycle.h"

#include <gtest/gtest.h>

#include "gen/parse_cycle.h"
#include "gen/shape/placement.h"

namespace weakspot::gen::cycle_test {
namespace {

TEST(Edge, TextsReadBack) {
  for (const char* text : {"Rfe",
                           "Rfi",
                           "Fre",
                           "Fri",
                           "Coe",
                           "Coi",
                           "Rfe.wg",
                           "Coe.sg",
                           "Fre.sys",
                           "PodRR",
                           "PosWR",
                           "Rmw",
                           "BardWW",
                           "FencedWR",
                           "Fence.scdWR",
                           "Fence.sc.wgdRR",
                           "Fence.acqrel.sysdWW",
                           "Fence.relsWW",
                           "Membar.ctadWW",
                           "Membar.gldRR",
                           "Membar.sysdWR",
                           "Dmb.sydWR",
                           "Dmb.lddRW",
                           "Dmb.ishstdWW",
                           "Dsb.sydWW",
                           "IsbdRR",
                           "MfencedWR",
                           "Fence.proxy.aliasdWR",
                           "DpAddrdR",
                           "DpAddrsW",
                           "DpDatadW",
                           "DpCtrldW",
                           "DpCtrlIsbdR",
                           "DpCtrlMembar.gldR"}) {
    const auto edge = parse_edge(text);
    ASSERT_TRUE(edge.has_value()) << text;
    EXPECT_EQ(to_string(*edge), text);
  }
}

TEST(Edge, OtherSpellings) {
  const std::pair<const char*, const char*> kSame[] = {{"Wse", "Coe"},
                                                       {"Wsi", "Coi"},
                                                       {"DMB.SYdWR", "Dmb.sydWR"},
                                                       {"MembardWW", "Membar.gldWW"},
                                                       {"ISBdRR", "IsbdRR"},
                                                       {"MFencedWR", "MfencedWR"},
                                                       {"FenceScdWR", "Fence.scdWR"},
                                                       {"Fence.sc.gpudWR", "Fence.scdWR"},
                                                       {"FenceARdWW", "Fence.acqreldWW"},
                                                       {"Membar.gpudWW", "Membar.gldWW"},
                                                       {"Rfe.cta", "Rfe.wg"},
                                                       {"Rfe.dev", "Rfe"}};
  for (const auto& [text, same] : kSame) {
    ASSERT_TRUE(parse_edge(text).has_value()) << text;
    EXPECT_EQ(parse_edge(text), parse_edge(same)) << text;
  }
}

TEST(Edge, NotEdges) {
  for (const char* text : {"",         "Po",          "PodR",          "PodXR",       "PoxRR",
                           "Rfx",      "Rfe.",        "Rfe.thread",    "Rfe.qf",      "Rfi.wg",
                           "DpDatadR", "DpAddrIsbdR", "DpCtrlFencedR", "Fence.nadWR", "Fence.sc.xdWR",
                           "podRR",    "fence.scdWR", "DpdR",          "Dmb.xydWR",   "Isb.sydRR",
                           "Rmwx",     "Acq",         "Pod**"}) {
    EXPECT_FALSE(parse_edge(text).has_value()) << text;
  }
}

TEST(Edge, StarsStandForEveryEdge) {
  EXPECT_EQ(expand_edge("Pod**").size(), 4u);
  EXPECT_EQ(expand_edge("Po***").size(), 8u);
  EXPECT_EQ(expand_edge("DpAddr**").size(), 4u);
  EXPECT_EQ(expand_edge("DpDatad*").size(), 1u);
  EXPECT_EQ(expand_edge("Rfe").size(), 1u);
  EXPECT_TRUE(expand_edge("P****").empty());
}

TEST(Cycle, TextsReadBack) {
  for (const char* text :
       {"Rfe PodRR Fre PodWW", "PodWW Rel Rfe Acq PodRR Fre", "Atom.rel.wg.cg PodWR Fre Vol PodWR Fre",
        "Shared PodWW Global Rfe.wg PodRR Fre.wg", "Sc PodWR Sc Fre Sc PodWR Sc Fre"}) {
    base::Result<Cycle> cycle = parse_cycle(text);
    ASSERT_TRUE(cycle.ok()) << base::render(cycle.errors());
    EXPECT_EQ(to_string(*cycle), text);
  }
}

TEST(Cycle, RotationsHaveOneCanonicalForm) {
  for (const char* text :
       {"Rfe PodRR Fre PodWW", "Acq PodRW Rfe PodRW Rel Rfe", "Rfe PosRR Fre", "Fre Rfi PodRR Fre PodWR",
        "Shared PodWW Global Rfe.wg PodRR Fre.wg", "Rfe PodRR Fre Rfe DpDatadW Coe"}) {
    const Cycle cycle = *parse_cycle(text);
    for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
      Cycle turned = cycle;
      std::rotate(turned.steps.begin(), turned.steps.begin() + static_cast<std::ptrdiff_t>(i), turned.steps.end());
      EXPECT_EQ(canonical(turned), canonical(cycle)) << to_string(turned);
      EXPECT_EQ(canonical(*parse_cycle(to_string(turned))), canonical(cycle)) << to_string(turned);
    }
  }
}

TEST(Cycle, AnnotationsBelongToTheEventBetweenTheEdges) {
  const Cycle cycle = *parse_cycle("Rfe Acq PodRR Fre PodWW Rel");
  EXPECT_EQ(cycle.steps[0].event.order, litmus::Order::release);
  EXPECT_EQ(cycle.steps[1].event.order, litmus::Order::acquire);
  EXPECT_FALSE(cycle.steps[2].event.order.has_value());
}

struct Wrong {
  const char* text;
  const char* message;  // the whole rendering
};

TEST(Cycle, MistakesSayWhatAndWhere) {
  const Wrong kWrong[] = {
      {"", "cycle: error: this text contains no cycle; expected edges such as 'Rfe PodRR Fre PodWW'\n"},
      {"Rfe PodRX Fre",
       "cycle:1:5: error: 'PodRX' is neither an edge, such as Rfe, PodWR, Fence.sc.devdWR or DpAddrdR, nor an "
       "annotation, "
       "such as Acq, Rel.wg or Shared\n Rfe PodRX Fre\n     ^~~~~\n"},
      {"Rfe PodWR Fre PodWW",
       "cycle:1:5: error: 'PodWR' starts with a write, but 'Rfe' before it ends with a read\n Rfe PodWR Fre PodWW\n"
       "     ^~~~~\n"},
      {"PodWW PodWR PodRW",
       "cycle:1:1: error: all edges stay in one thread; a cycle needs at least two external edges, such as Rfe\n"
       " PodWW PodWR PodRW\n ^~~~~\n"},
      {"Rfe PodRW PodWW",
       "cycle:1:1: error: 'Rfe' leaves its thread and no other edge comes back; a cycle needs at least two external "
       "edges\n Rfe PodRW PodWW\n ^~~\n"},
      {"Rfe PosRR Fre PodWW",
       "cycle:1:15: error: 'PodWW' is the only edge to another location, so the cycle does not come back to the first "
       "one\n Rfe PosRR Fre PodWW\n               ^~~~~\n"},
      {"Rfe Fre",
       "cycle:1:1: error: communications alone cannot form a cycle: no coherence order agrees with them\n"
       " Rfe Fre\n ^~~\n"},
      {"Rfe Acq PodRR Fre PodWW Acq",
       "cycle:1:1: error: a write cannot have order 'acq'\n Rfe Acq PodRR Fre PodWW Acq\n ^~~\n"},
      {"Rfe Acq Rlx PodRR Fre PodWW",
       "cycle:1:9: error: 'Rlx' contradicts another annotation of this event\n Rfe Acq Rlx PodRR Fre PodWW\n"
       "         ^~~\n"},
      {"Rfe.wg PodRR Fre PodWW",
       "cycle:1:14: error: 'Fre' puts its threads apart, but other edges put them together\n Rfe.wg PodRR Fre PodWW\n"
       "              ^~~\n"},
      {"Shared Rfe PodRR Fre PodWW",
       "cycle:1:12: error: threads of two workgroups cannot share a location in shared memory; expected .wg on the "
       "edge\n"
       " Shared Rfe PodRR Fre PodWW\n            ^~~~~\n"},
      {"Shared Rfe.wg Global PodRR Fre.wg PodWW",
       "cycle:1:22: error: this location is in global memory here, but in shared memory before\n"
       " Shared Rfe.wg Global PodRR Fre.wg PodWW\n                      ^~~~~\n"},
      {"Rfe.wg BardRR Fre.wg PodWW",
       "cycle:1:8: error: not every thread of the workgroup reaches this barrier\n Rfe.wg BardRR Fre.wg PodWW\n"
       "        ^~~~~~\n"},
      {"Rfe", "cycle:1:1: error: a cycle needs at least two edges\n Rfe\n ^~~\n"},
  };
  for (const Wrong& wrong : kWrong) {
    base::Result<Cycle> cycle = parse_cycle(wrong.text);
    ASSERT_FALSE(cycle.ok()) << wrong.text;
    EXPECT_EQ(base::render(cycle.errors()), wrong.message) << wrong.text;
  }
}

TEST(Placement, ThreadsNoEdgeBringsTogetherAreApart) {
  const Cycle cycle = canonical(*parse_cycle("Rfe.wg PodRR Fre Rfe.sg PodRR Fre"));
  const std::vector<litmus::Placement> threads = place_threads(cycle).threads;
  ASSERT_EQ(threads.size(), 4u);
  std::vector<litmus::PartialPlacement> expected(4);
  // The canonical rotation decides which of the two pairs comes first.
  const bool subgroup_first = threads[0].subgroup == threads[1].subgroup;
  for (std::uint32_t t = 0; t < 4; ++t) {
    expected[t].at(litmus::Scope::workgroup) = t / 2;
    const bool in_pair = subgroup_first == (t < 2);
    expected[t].at(litmus::Scope::subgroup) = in_pair ? 0 : t;
  }
  EXPECT_EQ(threads, litmus::make_scope_tree(expected).placements);
}

}  // namespace
}  // namespace weakspot::gen::cycle_test
