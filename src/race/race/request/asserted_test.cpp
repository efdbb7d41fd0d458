// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "race/inputs.h"

namespace weakspot::race::asserted_test {
namespace {

KernelFacts facts_with(std::vector<std::string> parameters) {
  KernelFacts facts;
  for (std::string& name : parameters) facts.parameters.push_back({.name = std::move(name), .type = "int"});
  return facts;
}

LaunchSpec launch_with(const KernelFacts& facts) {
  LaunchSpec launch;
  launch.grid = {3, 1, 1};
  launch.block = {64, 2, 1};
  for (const ParameterFacts& parameter : facts.parameters) {
    launch.arguments.emplace_back();
    launch.arguments.back().name = parameter.name;
    launch.arguments.back().value = "7";
  }
  return launch;
}

std::string value_of(const LaunchSpec& launch, const std::string& name) { return find_argument(launch, name)->value; }

TEST(Asserted, ArgumentsFollowTheLaunchAndEachOther) {
  KernelFacts facts = facts_with({"m", "n"});
  facts.asserted = {{{1, {"m"}}, {2, {"n", "gridDim.x"}}}, {{1, {"n"}}, {1, {"blockDim.x"}}}};
  LaunchSpec launch = launch_with(facts);
  keep_asserted(facts, {}, false, launch);
  EXPECT_EQ(value_of(launch, "n"), "64");
  EXPECT_EQ(value_of(launch, "m"), "384");
}

TEST(Asserted, ExtentsAreChosenWhereNothingElseCanBe) {
  KernelFacts facts = facts_with({});
  facts.asserted = {{{1, {"blockDim.x"}}, {80, {}}}, {{1, {"blockDim.y", "blockDim.z"}}, {6, {}}}};
  LaunchSpec launch = launch_with(facts);
  keep_asserted(facts, {}, true, launch);
  EXPECT_EQ(launch.block, (Extent{64, 2, 1}));
  keep_asserted(facts, {}, false, launch);
  EXPECT_EQ(launch.block, (Extent{80, 6, 1}));
  facts.asserted = {{{1, {"blockDim.x"}}, {1000, {}}}};
  keep_asserted(facts, {}, false, launch);
  EXPECT_EQ(launch.block, (Extent{80, 6, 1}));  // a block has at most 1024 threads
}

TEST(Asserted, WhatIsStatedStays) {
  KernelFacts facts = facts_with({"n"});
  facts.asserted = {{{1, {"n"}}, {1, {"blockDim.x"}}}};
  const LaunchSpec fixed = launch_with(facts);
  LaunchSpec launch = fixed;
  keep_asserted(facts, fixed, true, launch);
  EXPECT_EQ(value_of(launch, "n"), "7");
}

TEST(TileBlocks, HaveAThreadForEachElement) {
  KernelFacts facts;
  facts.block_axes = 2;
  facts.tiles = {{8, 33}, {1, 64}, {1, 4096}};
  facts.factors = {16, 5};
  EXPECT_EQ(tile_blocks(facts), (std::vector<Extent>{{33, 8, 1}, {16, 4, 1}}));
  facts.block_axes = 1;
  EXPECT_TRUE(tile_blocks(facts).empty());
}

}  // namespace
}  // namespace weakspot::race::asserted_test
