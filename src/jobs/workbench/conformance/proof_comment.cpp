// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "codegen/suite_shape.h"
#include "workbench/conformance/suite_texts.h"

namespace weakspot::workbench {
namespace {

std::string commented(std::string_view text, std::string_view mark) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    out += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return out;
}

std::string outcomes_text(const ProvedTest& test, bool allowed) {
  std::string text;
  for (std::size_t i = 0; i < test.outcomes.size(); ++i) {
    const ProvedOutcome& outcome = test.outcomes[i];
    if (outcome.allowed != allowed) continue;
    std::string why;
    if (!allowed) {
      why = outcome.check.empty() ? "  no execution ends so" : fmt::format("  an execution fails '{}'", outcome.check);
    }
    text += fmt::format("  {}  counts[{}]{}\n", outcome.text, codegen::kSuiteOutcomes + i, why);
  }
  return text.empty() ? "  none\n" : text;
}

}  // namespace

std::string proof_comment(const ProvedTest& test, std::string_view mark) {
  std::string text = test.text;
  if (!text.empty() && text.back() != '\n') text += '\n';
  text += '\n';
  if (!test.mutant_of.empty()) {
    text += fmt::format("A mutant of {}{}, with its check: on a device that shows the mutant, this test fails.\n",
                        test.mutant_of, test.edge.empty() ? "" : fmt::format(" ({})", test.edge));
  }
  const std::string& subject = test.mutant_of.empty() ? test.name : test.mutant_of;
  text += fmt::format("The model {} allows these outcomes of {}, and the check accepts them:\n{}", test.model, subject,
                      outcomes_text(test, true));
  text += fmt::format("It forbids the others, and the check rejects them:\n{}", outcomes_text(test, false));
  return commented(text, mark);
}

// The mutants stand in the row of their test.
std::string suite_page(const std::vector<ProvedTest>& tests, std::string_view title) {
  std::string text = fmt::format(
      "# {}\n\nWritten by `weakspot emit`. The check of each test accepts the outcomes that the model allows, and no\n"
      "others. A mutant has the check of its test, so it fails on a device that shows it. A test whose\n"
      "mutants never fail has shown nothing.\n\n| test | model | outcomes | forbidden | mutants |\n"
      "|---|---|---|---|---|\n",
      title);
  for (const ProvedTest& test : tests) {
    if (!test.mutant_of.empty()) continue;
    std::size_t forbidden = 0;
    for (const ProvedOutcome& outcome : test.outcomes) forbidden += outcome.allowed ? 0 : 1;
    std::string mutants;
    for (const ProvedTest& other : tests) {
      if (other.mutant_of == test.name) mutants += fmt::format("{}`{}`", mutants.empty() ? "" : " ", other.name);
    }
    text +=
        fmt::format("| `{}` | {} | {} | {} | {} |\n", test.name, test.model, test.outcomes.size(), forbidden, mutants);
  }
  return text;
}

}  // namespace weakspot::workbench
