// SPDX-License-Identifier: MIT
// Textures and surfaces of the device: which memory they show, and how it is read. A handle is a number that was given
// out; any other number is an error of the program, or made up.
#pragma once

#include <weakspot/texture_types.h>

#include <cstdint>
#include <map>
#include <vector>

#include "race_jit/hooks/hooks.h"

namespace weakspot::race_jit {

// Memory with up to three axes.
struct Surface {
  char* data = nullptr;
  std::uint64_t width = 0, height = 1, depth = 1;  // texels
  std::uint64_t pitch = 0;                         // bytes of a row
  cudaChannelFormatDesc format{};

  unsigned channels() const { return 1u + (format.y > 0) + (format.z > 0) + (format.w > 0); }
  std::uint64_t texel_bytes() const { return static_cast<std::uint64_t>(format.x) / 8 * channels(); }
};

struct Texture {
  Surface surface;
  cudaTextureDesc how{};
};

class Textures {
 public:
  // Textures and surfaces share their handles, which are never 0.
  std::uint64_t add(const Texture& texture);
  bool remove(std::uint64_t handle) { return textures_.erase(handle) > 0; }
  // Null if there is none.
  const Texture* find(std::uint64_t handle) const;

 private:
  std::map<std::uint64_t, Texture> textures_;
  std::uint64_t next_ = 0x7e00000000000001;  // unlike any number that a program makes up
};

int texture_fact(const Texture& texture, TextureFact fact);

// Functions that compiled kernels call, beside those of hooks.h.
std::vector<HookSymbol> texture_hook_symbols();

}  // namespace weakspot::race_jit
