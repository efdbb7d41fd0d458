// SPDX-License-Identifier: MIT
// SPIR-V's numbers come from Khronos' header, with its table of which instructions have a result.
#pragma once

#ifndef SPV_ENABLE_UTILITY_CODE
#define SPV_ENABLE_UTILITY_CODE
#endif
#include <cstdint>
#include <spirv/unified1/spirv.hpp11>

namespace weakspot::compile::spirv {

// An enumerator as a word of a module.
template <typename Enum>
constexpr std::uint32_t word_of(Enum value) {
  return static_cast<std::uint32_t>(value);
}

// Whether a word has this bit of a mask.
template <typename Mask>
constexpr bool has(std::uint32_t word, Mask bit) {
  return (word & word_of(bit)) != 0;
}

}  // namespace weakspot::compile::spirv
