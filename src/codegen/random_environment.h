// SPDX-License-Identifier: MIT
// Random environments: our own generator, and two historic ones for replaying published environments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "base/rng.h"
#include "codegen/environment.h"

namespace weakspot::codegen {

// seedrandom: ARC4 keyed by a string, the first 256 bytes discarded, numbers of 52 bits.
class Arc4Random {
 public:
  explicit Arc4Random(std::string_view seed);
  double next();  // in [0, 1)

 private:
  std::uint8_t next_byte();
  std::array<std::uint8_t, 256> state_{};
  std::uint8_t i_ = 0;
  std::uint8_t j_ = 0;
};

// A linear congruential generator with the factor of Park and Miller but 32-bit wrap-around. It keeps the parity
// of its seed, so half of every space is never tried: for replay only.
class ParkMillerLike {
 public:
  explicit ParkMillerLike(std::string_view seed);
  std::int32_t next();

 private:
  std::int32_t state_ = 1;
};

enum class DrawMode : std::uint8_t {
  ours,         // all parameters, from a base::Rng
  seedrandom,   // the order and ranges of the MC Mutants study: percentages 0 or 100, workgroup size 256
  park_miller,  // the order and ranges of litmus-facts' later tools: workgroup size drawn, percentages 0 to 100
};

std::string_view to_string(DrawMode mode);  // ours seedrandom park-miller-like
std::optional<DrawMode> draw_mode_named(std::string_view name);

struct DrawLimits {
  int workgroups = 1024;  // the desktop limits of the studies; mobile: 32 and 32
  int workgroup_size = 256;
  int min_workgroups = 2;
};

// A uniformly drawn whole number in [low, high].
using Draw = std::function<int(int low, int high)>;

// The historic drawing orders. `fixed_size`: the workgroup size is not drawn, and percentages are 0 or 100.
TestEnvironment draw_historic(const Draw& draw, const DrawLimits& limits, bool fixed_size);

// The `index`-th environment (from 0) that the mode draws from the seed.
TestEnvironment draw_historic(DrawMode mode, std::string_view seed, std::size_t index, const DrawLimits& limits);

// Our own: draws every parameter of the table, choices included, from ranges that make sense on a GPU. The mode and the
// launch parameters come from `base`.
TestEnvironment draw_environment(base::Rng& rng, const TestEnvironment& base, const DrawLimits& limits);

}  // namespace weakspot::codegen
