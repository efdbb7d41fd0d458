// SPDX-License-Identifier: MIT
// Arrays in files as NumPy writes them (.npy): contents of a kernel's arguments, and what a launch left in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace weakspot::race {

struct NpyArray {
  std::string type;  // of an element, as CUDA calls it: "float", "unsigned short"
  std::uint64_t count = 0;
  std::string bytes;  // little-endian, the last index fastest
};

// `file` is its name in errors.
base::Result<NpyArray> read_npy(const std::string& text, const std::string& file);

// An array of one dimension. A type that NumPy has no name for is written as unsigned numbers of `element` bytes.
std::string npy_text(const std::string& type, std::uint64_t element, std::string_view bytes);

}  // namespace weakspot::race
