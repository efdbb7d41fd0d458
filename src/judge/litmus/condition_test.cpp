// SPDX-License-Identifier: MIT
#include "litmus/condition.h"

#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/outcome.h"
#include "litmus/text.h"
#include "support/read_one.h"

namespace weakspot::litmus::condition_test {
namespace {

LitmusTest asking(const std::string& condition) {
  return tests::read_one("weakspot t\n{ x; y }\nP0 | P1 ;\nld r0, x | ld r0, y ;\n" + condition + "\n");
}

TEST(Condition, PrecedenceAndSpellings) {
  struct {
    const char* text;
    const char* printed;
  } cases[] = {
      {"exists 0:r0=1", "exists (0:r0=1)"},
      {"exists (P0:r0 == 1)", "exists (0:r0=1)"},
      {"exists (T1:r0 != 1 && [x]=2 || y < 3)", "exists (1:r0!=1 /\\ x=2 \\/ y<3)"},
      {"forall ((x=1 \\/ y=1) /\\ ~x=2)", "forall ((x=1 \\/ y=1) /\\ ~x=2)"},
      {"~exists (x=1 => y=1 => x=2)", "~exists (x=1 => y=1 => x=2)"},
      {"exists ((x=1 => y=1) => x=2)", "exists ((x=1 => y=1) => x=2)"},
      {"exists (not (x>=-1))", "exists (~x>=-1)"},
      {"exists (~~x=1)", "exists (x=1)"},
      {"exists (true \\/ false)", "exists (true \\/ false)"},
      {"exists (0==0)", "exists (0=0)"},
      {"exists (x=[y] /\\ 0:r0=1:r0)", "exists (x=[y] /\\ 0:r0=1:r0)"},
      {"exists (x=0x10)", "exists (x=16)"},
      {"exists (((((x=1)))))", "exists (x=1)"},
      {"exists (x=1 /\\ (y=1 /\\ x=2))", "exists (x=1 /\\ y=1 /\\ x=2)"},
      {"exists (0:r0=x)", "exists (0:r0=&x)"},
  };
  for (const auto& c : cases) {
    const LitmusTest test = asking(c.text);
    EXPECT_EQ(condition_line(test), c.printed);
    EXPECT_EQ(asking(c.printed).condition, test.condition) << c.printed;
  }
}

TEST(Condition, Holds) {
  const LitmusTest test = asking("exists ((0:r0=1 /\\ ~1:r0=0) \\/ (x>1 => y<=[x]))");
  auto value = [&](std::int64_t r0, std::int64_t r1, std::int64_t x, std::int64_t y) {
    return holds(test.condition.proposition, [&](const Observable& item) {
      if (const auto* reg = std::get_if<ObservedRegister>(&item)) return integer(reg->thread.index == 0 ? r0 : r1);
      return integer(test[std::get<LocationId>(item)].name == "x" ? x : y);
    });
  };
  EXPECT_TRUE(value(1, 1, 2, 9));
  EXPECT_FALSE(value(1, 0, 2, 9));
  EXPECT_TRUE(value(0, 0, 2, 2));
  EXPECT_TRUE(value(0, 0, 1, 9));
}

TEST(Condition, ObservedItemsAreOrderedRegistersFirst) {
  const LitmusTest test = asking("filter (y=0)\nlocations [x; 1:r0;]\nexists (0:r0=1)");
  std::vector<std::string> names;
  for (const Observable& item : test.observed()) names.push_back(test.name_of(item));
  EXPECT_EQ(names, (std::vector<std::string>{"0:r0", "1:r0", "x", "y"}));
}

TEST(Histogram, KeepsEveryOutcome) {
  Histogram histogram;
  histogram.add({integer(0), integer(1)}, 3);
  histogram.add({integer(0), integer(1)});
  histogram.add({integer(7), integer(7)}, 0);
  Histogram other;
  other.add({integer(1), integer(1)}, 5);
  histogram.merge(other);
  EXPECT_EQ(histogram.total(), 9u);
  EXPECT_EQ(histogram.count({integer(0), integer(1)}), 4u);
  EXPECT_EQ(histogram.count({integer(7), integer(7)}), 0u);
  EXPECT_EQ(histogram.outcomes().size(), 2u);
}

}  // namespace
}  // namespace weakspot::litmus::condition_test
