// SPDX-License-Identifier: MIT
// Arithmetic on floating-point numbers of sixteen bits, for the atomics on them and for textures.
#pragma once

#include <cstdint>

namespace weakspot::race_jit {

float half_to_float(std::uint16_t half);
// To the nearest, ties to even.
std::uint16_t float_to_half(float value);
std::uint16_t add_halves(std::uint16_t a, std::uint16_t b);
std::uint16_t add_bfloats(std::uint16_t a, std::uint16_t b);

extern "C" {
// Functions that compiled kernels call.
float weakspot_half_to_float(std::uint16_t half);
std::uint16_t weakspot_float_to_half(float value);
float weakspot_bfloat_to_float(std::uint16_t bits);
std::uint16_t weakspot_float_to_bfloat(float value);
}

}  // namespace weakspot::race_jit
