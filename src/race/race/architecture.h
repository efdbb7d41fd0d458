// SPDX-License-Identifier: MIT
// The GPU architecture that device code is compiled for, which is also the one that the device says it has: macros such
// as __CUDA_ARCH__, the capability and whether there are clusters follow from it. Nothing else does: the rules of the
// machine are the same for all.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace weakspot::race {

struct Architecture {
  // Features beyond those that later architectures keep: none, those of the family (sm_100f), or all (sm_100a).
  enum class Features : std::uint8_t { common, family, all };

  unsigned number = 90;  // sm_90 is 90, sm_100 is 100; the default is the newest that is modelled whole
  Features features = Features::common;

  auto operator<=>(const Architecture&) const = default;  // later ones are greater
};

inline constexpr unsigned kFirstWithClusters = 90;  // launches with clusters of blocks

// "sm_90a" or "compute_90a": sm_70 and newer.
base::Result<Architecture> parse_architecture(std::string_view text);
std::string architecture_name(const Architecture& architecture);

// Takes a value of nvcc's -arch or -gencode, "sm_80" or "arch=compute_90a,code=sm_90a", into those named so far, each
// once and the newest last. Names that state none, "native" and "all", and architectures before sm_70 change nothing.
base::Status add_architecture(std::string_view value, std::vector<Architecture>& named);
// The last of them; none if none is named.
std::optional<Architecture> newest_of(const std::vector<Architecture>& named);

// GPUs of AMD, for which HIP is compiled, by the names that compilers give them.
inline constexpr const char* kDefaultGpu = "gfx90a";

// Whether an architecture is one of AMD, by its name: "gfx90a" or "gfx942:xnack-".
inline bool is_amd_gpu(std::string_view name) { return name.starts_with("gfx"); }
// Lanes of its waves unless its code asks for others: 64, or 32 from gfx10 on.
unsigned lanes_of(std::string_view gpu);
// Fails unless the GPU has waves of so many lanes, 32 or 64. 0 stands for as many as it has by itself.
base::Status check_wave(std::string_view gpu, unsigned wave);

}  // namespace weakspot::race
