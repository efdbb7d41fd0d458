// SPDX-License-Identifier: MIT
// The classes of findings by their names; race/classes.h says what they mean.
#pragma once

#include <cstdint>

namespace weakspot::race {

// The gravest first: of two findings about the same lines, the one of the lesser number is kept.
enum class ClassId : std::uint8_t { e1, e2, p1, p2, w1, w2, w3, v1, i1, d1, d2, d3, d4, r1, a1, a2, a3, u1 };

// Whether what lacks between the two accesses is a proxy fence.
constexpr bool is_about_proxies(ClassId number) { return number == ClassId::p1 || number == ClassId::p2; }

}  // namespace weakspot::race
