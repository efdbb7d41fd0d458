// SPDX-License-Identifier: MIT
// Sorting by one compiled algorithm for all types: std::sort is compiled anew for each type and comparison, 4 KB of the
// page's download each time. Where a judgement sorts for every candidate, std::sort is the faster one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace weakspot::base {

// Positions 0 to `size` - 1 in the order of the items there: `less(items, less_of_items, a, b)` compares two of them.
// Equal items keep their order.
using LessAt = bool (*)(const void* items, const void* order, std::size_t a, std::size_t b);
std::vector<std::uint32_t> sorted_positions(std::size_t size, const void* items, const void* order, LessAt less);

// Equal items keep their order.
template <typename T, typename Order = std::less<>>
void sort(std::vector<T>& items, const Order& order = {}) {
  const LessAt less = [](const void* all, const void* by, std::size_t a, std::size_t b) -> bool {
    const std::vector<T>& values = *static_cast<const std::vector<T>*>(all);
    return (*static_cast<const Order*>(by))(values[a], values[b]);
  };
  std::vector<T> sorted;
  sorted.reserve(items.size());
  for (std::uint32_t at : sorted_positions(items.size(), &items, &order, less)) sorted.push_back(std::move(items[at]));
  items = std::move(sorted);
}

}  // namespace weakspot::base
