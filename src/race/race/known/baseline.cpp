// SPDX-License-Identifier: MIT
#include "race/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/source.h"
#include "race/causes.h"
#include "race/classes.h"
#include "race/finding/fingerprint.h"
#include "race/known/entry_lines.h"

namespace weakspot::race {
namespace {

constexpr std::size_t kDigits = 32;

bool is_fingerprint(std::string_view word) {
  return word.size() == kDigits && word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

base::Result<Baseline> read_baseline(const base::Source& source) {
  Baseline baseline;
  base::Diagnostics errors;
  for (const EntryLine& line : entry_lines(source)) {
    const std::string_view word = line.text.substr(0, line.text.find_first_of(" \t"));
    if (is_fingerprint(word)) {
      ++baseline.known[std::string(word)];
    } else {
      errors.push_back(
          base::error_at(source, line.span, "expected a fingerprint of 32 digits, or a comment that starts with '#'"));
    }
  }
  if (!errors.empty()) return errors;
  return baseline;
}

std::string baseline_text(const Report& report, const LineReader& line_of) {
  std::vector<std::string> lines;
  for (const std::vector<Finding>* findings : {&report.findings, &report.suppressed}) {
    for (const Finding& group : *findings) {
      for (const Finding& finding : apart(group)) {
        lines.push_back(fmt::format("{} {} {}:{}: {}\n", fingerprint(finding, line_of),
                                    class_of(finding.finding_class).id, finding.place.file, finding.place.line,
                                    finding.message));
      }
    }
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("# Findings that are known; 'weakspot race --baseline' is silent about them.\n{}",
                     fmt::join(lines, ""));
}

std::size_t leave_out_known(Report& report, const Baseline& baseline, const LineReader& line_of) {
  std::map<std::string, std::size_t> left = baseline.known;
  move_fitting(report.findings, report.suppressed, [&](const Finding& finding) {
    const auto known = left.find(fingerprint(finding, line_of));
    if (known == left.end()) return false;
    if (--known->second == 0) left.erase(known);
    return true;
  });
  std::size_t gone = 0;
  for (const auto& [text, count] : left) gone += count;
  return gone;
}

}  // namespace weakspot::race
