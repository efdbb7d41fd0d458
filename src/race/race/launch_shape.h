// SPDX-License-Identifier: MIT
// The size of a launch: its grid, blocks and clusters, and the shared memory of a block.
#pragma once

#include <array>
#include <cstdint>

namespace weakspot::race {

// The sizes of something with three axes. Laid out as dim3: compiled programs pass it, and compiled kernels read it.
struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;

  bool operator==(const Extent&) const = default;
  std::uint32_t& operator[](unsigned axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  std::uint32_t operator[](unsigned axis) const { return axis == 0 ? x : axis == 1 ? y : z; }

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  // The coordinates of an element by its number; x counts fastest.
  std::array<std::uint32_t, 3> coordinates(std::uint64_t number) const {
    const std::uint64_t row = number / x;
    return {static_cast<std::uint32_t>(number % x), static_cast<std::uint32_t>(row % y),
            static_cast<std::uint32_t>(row / y)};
  }
  // Rounded up to a multiple of `unit` along each axis.
  Extent rounded_up(const Extent& unit) const {
    return {(x + unit.x - 1) / unit.x * unit.x, (y + unit.y - 1) / unit.y * unit.y, (z + unit.z - 1) / unit.z * unit.z};
  }
};

struct LaunchShape {
  Extent grid;               // in blocks
  Extent block;              // in threads
  Extent cluster;            // in blocks; a launch that leaves it at 1 takes what the kernel says of itself
  std::uint64_t shared = 0;  // bytes of dynamic shared memory
  bool cooperative = false;  // all blocks run at the same time

  std::uint64_t threads() const { return grid.count() * block.count(); }
};

}  // namespace weakspot::race
