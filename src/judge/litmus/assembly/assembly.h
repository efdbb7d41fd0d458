// SPDX-License-Identifier: MIT
// Small functions that the readers and printers of assembly share.
#pragma once

#include <string>
#include <string_view>

#include "litmus/instruction.h"
#include "litmus/test.h"

namespace weakspot::litmus {

// The type of an access of that size whose sign does not matter: a part of a register is zero-extended, the rest
// signed.
Type type_of_size(int bytes);

// Whether a 32-bit operation on zero-extended values, done with 64 bits, can leave anything in the upper half.
bool fills_upper_half(const Compute& compute);

// Whether the register surely ends with a signed number of 32 bits, or with an address: its lower half tells it all.
bool ends_as_int(const Thread& thread, RegisterId reg);

// The text in upper case; mnemonics and registers may be written in either case.
std::string upper(std::string_view text);

}  // namespace weakspot::litmus
