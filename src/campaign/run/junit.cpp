#include "campaign/junit.h"

#include <fmt/format.h>

#include "campaign/markup.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

std::string counts_text(const RunRecord& sum) {
  std::string text;
  for (const OutcomeCount& outcome : sum.outcomes) {
    text += fmt::format("{} {} {}\n", outcome.outcome, outcome.count, class_word(outcome.outcome_class));
  }
  return text;
}

std::string verdict_element(const RunGroup& group, const RunRecord& sum) {
  if (const std::uint64_t forbidden = sum.count(OutcomeClass::forbidden); forbidden != 0) {
    std::string witnesses;
    for (const RunRecord& record : group.records) witnesses += witness_text(record);
    return fmt::format(
        "    <failure message=\"{}{} of {} instances ended in an outcome that {} forbids\">{}</failure>\n",
        sum.deliberately_broken() ? "DELIBERATELY BROKEN: " : "", forbidden, sum.instances, escaped(sum.model),
        escaped(witnesses));
  }
  const std::string message = fmt::format("message=\"{}\"", escaped(sum.message));
  if (sum.status == RunState::refused) return fmt::format("    <skipped {}/>\n", message);
  if (sum.status == RunState::failed || sum.status == RunState::lost) return fmt::format("    <error {}/>\n", message);
  return {};
}

}  // namespace

std::string junit_xml(const std::vector<RunRecord>& records) {
  std::string cases;
  std::size_t failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  const std::vector<RunGroup> groups = group_records(records);
  for (const RunGroup& group : groups) {
    const RunRecord sum = group.sum();
    const std::string verdict = verdict_element(group, sum);
    failures += verdict.find("<failure") != std::string::npos ? 1 : 0;
    errors += verdict.find("<error") != std::string::npos ? 1 : 0;
    skipped += verdict.find("<skipped") != std::string::npos ? 1 : 0;
    seconds += sum.host_seconds + sum.compile_seconds;
    cases += fmt::format(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}    <system-out>{}</system-out>\n  </testcase>\n",
        escaped(sum.device), escaped(sum.test), sum.host_seconds + sum.compile_seconds, verdict,
        escaped(counts_text(sum)));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"weakspot\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}"
      "</testsuite>\n",
      groups.size(), failures, errors, skipped, seconds, cases);
}

}  // namespace weakspot::campaign
