// SPIR-V words as text, in the syntax of the SPIR-V tools' assembler: assembling it with numbers of ids kept gives the
// words back. Covers what Builder and print_spirv() write. Scopes and memory semantics, which SPIR-V keeps in
// constants, are spelled out in a comment behind the instructions that use them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace weakspot::codegen {

// Fails for words that are no such module, and says where.
base::Result<std::string> spirv_text(std::span<const std::uint32_t> words);

}  // namespace weakspot::codegen
