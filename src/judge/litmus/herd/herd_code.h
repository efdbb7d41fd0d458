// SPDX-License-Identifier: MIT
// The program of a test in the spelling that herd7 hashes: its own printer's, whatever the text looks like.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weakspot::litmus::herd {

// Nothing if herd7 does not have the architecture.
std::optional<std::string> code_text(std::string_view arch, std::string_view program);

}  // namespace weakspot::litmus::herd
