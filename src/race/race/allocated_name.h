// SPDX-License-Identifier: MIT
// The variable that a call of cudaMalloc() and the like puts its memory into.
#pragma once

#include <string>
#include <string_view>

namespace weakspot::race {

// The text behind & in the first argument of an allocation: "counts", "s.data", "parts[i]". The place is that of the
// call, or of a macro around it. Empty if the source does not tell for certain.
std::string allocated_name(std::string_view source, unsigned line, unsigned column);

}  // namespace weakspot::race
