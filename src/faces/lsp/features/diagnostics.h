// SPDX-License-Identifier: MIT
// What is wrong with a text, as editors show it.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "lsp/document_text.h"
#include "lsp/protocol.h"
#include "lsp/race_findings.h"
#include "model/cat_index.h"

namespace weakspot::lsp {

// The protocol's numbers.
enum DiagnosticSeverity : std::uint8_t { kErrorSeverity = 1, kWarningSeverity = 2, kInformationSeverity = 3 };

Json diagnostic_json(TextRange range, DiagnosticSeverity severity, const std::string& message);

// Mistakes that readers found. One without a place is shown at the first line.
void add_mistakes(const DocumentText& text, const base::Diagnostics& mistakes, DiagnosticSeverity severity,
                  std::vector<Json>& into);

// Mistakes that compiling a model found. Those in an included file are shown where that is included.
void add_cat_mistakes(const DocumentText& text, const std::string& name, const model::CatIndex& index,
                      const base::Diagnostics& mistakes, DiagnosticSeverity severity, std::vector<Json>& into);

// `stale`: the source was written after the report.
void add_findings(const DocumentText& text, const std::string& path, const std::vector<RaceFinding>& findings,
                  bool stale, std::vector<Json>& into);

}  // namespace weakspot::lsp
