// SPDX-License-Identifier: MIT
// One instruction as herd7's printer for its architecture spells it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace weakspot::litmus::herd {

// Returns the name of a label in the hashed text.
using LabelName = std::function<std::string(std::string_view)>;

std::string spell_aarch64(std::string_view instruction, const LabelName& label);
std::string spell_x86(std::string_view instruction, const LabelName& label);
std::string spell_x86_64(std::string_view instruction, const LabelName& label);
std::string spell_riscv(std::string_view instruction, const LabelName& label);

}  // namespace weakspot::litmus::herd
