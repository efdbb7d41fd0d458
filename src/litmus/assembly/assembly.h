// What readers and printers of both assembly dialects share.
#pragma once

#include <string>
#include <string_view>

#include "litmus/instruction.h"

namespace weakspot::litmus {

// The type of an access of that size whose sign does not matter: a part of a register is zero-extended, the rest
// signed.
Type type_of_size(int bytes);

// Whether an operation of 32 bits on zero-extended values can leave anything in the upper half when it is done with 64.
bool fills_upper_half(const Compute& compute);

// Mnemonics and registers may be written in either case.
std::string upper(std::string_view text);

}  // namespace weakspot::litmus
