// SPDX-License-Identifier: MIT
// SPIR-V words as text, in the syntax of spirv-as, which turns the text back into the same words if it preserves
// numeric ids. Covers what Builder and print_spirv() write. Comments spell out the scopes and memory semantics of
// instructions, which SPIR-V keeps in constants.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace weakspot::codegen {

// Fails at the first word that does not begin an instruction of this subset, and says where that is.
base::Result<std::string> spirv_text(std::span<const std::uint32_t> words);

}  // namespace weakspot::codegen
