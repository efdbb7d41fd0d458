// SPDX-License-Identifier: MIT
// Code actions on a test: forbid its outcome, show an execution, write it in another dialect. Commands take long and
// run on the worker's thread; the list of offered actions is made at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/span.h"
#include "lsp/features/litmus_reading.h"
#include "lsp/protocol/document_text.h"
#include "lsp/protocol/protocol.h"
#include "model/judge.h"
#include "model/model_shelf.h"

namespace weakspot::lsp {

inline constexpr std::string_view kMakeForbidden = "weakspot.makeForbidden";  // [uri, test, model]
inline constexpr std::string_view kShowExecution = "weakspot.showExecution";  // [uri, test, model]
inline constexpr std::string_view kConvert = "weakspot.convert";              // [uri, test, dialect]
inline constexpr std::string_view kRace = "weakspot.race";                    // [uri]
inline constexpr std::string_view kProve = "weakspot.prove";                  // [uri, line of a launch, from 1]
inline constexpr std::string_view kExplain = "weakspot.explain";              // [class]

// The model that actions ask; empty for tests of machines without one.
std::string action_model(const litmus::LitmusTest& test);

struct SpanEdit {
  base::Span span;
  std::string text;
};

// Edits after which the model forbids the outcome of a test. Instructions change and rows with fences are added in
// place; otherwise the test is printed anew. Fails if the model forbids the outcome already, or if nothing was found in
// time.
struct Strengthening {
  std::vector<SpanEdit> edits;
  std::vector<std::string> changes;  // in words
};
base::Result<Strengthening> make_forbidden(const std::string& text, const TestInText& found, const model::Model& model,
                                           const model::Limits& limits);

// {"test", "model", "verdict", "explanation", "text", "svg"}; the last two are missing where there is no execution.
base::Result<Json> show_execution(const litmus::LitmusTest& test, model::ModelShelf& shelf, const std::string& model,
                                  const model::JudgeOptions& options);

// The other dialects that can hold the test, with its text in each.
struct Conversion {
  litmus::Dialect dialect = litmus::Dialect::canonical;
  std::string text;
};
std::vector<Conversion> conversions(const TestInText& found);

// A WorkspaceEdit that makes a file beside the test's with the converted text: MP.ptx.litmus.
Json new_file_edit(const std::string& path, const litmus::LitmusTest& test, const Conversion& conversion);
// A WorkspaceEdit of one document; with its version if the editor takes that.
Json document_edit(const std::string& uri, std::int64_t version, bool versioned, std::vector<Json> edits);

}  // namespace weakspot::lsp
