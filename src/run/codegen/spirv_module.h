// SPDX-License-Identifier: MIT
// SPIR-V modules for the host: what a module asks of its device, and a module that is not a test.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weakspot::codegen {

// The capabilities that the module declares, as SPIR-V numbers them.
std::vector<std::uint32_t> spirv_capabilities(std::span<const std::uint32_t> module);

// A module whose one entry, "clear", zeroes memory. Its buffer is the memory; each workgroup clears the next
// `words_per_workgroup` words.
struct ClearingModule {
  std::vector<std::uint32_t> words;
  std::uint32_t words_per_workgroup = 0;
};
ClearingModule clearing_module();

}  // namespace weakspot::codegen
