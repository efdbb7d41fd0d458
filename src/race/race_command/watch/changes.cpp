// SPDX-License-Identifier: MIT
#include "race_command/watch/changes.h"

#include <algorithm>
#include <sstream>

#include "base/source.h"
#include "race/baseline.h"

namespace weakspot::race_command {
namespace {

// The lines of findings in a baseline.
std::vector<std::string> lines_of(const std::string& baseline) {
  std::vector<std::string> lines;
  std::istringstream text(baseline);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with('#')) lines.push_back(line);
  }
  return lines;
}

std::string fingerprint_in(const std::string& line) { return line.substr(0, line.find(' ')); }

}  // namespace

Changes LastCheck::next(const race::Report& report, const race::LineReader& line_of) {
  race::Report seen;
  seen.findings = report.findings;
  std::string now = race::baseline_text(seen, line_of);
  Changes changes;
  std::vector<std::string> left = lines_of(now);
  for (const std::string& line : lines_of(known_)) {
    const auto still = std::find_if(left.begin(), left.end(), [&](const std::string& other) {
      return fingerprint_in(other) == fingerprint_in(line);
    });
    if (still == left.end()) {
      changes.gone.push_back(line.substr(line.find(' ') + 1));
    } else {
      left.erase(still);
    }
  }
  race::leave_out_known(seen, *race::read_baseline(base::Source("last check", known_)), line_of);
  changes.kept = report.findings.size() - std::min(report.findings.size(), seen.findings.size());
  changes.fresh = std::move(seen.findings);
  known_ = std::move(now);
  return changes;
}

}  // namespace weakspot::race_command
