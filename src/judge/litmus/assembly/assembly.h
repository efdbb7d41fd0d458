// SPDX-License-Identifier: MIT
// What readers and printers of both assembly dialects share.
#pragma once

#include <string>
#include <string_view>

#include "litmus/instruction.h"

namespace weakspot::litmus {

// The type of an access of that size whose sign does not matter: a part of a register is zero-extended, the rest
// signed.
Type type_of_size(int bytes);

// Whether a 32-bit operation on zero-extended values, done with 64 bits, can leave anything in the upper half.
bool fills_upper_half(const Compute& compute);

// Mnemonics and registers may be written in either case.
std::string upper(std::string_view text);

}  // namespace weakspot::litmus
