// SPDX-License-Identifier: MIT
#include "report/junit.h"

#include <gtest/gtest.h>

#include "base/invocation.h"

namespace weakspot::report::junit_test {
namespace {

TEST(Junit, CountsVerdictsAndEscapes) {
  EXPECT_EQ(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"s &amp; t\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"2.000\">\n"
      "  <testcase classname=\"cpu\" name=\"MP&lt;1&gt;\" time=\"0.500\">\n"
      "    <system-out>x=0; 2000\n</system-out>\n"
      "  </testcase>\n"
      "  <testcase classname=\"cpu\" name=\"SB\" time=\"1.500\">\n"
      "    <failure message=\"seen &quot;1&quot;\">witness\n</failure>\n"
      "    <system-out></system-out>\n"
      "  </testcase>\n"
      "  <testcase classname=\"gpu\" name=\"SB\" time=\"0.000\">\n"
      "    <error message=\"lost\"/>\n"
      "    <system-out></system-out>\n"
      "  </testcase>\n"
      "  <testcase classname=\"gpu\" name=\"LB\" time=\"0.000\">\n"
      "    <skipped message=\"\"/>\n"
      "    <system-out></system-out>\n"
      "  </testcase>\n"
      "</testsuite>\n",
      to_junit("s & t", {{"cpu", "MP<1>", 0.5, JunitVerdict::passed, "not shown", "", "x=0; 2000\n"},
                         {"cpu", "SB", 1.5, JunitVerdict::failure, "seen \"1\"", "witness\n", ""},
                         {"gpu", "SB", 0, JunitVerdict::error, "lost", "", ""},
                         {"gpu", "LB", 0, JunitVerdict::skipped, "", "", ""}}));
}

TEST(Junit, SaysWhereItComesFrom) {
  base::set_invocation({"weakspot 1.2", "2026-01-31T12:00:00Z", "weakspot report 'a<b'"});
  const std::string text = to_junit("s", {});
  base::set_invocation({});
  EXPECT_EQ(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"s\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\" "
      "timestamp=\"2026-01-31T12:00:00\">\n"
      "  <properties>\n"
      "    <property name=\"program\" value=\"weakspot 1.2\"/>\n"
      "    <property name=\"command\" value=\"weakspot report 'a&lt;b'\"/>\n"
      "  </properties>\n"
      "</testsuite>\n",
      text);
}

}  // namespace
}  // namespace weakspot::report::junit_test
