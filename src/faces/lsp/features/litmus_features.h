// SPDX-License-Identifier: MIT
// Answers to an editor about a text with tests, except verdicts (verdicts.h) and changes (actions.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "lsp/features/litmus_reading.h"
#include "lsp/protocol/document_text.h"
#include "lsp/protocol/protocol.h"

namespace weakspot::lsp {

// Explains the instruction or location at a byte, or the word there if its test cannot be read; null if there is none.
Json litmus_hover(const DocumentText& text, const LitmusReading& reading, std::size_t offset);

Json litmus_completion(const DocumentText& text, std::size_t offset, const std::vector<std::string>& models);

Json litmus_symbols(const DocumentText& text, const LitmusReading& reading);

Json litmus_tokens(const DocumentText& text, const LitmusReading& reading);

// The text in canonical form: each test as its dialect prints it. Fails if that would lose something: mistakes,
// comments, or a test that reads back differently.
base::Result<std::string> formatted_litmus(const std::string& name, const DocumentText& text,
                                           const LitmusReading& reading);

}  // namespace weakspot::lsp
