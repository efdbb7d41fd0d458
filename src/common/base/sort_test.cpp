// SPDX-License-Identifier: MIT
#include "base/sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/rng.h"

namespace weakspot::base::sort_test {
namespace {

TEST(Sort, OrdersAsTheStandardLibraryDoes) {
  Rng rng(7);
  for (std::size_t size : {0, 1, 2, 3, 17, 1000}) {
    std::vector<std::string> items;
    for (std::size_t i = 0; i < size; ++i) items.push_back(std::to_string(rng.below(size)));
    std::vector<std::string> expected = items;
    std::sort(expected.begin(), expected.end());
    sort(items);
    EXPECT_EQ(items, expected) << size;
  }
}

TEST(Sort, KeepsTheOrderOfEqualItems) {
  std::vector<std::pair<int, int>> items;
  for (int i = 0; i < 100; ++i) items.push_back({i % 3, i});
  std::vector<std::pair<int, int>> expected = items;
  std::sort(expected.begin(), expected.end());
  sort(items, [](const auto& a, const auto& b) { return a.first < b.first; });
  EXPECT_EQ(items, expected);
}

TEST(Sort, MovesWhatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> items;
  for (int value : {3, 1, 2}) items.push_back(std::make_unique<int>(value));
  sort(items, [](const auto& a, const auto& b) { return *a < *b; });
  EXPECT_EQ(*items[0] * 100 + *items[1] * 10 + *items[2], 123);
}

}  // namespace
}  // namespace weakspot::base::sort_test
