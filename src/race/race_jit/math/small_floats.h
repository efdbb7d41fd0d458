// SPDX-License-Identifier: MIT
// Arithmetic on floating-point numbers of sixteen bits, for the atomics on them and for textures, and conversions to
// all small formats of PTX.
#pragma once

#include <cstdint>

namespace weakspot::race_jit {

float half_to_float(std::uint16_t half);
// To the nearest, ties to even.
std::uint16_t float_to_half(float value);
std::uint16_t add_halves(std::uint16_t a, std::uint16_t b);
std::uint16_t add_bfloats(std::uint16_t a, std::uint16_t b);

// A format by its name in PTX, and how to round to it: to the nearest (ties to even), toward zero, down, up, to the
// nearest with ties away from zero. Numbers too large become the largest one if `finite` is set.
enum class SmallFloat : std::uint8_t { f16, bf16, tf32, e4m3, e5m2 };
enum class RoundTo : std::uint8_t { nearest, zero, down, up, away };
std::uint32_t round_to_small(float value, SmallFloat format, RoundTo how, bool finite);
// A number of eight bits with so many for the fraction: 3 in e4m3, 2 in e5m2.
float tiny_to_float(std::uint8_t bits, int fraction_bits);

extern "C" {
// Functions that compiled kernels call.
float weakspot_half_to_float(std::uint16_t half);
std::uint16_t weakspot_float_to_half(float value);
float weakspot_bfloat_to_float(std::uint16_t bits);
std::uint16_t weakspot_float_to_bfloat(float value);
std::uint32_t weakspot_round_to_small(float value, std::uint32_t format, std::uint32_t how, std::uint32_t finite);
float weakspot_tiny_to_float(std::uint8_t bits, std::uint32_t fraction_bits);
}

}  // namespace weakspot::race_jit
