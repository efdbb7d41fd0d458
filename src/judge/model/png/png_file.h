// SPDX-License-Identifier: MIT
// Images as PNG files (RFC 2083).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::model::picture {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> bytes;  // red, green, blue; rows from the top
};

std::string png_file(const Image& image);

}  // namespace weakspot::model::picture
