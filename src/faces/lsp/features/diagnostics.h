// SPDX-License-Identifier: MIT
// Mistakes and findings in a text, as the protocol's diagnostics.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "lsp/features/race_findings.h"
#include "lsp/protocol/document_text.h"
#include "lsp/protocol/protocol.h"
#include "model/cat_index.h"

namespace weakspot::lsp {

// The protocol's numbers.
enum DiagnosticSeverity : std::uint8_t { kErrorSeverity = 1, kWarningSeverity = 2, kInformationSeverity = 3 };

Json diagnostic_json(TextRange range, DiagnosticSeverity severity, const std::string& message);

// Adds the mistakes that readers found. A mistake without a place is shown at the first line.
void add_mistakes(const DocumentText& text, const base::Diagnostics& mistakes, DiagnosticSeverity severity,
                  std::vector<Json>& into);

// Adds the mistakes that compiling a model found. A mistake in an included file is shown at the include.
void add_cat_mistakes(const DocumentText& text, const std::string& name, const model::CatIndex& index,
                      const base::Diagnostics& mistakes, DiagnosticSeverity severity, std::vector<Json>& into);

// Adds the findings of a race report. `stale`: the source was written after the report.
void add_findings(const DocumentText& text, const std::string& path, const std::vector<RaceFinding>& findings,
                  bool stale, std::vector<Json>& into);

}  // namespace weakspot::lsp
