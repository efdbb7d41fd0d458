// SPDX-License-Identifier: MIT
// Reads compressed data that the program itself carries (RFC 1951, "deflate").
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace weakspot::base {

// Returns the uncompressed data. The input is ours: a mistake in it is a broken invariant, not an error of the world.
std::string inflate(std::span<const unsigned char> data);

}  // namespace weakspot::base
