// SPDX-License-Identifier: MIT
// Explanations of the parts of a test, in Markdown: a sentence for an instruction, with its order and its scope. Made
// from the test, not from its text, so that all dialects are explained in the same words.
#pragma once

#include <string>
#include <string_view>

#include "litmus/test.h"

namespace weakspot::lsp {

std::string_view meaning_of(litmus::Order order);
std::string_view meaning_of(litmus::Scope scope);

std::string meaning_of(const litmus::LitmusTest& test, litmus::ThreadId thread, const litmus::Instruction& instruction);
std::string meaning_of(const litmus::Location& location, const litmus::LitmusTest& test);

}  // namespace weakspot::lsp
