// SPDX-License-Identifier: MIT
#include "base/nearest.h"

#include <gtest/gtest.h>

namespace weakspot::base::nearest_test {
namespace {

TEST(Nearest, Distances) {
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("check", "chek"), 1u);
  EXPECT_EQ(edit_distance("check", "chekc"), 1u);  // a swap
  EXPECT_EQ(edit_distance("run", "ran"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("AArch64", "aarch64"), 1u);
  EXPECT_EQ(edit_distance("x86_64", "x86-64"), 1u);
}

TEST(Nearest, SlipsAreFound) {
  const std::vector<std::string> models = {"sc", "tso", "rmo", "sc-per-loc", "rel-acq", "aarch64"};
  EXPECT_EQ(nearest("tos", models), std::vector<std::string>{"tso"});
  EXPECT_EQ(nearest("relacq", models), std::vector<std::string>{"rel-acq"});
  EXPECT_EQ(nearest("SC", models), std::vector<std::string>{"sc"});
  EXPECT_EQ(nearest("AARCH64", models), std::vector<std::string>{"aarch64"});
  EXPECT_TRUE(nearest("power", models).empty());
  EXPECT_TRUE(nearest("", models).empty());
  EXPECT_TRUE(nearest("tso", models).empty()) << "it is not a slip";
}

TEST(Nearest, AShortNameIsNotLikeEveryOther) {
  EXPECT_TRUE(nearest("MP", {"SB", "LB", "R", "S"}).empty());
  EXPECT_EQ(nearest("MPP", {"SB", "MP", "LB"}), (std::vector<std::string>{"MP"}));
}

TEST(Nearest, TheEndOfAMessage) {
  EXPECT_EQ(did_you_mean("shw", {"show", "run"}), "; did you mean 'show'?");
  EXPECT_EQ(did_you_mean("tune", {"tuna", "tone", "june", "tuned"}), "; did you mean 'tuna', 'tone' or 'june'?");
  EXPECT_EQ(did_you_mean("frobnicate", {"show", "run"}), "");
  EXPECT_EQ(did_you_mean("nam", {"name\x1B"}), "");
}

}  // namespace
}  // namespace weakspot::base::nearest_test
