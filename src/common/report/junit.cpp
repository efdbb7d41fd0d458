// SPDX-License-Identifier: MIT
#include "report/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/invocation.h"
#include "report/markup.h"

namespace weakspot::report {
namespace {

std::string verdict_element(const JunitCase& test) {
  const char* name = test.verdict == JunitVerdict::failure ? "failure"
                     : test.verdict == JunitVerdict::error ? "error"
                                                           : "skipped";
  const std::string message = escaped(test.message);
  if (test.verdict == JunitVerdict::passed) return {};
  if (test.details.empty()) return fmt::format("    <{} message=\"{}\"/>\n", name, message);
  return fmt::format("    <{0} message=\"{1}\">{2}</{0}>\n", name, message, escaped(test.details));
}

// The form of JUnit knows dates without a zone.
std::string timestamp_attribute() {
  const std::string& date = base::invocation().date;
  return date.empty() ? "" : fmt::format(" timestamp=\"{}\"", escaped(date.substr(0, date.find('Z'))));
}

std::string properties_element() {
  const base::Invocation& made = base::invocation();
  if (!made.is_known()) return "";
  return fmt::format(
      "  <properties>\n    <property name=\"program\" value=\"{}\"/>\n    <property name=\"command\" "
      "value=\"{}\"/>\n  </properties>\n",
      escaped(made.program), escaped(made.command));
}

}  // namespace

std::string to_junit(std::string_view suite, const std::vector<JunitCase>& cases) {
  std::string elements;
  double seconds = 0;
  for (const JunitCase& test : cases) {
    seconds += test.seconds;
    elements += fmt::format(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n{}    <system-out>{}</system-out>\n  </testcase>\n",
        escaped(test.group), escaped(test.name), test.seconds, verdict_element(test), escaped(test.output));
  }
  const auto count = [&](JunitVerdict verdict) {
    return std::count_if(cases.begin(), cases.end(), [&](const JunitCase& test) { return test.verdict == verdict; });
  };
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"{}>\n{}{}"
      "</testsuite>\n",
      escaped(suite), cases.size(), count(JunitVerdict::failure), count(JunitVerdict::error),
      count(JunitVerdict::skipped), seconds, timestamp_attribute(), properties_element(), elements);
}

}  // namespace weakspot::report
