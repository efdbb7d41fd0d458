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

}  // namespace weakspot::race
