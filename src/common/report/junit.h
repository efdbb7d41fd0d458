// SPDX-License-Identifier: MIT
// JUnit XML, the form in which continuous integration takes test results.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weakspot::report {

enum class JunitVerdict {
  passed,
  failure,  // the test found what it looks for
  error,    // the test could not run to its end
  skipped,
};

struct JunitCase {
  std::string group;  // the attribute "classname"
  std::string name;
  double seconds = 0;
  JunitVerdict verdict = JunitVerdict::passed;
  std::string message;  // why; not shown for a case that passed
  std::string details;  // below the message, may have several lines
  std::string output;
};

// One suite, with the time and the command that made it, if they are known (base/invocation.h).
std::string to_junit(std::string_view suite, const std::vector<JunitCase>& cases);

}  // namespace weakspot::report
