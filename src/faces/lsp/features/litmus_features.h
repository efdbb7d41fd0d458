// SPDX-License-Identifier: MIT
// What an editor asks about a text with tests, except verdicts (verdicts.h) and changes (actions.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/document_text.h"
#include "lsp/litmus_reading.h"
#include "lsp/protocol.h"

namespace weakspot::lsp {

// What the instruction, location or word at a byte means. Null if there is nothing but the test to speak about.
Json litmus_hover(const DocumentText& text, const LitmusReading& reading, std::size_t offset);

Json litmus_completion(const DocumentText& text, std::size_t offset, const std::vector<std::string>& models);

Json litmus_symbols(const DocumentText& text, const LitmusReading& reading);

Json litmus_tokens(const DocumentText& text, const LitmusReading& reading);

// The text in canonical form: each test as its dialect prints it. Fails if that would lose something: mistakes,
// comments, or a test that reads back differently.
base::Result<std::string> formatted_litmus(const std::string& name, const DocumentText& text,
                                           const LitmusReading& reading);

}  // namespace weakspot::lsp
