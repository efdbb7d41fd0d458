// SPDX-License-Identifier: MIT
#include "litmus/scope_tree.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "support/read_one.h"

namespace weakspot::litmus::scope_tree_test {
namespace {

// The tree that a scopes line gives to a test of `threads` threads.
ScopeTree tree(const std::string& line, int threads) {
  std::string names, cells;
  for (int i = 0; i < threads; ++i) {
    names += (i > 0 ? "| P" : "P") + std::to_string(i) + " ";
    cells += i > 0 ? "| st x, 1 " : "st x, 1 ";
  }
  const std::string text = "weakspot t\n" + names + ";\n" + cells + ";\n" + line + "\nexists (x=1)\n";
  return tests::read_one(text).scope_tree();
}

bool together(const ScopeTree& tree, std::uint32_t a, std::uint32_t b, Scope scope) {
  return tree.together(ThreadId{a}, ThreadId{b}, scope);
}

TEST(ScopeTree, WithoutOneEveryThreadIsAWorkgroup) {
  const ScopeTree none = tree("", 3);
  EXPECT_EQ(none, default_scope_tree(3));
  EXPECT_FALSE(together(none, 0, 1, Scope::workgroup));
  EXPECT_FALSE(together(none, 0, 1, Scope::cluster));
  EXPECT_TRUE(together(none, 0, 1, Scope::queue_family));
  EXPECT_TRUE(together(none, 0, 1, Scope::device));
  EXPECT_TRUE(together(none, 0, 1, Scope::system));
  EXPECT_FALSE(together(none, 0, 1, Scope::thread));
  EXPECT_TRUE(together(none, 1, 1, Scope::thread));
}

TEST(ScopeTree, SpellingsOfOneTree) {
  const ScopeTree expected = tree("scopes (wg P0 P1) (wg P2)", 3);
  EXPECT_TRUE(together(expected, 0, 1, Scope::workgroup));
  EXPECT_FALSE(together(expected, 0, 1, Scope::subgroup));
  EXPECT_FALSE(together(expected, 0, 2, Scope::workgroup));
  for (const char* line : {
           "ScopeTree(grid(cta(warp T0) (warp T1)) (cta (warp T2)))",
           "scopeTree (device (kernel (cta (warp P0) (warp P1)) (cta (warp P2))))",
           "scopes (dev (qf (cluster (block (sub_group P0) (sub_group P1))) (cluster (work_group P2))))",
           "scopes (wg 0 (sg 0 P0) (sg 1 P1)) (wg 1 (sg 0 P2))",
           "scopeTree (cta(warp P0)(warp P1) cta(warp P2))",
       }) {
    EXPECT_EQ(tree(line, 3), expected) << line;
  }
}

TEST(ScopeTree, LevelsBetween) {
  const ScopeTree clustered = tree("scopes (cluster (wg (sg P0 P1)) (wg P2)) (cluster (wg P3))", 4);
  EXPECT_TRUE(together(clustered, 0, 1, Scope::subgroup));
  EXPECT_TRUE(together(clustered, 0, 2, Scope::cluster));
  EXPECT_FALSE(together(clustered, 0, 2, Scope::workgroup));
  EXPECT_FALSE(together(clustered, 0, 3, Scope::cluster));
  const ScopeTree devices = tree("scopes (dev (wg P0)) (dev (wg P1))", 2);
  EXPECT_FALSE(together(devices, 0, 1, Scope::device));
  EXPECT_TRUE(together(devices, 0, 1, Scope::system));
}

TEST(ScopeTree, NodeNumbersAreWithinTheParent) {
  std::vector<PartialPlacement> threads(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    threads[i].at(Scope::workgroup) = i / 2;
    threads[i].at(Scope::subgroup) = 0;
  }
  const ScopeTree made = make_scope_tree(threads);
  EXPECT_TRUE(together(made, 0, 1, Scope::subgroup));
  EXPECT_FALSE(together(made, 1, 2, Scope::subgroup));
}

}  // namespace
}  // namespace weakspot::litmus::scope_tree_test
