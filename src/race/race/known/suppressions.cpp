// SPDX-License-Identifier: MIT
#include "race/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/glob.h"
#include "base/source.h"
#include "race/causes.h"
#include "race/classes.h"
#include "race/known/entry_lines.h"

namespace weakspot::race {
namespace {

constexpr std::string_view kBlank = " \t\r";

base::Result<Suppression> parse_line(std::string_view line) {
  Suppression suppression;
  suppression.text = std::string(line);
  const std::size_t blank = line.find_first_of(kBlank);
  if (const std::string_view id = line.substr(0, blank); id != "*") {
    const FindingClass* known = find_class(id);
    if (known == nullptr) {
      return base::error(
          fmt::format("'{}' is not a class of findings; expected one as in E1, or *{}", id, meant_class(id)));
    }
    suppression.finding_class = known->number;
  }
  // The line has no blanks at its end.
  const std::size_t place = line.find_first_not_of(kBlank, blank);
  std::string_view where = place == std::string_view::npos ? "" : line.substr(place);
  // The file ends at the first colon; the function after it may be qualified.
  std::size_t colon = where.find(':');
  if (colon != std::string_view::npos) {
    const std::string_view rest = where.substr(colon + 1);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), suppression.line);
    if (error != std::errc() || end != rest.data() + rest.size()) {
      suppression.line = 0;
      suppression.function = std::string(rest);
    }
    if (rest.empty() || (suppression.line == 0 && suppression.function.empty())) {
      return base::error("expected a line or a function after ':'");
    }
    where = where.substr(0, colon);
  }
  suppression.file = std::string(where);
  if (suppression.file.empty()) return base::error("expected a class and a file, as in 'E1 reduce.cu:12'");
  return suppression;
}

// * stands for any characters, ? for one.
bool matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches(pattern.substr(1), text) || (!text.empty() && matches(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches(pattern.substr(1), text.substr(1));
}

bool fits_place(const Suppression& suppression, const Place& place, const std::string& function) {
  if (suppression.line != 0 && suppression.line != place.line) return false;
  if (!suppression.function.empty() && suppression.function != function) return false;
  if (!suppression.folder.empty()) {
    std::error_code error;
    const std::filesystem::path file = std::filesystem::absolute(place.file, error).lexically_normal();
    return base::matches_glob(suppression.file, file.lexically_relative(suppression.folder).generic_string());
  }
  std::string path = place.file;
  if (suppression.file.find('/') == std::string::npos) path = path.substr(path.rfind('/') + 1);
  return matches(suppression.file, path);
}

bool fits(const Suppression& suppression, const Finding& finding) {
  if (suppression.finding_class && *suppression.finding_class != finding.finding_class) return false;
  // A kernel may be named as well as the function in which the line stands.
  const std::string kernel = finding.kernel.substr(0, finding.kernel.find('<'));
  return fits_place(suppression, finding.place, finding.function) || fits_place(suppression, finding.place, kernel) ||
         (finding.other && fits_place(suppression, *finding.other, finding.other_function));
}

}  // namespace

base::Result<std::vector<Suppression>> read_suppressions(const base::Source& source) {
  std::vector<Suppression> suppressions;
  base::Diagnostics errors;
  for (const EntryLine& line : entry_lines(source)) {
    base::Result<Suppression> suppression = parse_line(line.text);
    if (suppression) {
      suppression->source = source.name();
      suppression->source_line = line.number;
      suppressions.push_back(std::move(*suppression));
    } else {
      errors.push_back(base::error_at(source, line.span, suppression.errors().front().message));
    }
  }
  if (!errors.empty()) return errors;
  return suppressions;
}

std::vector<bool> suppress(Report& report, const std::vector<Suppression>& suppressions) {
  std::vector<bool> used(suppressions.size());
  const std::size_t before = report.suppressed.size();
  move_fitting(report.findings, report.suppressed, [&](const Finding& finding) {
    bool suppressed = false;
    for (std::size_t i = 0; i < suppressions.size(); ++i) {
      if (!fits(suppressions[i], finding)) continue;
      used[i] = suppressed = true;
    }
    return suppressed;
  });
  auto give_reason = [&](Finding& finding) {
    const auto first = std::find_if(suppressions.begin(), suppressions.end(),
                                    [&](const Suppression& suppression) { return fits(suppression, finding); });
    if (first != suppressions.end()) finding.reason = first->reason;
  };
  for (std::size_t i = before; i < report.suppressed.size(); ++i) {
    give_reason(report.suppressed[i]);
    for (Finding& other : report.suppressed[i].also) give_reason(other);
  }
  return used;
}

}  // namespace weakspot::race
