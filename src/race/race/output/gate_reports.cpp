// SPDX-License-Identifier: MIT
#include "race/gate_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/invocation.h"
#include "base/plural.h"
#include "race/causes.h"
#include "race/classes.h"
#include "report/junit.h"

namespace weakspot::race {
namespace {

using report::JunitCase;
using report::JunitVerdict;

// "; also lines 3 and 7, lines 4 and 7"
std::string also_words(const Finding& finding) {
  const std::vector<std::string> names = also_names(finding);
  return names.empty() ? "" : fmt::format("; also {}", fmt::join(names, ", "));
}

std::string finding_line(const Finding& finding) {
  std::string line = fmt::format("{}: {} {}: {}", place_text(finding.place), severity_text(finding.severity),
                                 class_of(finding.finding_class).id, finding.message);
  if (finding.other) line += fmt::format("; the other access is at {}", place_text(*finding.other));
  line += also_words(finding);
  return line + advice_sentence(finding);
}

JunitCase kernel_case(const Report& report, const std::string& kernel, const std::string& file) {
  JunitCase made;
  made.group = file;
  made.name = kernel;
  std::size_t faults = 0;
  for (const Finding& finding : report.findings) {
    if (!concerns_kernel(finding, kernel) || finding.severity == Severity::hint) continue;
    ++faults;
    made.details += finding_line(finding) + "\n";
  }
  if (faults == 0) return made;
  made.verdict = JunitVerdict::failure;
  made.message = base::counted(faults, "finding");
  return made;
}

// Escapes text for a Markdown table cell.
std::string cell(std::string_view text) {
  std::string made;
  for (const char c : text) {
    if (c == '|' || c == '`' || c == '<' || c == '*' || c == '_' || c == '[') made += '\\';
    made += c == '\n' ? ' ' : c;
  }
  return made;
}

// The findings of a kind as a table below a title, or nothing. The place comes first: a reviewer goes there.
std::string table_of(const Report& report, std::string_view title, bool (*wanted)(const Finding&)) {
  std::string rows;
  for (const Finding& finding : report.findings) {
    if (!wanted(finding)) continue;
    std::string what = finding.message;
    if (finding.other) what += fmt::format("; the other access is at {}", place_text(*finding.other));
    what += also_words(finding);
    rows += fmt::format("| {}:{} | {} {}: {} | {}{} |\n", cell(finding.place.file), finding.place.line,
                        severity_text(finding.severity), class_of(finding.finding_class).id, cell(what),
                        finding.fixes.empty() || has_fix(finding) ? "" : "hint: ", cell(advice_text(finding)));
  }
  return rows.empty() ? rows : fmt::format("{}\n| place | what | fix |\n|---|---|---|\n{}", title, rows);
}

}  // namespace

std::string to_junit(const Report& report) {
  std::vector<JunitCase> cases;
  auto has_case = [&](const std::string& kernel) {
    return std::any_of(cases.begin(), cases.end(), [&](const JunitCase& made) { return made.name == kernel; });
  };
  for (const KernelReport& kernel : report.kernels) {
    if (!has_case(kernel.name)) cases.push_back(kernel_case(report, kernel.name, kernel.place.file));
  }
  for (const Finding& finding : report.findings) {
    if (!has_case(finding.kernel)) cases.push_back(kernel_case(report, finding.kernel, finding.place.file));
  }
  for (const NotExercised& kernel : report.not_exercised) {
    const auto made =
        std::find_if(cases.begin(), cases.end(), [&](const JunitCase& each) { return each.name == kernel.kernel; });
    JunitCase& of_kernel = made == cases.end() ? cases.emplace_back() : *made;
    if (of_kernel.verdict == JunitVerdict::failure) continue;
    of_kernel.group = kernel.place.file;
    of_kernel.name = kernel.kernel;
    of_kernel.verdict = JunitVerdict::skipped;
    of_kernel.message = not_exercised_line(kernel);
  }
  for (const FileVerdict& file : report.files) {
    if (file.verdict) continue;
    cases.push_back({file.file, file.file, 0, JunitVerdict::error, "it could not be checked", "", ""});
  }
  return report::to_junit("weakspot race", cases);
}

std::string to_markdown(const Report& report, const std::string& title) {
  std::string text = fmt::format("### weakspot race: {}\n\n**{}**\n", cell(title), cell(summary(report)));
  text += table_of(report, "", [](const Finding& finding) { return finding.severity != Severity::hint; });
  auto failed = [](const FileVerdict& file) { return !file.verdict; };
  if (std::any_of(report.files.begin(), report.files.end(), failed)) text += "\nCould not be checked:\n\n";
  for (const FileVerdict& file : report.files) {
    if (failed(file)) text += fmt::format("- {}\n", cell(file.file));
  }
  if (!report.not_exercised.empty() || !report.not_modelled.empty()) text += "\nNot looked at:\n\n";
  for (const NotExercised& kernel : report.not_exercised) text += "- " + cell(not_exercised_line(kernel)) + "\n";
  for (const NotModelled& operation : report.not_modelled) text += "- " + cell(not_modelled_line(operation)) + "\n";
  text += table_of(report, "\nHints:\n", [](const Finding& finding) { return finding.severity == Severity::hint; });
  if (!report.kernels.empty()) text += "\nChecked:\n\n";
  for (const KernelReport& kernel : report.kernels) {
    text += fmt::format("- {} at {}:{}: {}, {}\n", cell(kernel.name), cell(kernel.place.file), kernel.place.line,
                        base::counted(kernel.launches, "launch", "launches"), base::counted(kernel.threads, "thread"));
  }
  if (!report.suppressed.empty())
    text += fmt::format("\n{}.\n", base::counted(report.suppressed.size(), "finding is known", "findings are known"));
  if (const base::Invocation& made = base::invocation(); made.is_known()) {
    text += fmt::format("\nMade by {} on {} with {}\n", cell(made.program), made.date, cell(made.command));
  }
  return text;
}

}  // namespace weakspot::race
