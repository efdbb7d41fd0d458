// SPDX-License-Identifier: MIT
#include "race/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "race/entry.h"
#include "race/replay.h"

namespace weakspot::race::inputs_test {
namespace {

KernelFacts matrix_facts() {
  KernelFacts facts;
  facts.parameters.resize(4);
  facts.parameters[0].name = "m";
  facts.parameters[0].type = "float";
  facts.parameters[0].pointer = true;
  facts.parameters[1].name = "pitch";
  facts.parameters[1].factor = true;
  facts.parameters[2].name = "width";
  facts.parameters[2].bound = true;
  facts.parameters[3].name = "place";
  facts.parameters[3].type = "int";
  facts.parameters[3].pointer = facts.parameters[3].index = true;
  facts.compared = {77};
  return facts;
}

std::string text_of(const Input& input) {
  Request request;
  request.file = "k.cu";
  return replay_command(request, "k", input.launch, input.schedule, input.seed);
}

TEST(InputSource, TheFirstInputIsTheNaturalOne) {
  const KernelFacts facts = matrix_facts();
  InputSource source(facts, {}, false, 1);
  EXPECT_EQ(text_of(source.make(0)),
            "weakspot race k.cu --kernel k --launch 'grid=2 block=64' --arg 'm=float[256] fill=random:0:15' "
            "--arg pitch=128 --arg width=128 --arg 'place=int[256] fill=iota' --schedule forward");
}

TEST(InputSource, TheSameSeedGivesTheSameInputs) {
  const KernelFacts facts = matrix_facts();
  std::string texts[3];
  for (int i = 0; i < 3; ++i) {
    InputSource source(facts, {}, false, i == 2 ? 8 : 7);
    for (std::uint64_t number = 0; number < 60; ++number) {
      const Input input = source.make(number);
      texts[i] += text_of(input) + "\n" + text_of(source.mutated(input, number)) + "\n";
    }
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_NE(texts[0], texts[2]);
}

TEST(InputSource, SizesMeetWhatIsComparedAndItsNeighbours) {
  const KernelFacts facts = matrix_facts();
  InputSource source(facts, {}, false, 1);
  std::set<std::string> widths;
  std::set<std::string> fills;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    const Input input = source.make(number);
    for (const ArgumentSpec& argument : input.launch.arguments) {
      if (argument.name == "width") widths.insert(argument.value);
      if (argument.name == "place") fills.insert(argument.fill);
    }
  }
  for (const char* width : {"0", "1", "2", "31", "32", "33", "76", "77", "78"})
    EXPECT_TRUE(widths.contains(width)) << width;
  for (const char* fill : {"zero", "iota", "permutation", "duplicates", "sorted", "equal:77"}) {
    EXPECT_TRUE(fills.contains(fill)) << fill;
  }
}

TEST(InputSource, WhatIsFixedStays) {
  const KernelFacts facts = matrix_facts();
  LaunchSpec fixed = *parse_launch("grid=5 block=40");
  fixed.arguments.push_back(*parse_argument("width=9"));
  InputSource source(facts, fixed, true, 1);
  Input input = source.make(0);
  for (std::uint64_t number = 1; number < 200; ++number) {
    input = number % 2 == 0 ? source.make(number) : source.mutated(input, number);
    EXPECT_EQ(launch_text(input.launch), "grid=5 block=40");
    EXPECT_EQ(
        std::count_if(input.launch.arguments.begin(), input.launch.arguments.end(),
                      [](const ArgumentSpec& argument) { return argument.name == "width" && argument.value == "9"; }),
        1);
  }
}

TEST(InputSource, WhatTheKernelSaysOfItsLaunchStays) {
  KernelFacts facts;
  facts.block = Extent{128, 1, 1};
  facts.shared = 4096;
  facts.compiled_sizes = true;
  facts.grid_axes = 2;
  std::set<std::string> launches;
  InputSource source(facts, {}, false, 1);
  for (std::uint64_t number = 0; number < 50; ++number) launches.insert(launch_text(source.make(number).launch));
  EXPECT_EQ(launches, (std::set<std::string>{"grid=1 block=128 shared=4096", "grid=1,2 block=128 shared=4096",
                                             "grid=2,2 block=128 shared=4096", "grid=3,2 block=128 shared=4096"}));
  EXPECT_TRUE(facts.supposes_blocks()) << "a compiler may have left out what other grids need";

  facts.grid_axes = 0;
  InputSource equal(facts, {}, false, 1);
  for (std::uint64_t number = 0; number < 50; ++number) {
    EXPECT_EQ(launch_text(equal.make(number).launch), "grid=1 block=128 shared=4096");
  }
}

TEST(InputSource, ShapesFollowTheAxesAndTheSidesOfTiles) {
  KernelFacts facts;
  facts.block_axes = 2;
  facts.grid_axes = 0;
  facts.factors = {12};
  InputSource source(facts, {}, false, 1);
  EXPECT_EQ(launch_text(source.make(0).launch), "grid=1 block=12,12");
  for (std::uint64_t number = 0; number < 200; ++number) {
    EXPECT_LE(source.make(number).launch.block.count(), 1024u);
  }
}

// The numbers of blocks and the most threads of a block in 200 inputs.
std::pair<std::set<std::uint64_t>, std::uint64_t> tried_shapes(const KernelFacts& facts) {
  InputSource source(facts, {}, false, 1);
  std::set<std::uint64_t> blocks;
  std::uint64_t most_threads = 0;
  for (std::uint64_t number = 0; number < 200; ++number) {
    const LaunchSpec launch = source.make(number).launch;
    blocks.insert(launch.grid.count());
    most_threads = std::max(most_threads, launch.block.count());
  }
  return {blocks, most_threads};
}

TEST(InputSource, BlocksThatDoTheSameAreSeveralUnlessTheCodeStatesOne) {
  KernelFacts facts;
  facts.grid_axes = 0;
  EXPECT_EQ(tried_shapes(facts).first, (std::set<std::uint64_t>{1, 2}));
  facts.one_block = true;
  EXPECT_EQ(tried_shapes(facts).first, (std::set<std::uint64_t>{1}));
}

TEST(InputSource, BlocksKeepTheBoundsOfTheLaunch) {
  KernelFacts facts;
  facts.factors = {100};
  EXPECT_EQ(tried_shapes(facts).second, 512u);
  facts.most_threads = 64;
  EXPECT_EQ(tried_shapes(facts).second, 64u);
  for (const Relation& relation : possible_relations(facts)) {
    Input input;
    input.launch = *parse_launch("grid=1 block=64");
    relation.repair(input);
    EXPECT_LE(input.launch.block.count(), 64u) << relation.text;
  }
}

TEST(InputSource, GridsAreMadeOfWholeClusters) {
  KernelFacts facts;
  facts.cluster = {2, 3, 1};
  InputSource source(facts, {}, false, 1);
  EXPECT_EQ(launch_text(source.make(0).launch), "grid=2,3 block=64 cluster=2,3");
  for (std::uint64_t number = 0; number < 200; ++number) {
    EXPECT_TRUE(check_cluster(source.make(number).launch)) << number;
  }
}

TEST(Relations, HoldAfterTheyAreMended) {
  KernelFacts facts = matrix_facts();
  facts.grid_axes = 0;
  facts.factors = {16};
  facts.parameters[0].atomic = true;
  Input input;
  input.launch = *parse_launch("grid=3 block=33");
  for (const char* text : {"pitch=0", "width=100", "m=float[8] fill=random", "place=int[8] fill=duplicates"}) {
    input.launch.arguments.push_back(*parse_argument(text));
  }
  std::string texts;
  for (const Relation& relation : possible_relations(facts)) {
    texts += relation.text + "\n";
    EXPECT_FALSE(relation.holds(input)) << relation.text;
    Input repaired = input;
    relation.repair(repaired);
    EXPECT_TRUE(relation.holds(repaired)) << relation.text;
  }
  EXPECT_EQ(texts,
            "pitch >= width\npitch > 0\npitch >= blockDim.x\npitch >= blockDim.x * gridDim.x\n"
            "blockDim.x is a power of two\nm is initially zero\nthe values of place are distinct\n"
            "blockDim.x > 77\nblockDim.x == 154\nblockDim.x == 77\nblockDim.x == 32\n");
}

std::vector<std::string> broken_by(const KernelFacts& facts, const Input& input) {
  std::vector<std::string> texts;
  for (const Relation& relation : possible_relations(facts)) {
    if (relation.holds(input)) continue;
    texts.push_back(relation.text);
    Input repaired = input;
    relation.repair(repaired);
    EXPECT_TRUE(relation.holds(repaired)) << relation.text;
  }
  return texts;
}

TEST(Relations, OfTilesAndRoles) {
  KernelFacts tiles;
  tiles.block_axes = tiles.grid_axes = 2;
  tiles.factors = {16};
  tiles.parameters = {{.name = "n", .type = "int", .factor = true, .bound = true}};
  Input input;
  input.launch = *parse_launch("grid=3,2 block=33,2");
  input.launch.arguments.push_back(*parse_argument("n=20"));
  EXPECT_EQ(broken_by(tiles, input),
            (std::vector<std::string>{"blockDim.x <= 16", "n >= blockDim.x", "n >= blockDim.x * gridDim.x",
                                      "blockDim.x is a power of two", "blockDim is 16 x 16", "n >= 16 * gridDim.x",
                                      "blockDim is 16 x 16 and n >= 16 * gridDim"}));
  KernelFacts roles;
  roles.compared = {0, 40};
  roles.roles = {0};
  input.launch = *parse_launch("grid=3 block=32");
  EXPECT_EQ(broken_by(roles, input),
            (std::vector<std::string>{"gridDim.x <= 2", "blockDim.x > 40", "blockDim.x == 80", "blockDim.x == 40"}));
  KernelFacts cube;
  cube.block_axes = 3;
  input.launch = *parse_launch("grid=1 block=4,4,4");
  EXPECT_EQ(broken_by(cube, input), (std::vector<std::string>{"the block has one row"}));
}

TEST(Relations, OfRanges) {
  KernelFacts facts;
  facts.parameters = {{.name = "first", .type = "int", .pointer = true, .index = true, .limits = true},
                      {.name = "last", .type = "int", .pointer = true, .limits = true}};
  Input input;
  input.launch = *parse_launch("grid=2 block=64");
  for (const char* text : {"first=int[4] fill=iota", "last=int[4] fill=iota"}) {
    input.launch.arguments.push_back(*parse_argument(text));
  }
  EXPECT_EQ(broken_by(facts, input), (std::vector<std::string>{"the ranges from first to last do not overlap"}));
  input.launch.arguments[0].values = {0, 10, 20, 30};
  input.launch.arguments[1].values = {10, 20, 25, 90};
  EXPECT_EQ(broken_by(facts, input),
            (std::vector<std::string>{"the values of first are distinct", "the values of first are ascending",
                                      "the values of last are ascending"}));
  input.launch.arguments[1].values[0] = 11;
  EXPECT_EQ(broken_by(facts, input).size(), 4u);
}

TEST(Relations, RepairsKeepBlocksWithinTheLimit) {
  KernelFacts facts;
  facts.block_axes = 2;
  facts.uses_x = false;
  facts.compared = {124, 512, 516};
  facts.factors = {120, 128, 512};
  ParameterFacts count;
  count.name = "n";
  count.offset = count.bound = count.factor = true;
  facts.parameters = {count};
  for (const Relation& relation : possible_relations(facts)) {
    Input input;
    input.launch.block = {1, 512, 2};
    input.launch.arguments = {{.name = "n", .value = "3"}};
    relation.repair(input);
    EXPECT_LE(input.launch.block.count(), kMaxBlockThreads) << relation.text;
  }
}

}  // namespace
}  // namespace weakspot::race::inputs_test
