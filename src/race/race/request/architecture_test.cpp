// SPDX-License-Identifier: MIT
#include "race/architecture.h"

#include <gtest/gtest.h>

namespace weakspot::race::architecture_test {
namespace {

TEST(Architecture, NamesReadBack) {
  for (const char* name : {"sm_70", "sm_80", "sm_90", "sm_90a", "sm_100", "sm_100f", "sm_100a", "sm_121"}) {
    const base::Result<Architecture> read = parse_architecture(name);
    ASSERT_TRUE(read) << name;
    EXPECT_EQ(architecture_name(*read), name);
  }
  EXPECT_EQ(architecture_name(*parse_architecture("compute_90a")), "sm_90a");
  EXPECT_EQ(architecture_name({}), "sm_90");
}

TEST(Architecture, OthersAreNone) {
  for (const char* name : {"", "sm_", "90", "sm_60", "sm_93", "sm_80a", "sm_90f", "sm_90b", "sm_1000", "native"}) {
    EXPECT_FALSE(parse_architecture(name)) << name;
  }
  EXPECT_EQ(
      base::render(parse_architecture("sm_91").errors()),
      "error: 'sm_91' is not an architecture; expected sm_ and 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, "
      "110, 120, 121, from 90 on also with a behind, from 100 on with f\n");
}

TEST(Architecture, TheNewestOfACommandCounts) {
  std::vector<Architecture> named;
  auto after = [&](const char* value) {
    EXPECT_TRUE(add_architecture(value, named)) << value;
    const std::optional<Architecture> newest = newest_of(named);
    return newest ? architecture_name(*newest) : "none";
  };
  EXPECT_EQ(after("native"), "none");
  EXPECT_EQ(after("arch=compute_61,code=sm_61"), "none");
  EXPECT_EQ(after("arch=compute_75,code=[sm_75,compute_75]"), "sm_75");
  EXPECT_EQ(after("arch=compute_90a,code=sm_90a"), "sm_90a");
  EXPECT_EQ(after("sm_90"), "sm_90a");
  EXPECT_EQ(after("sm_100f"), "sm_100f");
  EXPECT_EQ(after("sm_100a"), "sm_100a");
  EXPECT_EQ(after("sm_80"), "sm_100a");
  EXPECT_FALSE(add_architecture("sm_92", named));
  std::vector<std::string> names;
  for (const Architecture& each : named) names.push_back(architecture_name(each));
  EXPECT_EQ(names, std::vector<std::string>({"sm_75", "sm_80", "sm_90", "sm_90a", "sm_100f", "sm_100a"}));
}

TEST(AmdGpu, WavesHaveSixtyFourLanesUpToTheNinthGeneration) {
  for (const char* name : {"gfx803", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950"}) EXPECT_EQ(lanes_of(name), 64u);
  for (const char* name : {"gfx1010", "gfx1030", "gfx1100", "gfx1201"}) EXPECT_EQ(lanes_of(name), 32u) << name;
}

TEST(AmdGpu, OnlyLaterOnesHaveBothWaves) {
  EXPECT_TRUE(check_wave("gfx90a", 0));
  EXPECT_TRUE(check_wave("gfx90a", 64));
  EXPECT_TRUE(check_wave("gfx1100", 32));
  EXPECT_TRUE(check_wave("gfx1100", 64));
  EXPECT_EQ(base::render(check_wave("gfx90a", 32).errors()), "error: --wave 32: the waves of gfx90a have 64 lanes\n");
  EXPECT_EQ(base::render(check_wave("gfx1100", 16).errors()), "error: --wave: expected 32 or 64\n");
}

}  // namespace
}  // namespace weakspot::race::architecture_test
