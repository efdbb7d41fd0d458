// SPDX-License-Identifier: MIT
#include "race_jit/search/redundant_barriers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weakspot::race_jit {
namespace {

using Numbers = std::vector<std::size_t>;

// Barriers that can go unless all of one of these groups go.
std::vector<Company> company_of(std::size_t count, const std::vector<Numbers>& needed) {
  return keep_company(count, [&](const Numbers& gone) {
    return std::none_of(needed.begin(), needed.end(), [&](const Numbers& group) {
      return std::all_of(group.begin(), group.end(),
                         [&](std::size_t one) { return std::find(gone.begin(), gone.end(), one) != gone.end(); });
    });
  });
}

TEST(RedundantBarriers, WhichCanGoTogether) {
  struct Case {
    const char* about;
    std::size_t count;
    std::vector<Numbers> needed;
    std::vector<Numbers> together, instead;
  };
  const Case cases[] = {
      {"one alone", 1, {}, {{}}, {{}}},
      {"all", 3, {}, {{1, 2}, {0, 2}, {0, 1}}, {{}, {}, {}}},
      {"one of two", 2, {{0, 1}}, {{}, {}}, {{1}, {0}}},
      {"one of two and a third", 3, {{0, 1}}, {{2}, {}, {0}}, {{1}, {0}, {}}},
      {"two of three", 3, {{0, 1, 2}}, {{1}, {0}, {}}, {{2}, {2}, {0, 1}}},
      {"one of three", 3, {{0, 1}, {0, 2}, {1, 2}}, {{}, {}, {}}, {{1, 2}, {0}, {0}}},
  };
  for (const Case& example : cases) {
    const std::vector<Company> companies = company_of(example.count, example.needed);
    ASSERT_EQ(companies.size(), example.count) << example.about;
    for (std::size_t i = 0; i < example.count; ++i) {
      EXPECT_EQ(companies[i].together, example.together[i]) << example.about << ", number " << i;
      EXPECT_EQ(companies[i].instead, example.instead[i]) << example.about << ", number " << i;
    }
  }
}

}  // namespace
}  // namespace weakspot::race_jit
