// SPDX-License-Identifier: MIT
// SPIR-V's numbers come from Khronos' header; here is what it leaves to its users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace weakspot::codegen::spirv {

inline constexpr std::uint32_t kVersion15 = 0x00010500;  // Vulkan 1.2 and newer
inline constexpr std::size_t kHeaderWords = 5;

// An enumerator as a word of a module.
template <typename Enum>
constexpr std::uint32_t word_of(Enum value) {
  return static_cast<std::uint32_t>(value);
}

template <typename Mask>
constexpr bool has(Mask mask, Mask bit) {
  return (word_of(mask) & word_of(bit)) != 0;
}

}  // namespace weakspot::codegen::spirv
