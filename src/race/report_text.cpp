// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "race/classes.h"
#include "race/report.h"

namespace weakspot::race {

const char* severity_text(Severity severity) {
  static constexpr const char* kWords[] = {"error", "warning", "hint"};
  return kWords[static_cast<std::size_t>(severity)];
}

std::string place_text(const Place& place) { return fmt::format("{}:{}:{}", place.file, place.line, place.column); }

namespace {

// The line with a caret below and what happens there.
std::string excerpt(const Place& place, const std::string& label, const LineReader& line_of) {
  std::optional<std::string> line = line_of(place.file, place.line);
  if (!line) return fmt::format("  {}\n", label);
  if (line->ends_with('\r')) line->pop_back();
  // Columns of clang count bytes.
  const std::string before =
      base::printable(std::string_view(*line).substr(0, place.column - std::min(place.column, 1u)));
  return fmt::format("{:6} | {}\n       | {}^ {}\n", place.line, base::printable(*line), base::blanks_under(before),
                     label);
}

std::string finding_text(const Finding& finding, const LineReader& line_of) {
  std::string text = fmt::format("{}: {}: {} {}: {}\n", place_text(finding.place), severity_text(finding.severity),
                                 class_of(finding.finding_class).id, finding.kind, finding.message);
  text += excerpt(finding.place, finding.label, line_of);
  for (const Place& caller : finding.called_from) text += fmt::format("         called from {}\n", place_text(caller));
  if (finding.other) {
    if (finding.other->file != finding.place.file) text += fmt::format("  {}\n", place_text(*finding.other));
    text += excerpt(*finding.other, finding.other_label, line_of);
  }
  if (!finding.why.empty()) text += fmt::format("  why: {}\n", finding.why);
  if (!finding.fix.empty()) text += fmt::format("  fix: {}\n", finding.fix);
  if (!finding.kernel.empty()) {
    text += fmt::format("  in {} with {}", finding.kernel, finding.launch);
    if (finding.count > 1) text += fmt::format(", {} times", finding.count);
    text += "\n";
  }
  if (!finding.replay.empty()) text += fmt::format("  replay: {}\n", finding.replay);
  return text;
}

std::string plural(std::uint64_t count, std::string_view word, std::string_view ending = "s") {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : ending);
}

std::string search_text(const Report& report) {
  const SearchReport& search = *report.search;
  std::string text =
      fmt::format("searched: {}, {} of {} reached, {}", plural(search.runs, "run"), search.branches_reached,
                  plural(search.branches, "branch", "es"), plural(search.pairs, "conflicting pair"));
  if (search.unjudged > 0) text += fmt::format(", {} not judged", plural(search.unjudged, "run"));
  return text;
}

}  // namespace

bool has_faults(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.severity != Severity::hint; });
}

std::string summary(const Report& report) {
  std::uint64_t counts[3] = {0, 0, 0};
  for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.severity)];
  std::uint64_t launches = 0, threads = 0;
  for (const KernelReport& kernel : report.kernels) {
    launches += kernel.launches;
    threads += kernel.threads;
  }
  const char* word = has_faults(report) ? "found" : report.incomplete.empty() ? "clean" : "incomplete";
  std::string text = fmt::format("{}: {}, {}, {}", word, plural(counts[0], "error"), plural(counts[1], "warning"),
                                 plural(counts[2], "hint"));
  if (!report.suppressed.empty()) text += fmt::format(", {} suppressed", report.suppressed.size());
  return text + fmt::format(" in {}, {} launch{}, {}", plural(report.kernels.size(), "kernel"), launches,
                            launches == 1 ? "" : "es", plural(threads, "thread"));
}

std::string to_text(const Report& report, const LineReader& line_of) {
  std::string text;
  for (const Finding& finding : report.findings) text += finding_text(finding, line_of) + "\n";
  for (const std::string& note : report.notes) text += fmt::format("not modelled: {}\n", note);
  if (report.search) text += search_text(report) + "\n";
  if (!report.incomplete.empty()) text += fmt::format("not complete: {}\n", report.incomplete);
  return text + summary(report) + "\n";
}

}  // namespace weakspot::race
