// SPDX-License-Identifier: MIT
#include "lsp/features/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/file.h"
#include "lsp/protocol/uri.h"

namespace weakspot::lsp {
namespace {

// The range of a place in this text: from its column to the end of the word there, or the whole line.
TextRange range_of_place(const DocumentText& text, const RacePlace& place) {
  const std::size_t line = place.line == 0 ? 0 : place.line - 1;
  TextRange range = text.line_range(line);
  if (place.column == 0) return range;
  // Compilers count columns in bytes, so the column is added to the offset of the line.
  const std::size_t begin = std::min(text.offset(range.begin) + place.column - 1, text.offset(range.end));
  std::size_t end = begin;
  const std::string& all = text.text();
  while (end < all.size() && (std::isalnum(static_cast<unsigned char>(all[end])) != 0 || all[end] == '_')) ++end;
  range.begin = text.position(begin);
  if (end > begin) range.end = text.position(end);
  return range;
}

// The range of a place in another file: a point, since the file's text is not at hand.
TextRange range_elsewhere(const RacePlace& place) {
  const TextPosition at{place.line == 0 ? 0 : place.line - 1, place.column == 0 ? 0 : place.column - 1};
  return {at, at};
}

Json related_json(const DocumentText& text, const std::string& path, const RacePlace& place) {
  const bool here = names_file(place.file, path);
  const std::string file = here ? path : base::absolute_path(place.file).string();
  const TextRange range = here ? range_of_place(text, place) : range_elsewhere(place);
  return base::json_object({{"location", base::json_object({{"uri", uri_of(file)}, {"range", to_json(range)}})},
                            {"message", place.message}});
}

}  // namespace

Json diagnostic_json(TextRange range, DiagnosticSeverity severity, const std::string& message) {
  return base::json_object({{"range", to_json(range)},
                            {"severity", static_cast<int>(severity)},
                            {"source", "weakspot"},
                            {"message", message}});
}

void add_mistakes(const DocumentText& text, const base::Diagnostics& mistakes, DiagnosticSeverity severity,
                  std::vector<Json>& into) {
  for (const base::Diagnostic& mistake : mistakes) {
    const TextRange range = mistake.located() ? text.range(mistake) : text.line_range(0);
    into.push_back(diagnostic_json(range, severity, mistake.message));
  }
}

void add_cat_mistakes(const DocumentText& text, const std::string& name, const model::CatIndex& index,
                      const base::Diagnostics& mistakes, DiagnosticSeverity severity, std::vector<Json>& into) {
  for (const base::Diagnostic& mistake : mistakes) {
    if (mistake.file.empty() || mistake.file == name) {
      add_mistakes(text, {mistake}, severity, into);
      continue;
    }
    TextRange range = text.line_range(0);
    for (const model::CatInclude& include : index.includes) {
      const bool direct = include.file && index.files[*include.file].name == mistake.file;
      if (direct || &include == &index.includes.front()) range = text.range(include.span);
      if (direct) break;
    }
    const std::string file = std::filesystem::path(mistake.file).filename().string();
    into.push_back(diagnostic_json(
        range, severity,
        fmt::format("{}:{}:{}: {}", file, mistake.position.line, mistake.position.column, mistake.message)));
  }
}

void add_findings(const DocumentText& text, const std::string& path, const std::vector<RaceFinding>& findings,
                  bool stale, std::vector<Json>& into) {
  for (const RaceFinding& finding : findings) {
    if (!names_file(finding.place.file, path)) continue;
    const std::string message = finding.place.message + (stale ? " (the file was written after this run)" : "");
    Json json = diagnostic_json(range_of_place(text, finding.place), static_cast<DiagnosticSeverity>(finding.severity),
                                message);
    if (!finding.rule.empty()) json.add("code", finding.rule);
    Json related = base::json_array();
    for (const RacePlace& place : finding.related) {
      if (!place.file.empty()) related.push_back(related_json(text, path, place));
    }
    if (!related.items().empty()) json.add("relatedInformation", std::move(related));
    into.push_back(std::move(json));
  }
}

}  // namespace weakspot::lsp
