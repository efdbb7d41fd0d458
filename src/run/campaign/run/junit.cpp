// SPDX-License-Identifier: MIT
#include "campaign/junit.h"

#include <fmt/format.h>

#include "campaign/summary.h"
#include "report/junit.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

std::string counts_text(const RunRecord& sum) {
  std::string text = fmt::format("judged by {}\n", sum.model);
  for (const OutcomeCount& outcome : sum.outcomes) {
    text += fmt::format("{} {} {}\n", outcome.outcome, outcome.count, class_word(outcome.outcome_class));
  }
  return text;
}

report::JunitCase junit_case(const RunGroup& group) {
  const RunRecord sum = group.sum();
  report::JunitCase test{sum.device, sum.test, sum.host_seconds + sum.compile_seconds};
  test.output = counts_text(sum);
  if (const std::uint64_t forbidden = sum.count(OutcomeClass::forbidden); forbidden != 0) {
    test.verdict = report::JunitVerdict::failure;
    test.message =
        fmt::format("{}{} of {} instances ended in an outcome that {} forbids",
                    sum.deliberately_broken() ? "DELIBERATELY BROKEN: " : "", forbidden, sum.instances, sum.model);
    test.details = violation_details(group.records);
    return test;
  }
  if (sum.status == RunState::refused) test.verdict = report::JunitVerdict::skipped;
  if (sum.status == RunState::failed || sum.status == RunState::lost) test.verdict = report::JunitVerdict::error;
  test.message = sum.message;
  return test;
}

}  // namespace

std::string junit_xml(const std::vector<RunRecord>& records) {
  std::vector<report::JunitCase> cases;
  for (const RunGroup& group : group_records(records)) cases.push_back(junit_case(group));
  return report::to_junit("weakspot", cases);
}

}  // namespace weakspot::campaign
