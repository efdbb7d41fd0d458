// SPDX-License-Identifier: MIT
// Images of device code that programs hand to the driver: PTX as text, fat binaries, machine code. What can be checked
// is the PTX in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weakspot::race_jit::driver {

struct Image {
  enum class Kind : std::uint8_t {
    ptx,           // `text` is PTX
    machine_code,  // nothing to check: `kernels` are the names that it has
    bad            // `problem` says why
  };
  Kind kind = Kind::bad;
  std::string text;
  std::vector<std::string> kernels;
  std::string problem;
};

// The image that begins there in memory, whose end only it knows. Of several texts in a fat binary the newest that
// `architecture` (90 for sm_90) can run counts.
Image image_at(const void* begin, unsigned architecture);
// The same for an image whose end is known: nothing behind it is looked at.
Image image_in(std::string_view bytes, unsigned architecture);

// The bytes of machine code that begins there; empty if something else does.
std::string_view machine_code_at(const void* begin);

// An image in the form of machine code that holds this text alone: what our ptxas makes.
std::string image_with_ptx(std::string_view ptx);

// Unpacks a block of LZ4 to at most `size` bytes; false if it is damaged.
bool unpack_lz4(std::string_view packed, std::size_t size, std::string& unpacked);

}  // namespace weakspot::race_jit::driver
