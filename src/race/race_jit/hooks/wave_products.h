// SPDX-License-Identifier: MIT
// Products of matrices by AMD's mfma instructions: the 64 lanes of a wave hold the elements of D = A * B + C. Layouts
// are those of the manuals of CDNA's instruction sets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace weakspot::race_jit {

// A and B are `blocks` pairs of size x depth and depth x size; a lane holds `each` neighbours along the depth.
struct WaveProduct {
  enum class Type : std::uint8_t { f32, f16, bf16, i8 };
  Type type = Type::f32;
  unsigned size = 0, depth = 0, each = 0;

  unsigned blocks() const { return 64 * each / (size * depth); }
  unsigned results() const { return size * size * blocks() / 64; }  // of a lane

  std::uint32_t packed() const { return size | depth << 8 | each << 16 | static_cast<std::uint32_t>(type) << 24; }
  static WaveProduct unpacked(std::uint32_t bits) {
    return {static_cast<Type>(bits >> 24), bits & 0xff, bits >> 8 & 0xff, bits >> 16 & 0xff};
  }
};

// By the name of an intrinsic behind "llvm.amdgcn.mfma.", f32.16x16x4f32, and the bits that a lane holds of A. None for
// those whose operands or results are of other types.
std::optional<WaveProduct> wave_product(std::string_view name, unsigned bits);

// What a lane holds, in the memory of its thread.
struct ProductLane {
  const void *a, *b, *c;
  void* d;
};
// Null: the lane is not active, and its elements of A and B are taken as 0.
void multiply(const WaveProduct& product, const std::array<const ProductLane*, 64>& lanes);

}  // namespace weakspot::race_jit
