// SPDX-License-Identifier: MIT
// The functions of the CUDA mathematical library by the names that clang gives them. Most are functions of the C
// library under another name; the rest are written out here.
#pragma once

#include <string>

namespace weakspot::race_jit {

// The address of a function that behaves as `name` ("__nv_sinf"); null if there is none.
void* nv_math_function(const std::string& name);
// Functions with a rounding mode in their names, which are given without the prefix ("fadd_rd").
void* nv_rounded_function(const std::string& name);
// Functions that the C library does not have, without the prefix ("erfinvf").
void* nv_special_function(const std::string& name);

}  // namespace weakspot::race_jit
