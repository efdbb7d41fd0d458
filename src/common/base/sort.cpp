// SPDX-License-Identifier: MIT
#include "base/sort.h"

#include <algorithm>
#include <numeric>

namespace weakspot::base {

std::vector<std::uint32_t> sorted_positions(std::size_t size, const void* items, const void* order, LessAt less) {
  std::vector<std::uint32_t> positions(size);
  std::iota(positions.begin(), positions.end(), 0u);
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    return less(items, order, a, b) || (a < b && !less(items, order, b, a));
  });
  return positions;
}

}  // namespace weakspot::base
