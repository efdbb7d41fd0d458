// SPDX-License-Identifier: MIT
// The forms that records take for others: JUnit XML and HTML.
#include <gtest/gtest.h>

#include "campaign/html_report.h"
#include "campaign/junit.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

RunRecord finished() {
  RunRecord record;
  record.test = "MP<1>";
  record.device = "cpu";
  record.device_name = "a \"CPU\"";
  record.driver = "Linux";
  record.model = "sc";
  record.text = "weakspot MP\n";
  record.seed = 5;
  record.instances = 1001;
  record.seconds = 0.5;
  record.host_seconds = 0.25;
  record.status = RunState::finished;
  record.outcomes = {{"x=0;", 1000, OutcomeClass::sequential, false, {}}, {"x=1;", 1, OutcomeClass::weak, true, {}}};
  return record;
}

RunRecord violated() {
  RunRecord record = finished();
  record.test = "CoRR";
  record.environment.weaken = codegen::Weaken::release;
  record.outcomes[1].outcome_class = OutcomeClass::forbidden;
  record.witnesses = {{"x=1;", FirstSeen{2, {3, 4, 5}}, 77, {{"P0", 6, 7}, {"P1", 8, 9}}, {{"x", "memory", 10}}}};
  record.code_hash = "abc";
  return record;
}

RunRecord broken(RunState state) {
  RunRecord record;
  record.test = "SB";
  record.device = "cuda:0";
  record.status = state;
  record.message = "gone & lost";
  return record;
}

TEST(Witness, SaysAllThatIsKnown) {
  EXPECT_EQ(
      "  witness x=1;\n"
      "    launch seed 77, launch 2, round 3, iteration 4, instance 5\n"
      "    P0 in workgroup 6, thread 7; P1 in workgroup 8, thread 9; x at word 10 of memory\n"
      "    seed 5, environment weaken=release, a \"CPU\", Linux, code abc\n",
      witness_text(violated()));
  EXPECT_EQ("", witness_text(finished()));
}

TEST(Replay, RepeatsWhatDecidedTheVerdict) {
  RunRecord record = violated();
  record.asked_seconds = 0.3125;
  EXPECT_EQ(
      "cat > CoRR.litmus <<'END'\nweakspot MP\nEND\n"
      "weakspot run CoRR.litmus --device cpu --seed 5 --seconds 0.3125 --model sc --judging 20s --env weaken=release\n",
      replay_commands(record));
  record.asked_instances = 700;
  record.asked_memory = 4096;
  record.code = CheckedCode{};
  record.deadline = 2.5;
  record.status = RunState::stopped;
  record.asked_judging = 3;  // the default is more
  EXPECT_NE(std::string::npos, replay_commands(record).find(
                                   "\nweakspot run CoRR.litmus --device cpu --seed 5 --instances 700 --memory 4096 "
                                   "--model sc --optcheck --deadline 2.5 --env weaken=release\n"));
  record.asked_judging = 45;
  EXPECT_NE(std::string::npos, replay_commands(record).find(" --model sc --judging 45 --optcheck "));
}

TEST(Replay, NamesAndTextsFromOtherMachinesAreNoCommands) {
  RunRecord record = violated();
  record.test = "MP;touch pwned";
  record.device = "$(id)";
  record.model = "a b";
  record.text = "weakspot MP\nEND\nrm -rf .\nEND_";
  EXPECT_EQ(
      "cat > test.litmus <<'END__'\nweakspot MP\nEND\nrm -rf .\nEND_\nEND__\n"
      "weakspot run test.litmus --device '$(id)' --seed 5 --seconds 0.001 --model 'a b' --judging 20s --env "
      "weaken=release\n",
      replay_commands(record));
}

TEST(Junit, OneCasePerTestAndDevice) {
  EXPECT_EQ(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"weakspot\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.500\">\n"
      "  <testcase classname=\"cpu\" name=\"MP&lt;1&gt;\" time=\"0.500\">\n"
      "    <system-out>judged by sc\nx=0; 2000 sequential\nx=1; 2 weak\n</system-out>\n"
      "  </testcase>\n"
      "</testsuite>\n",
      junit_xml({finished(), finished()}));
}

TEST(Junit, FailuresErrorsAndSkips) {
  const std::string xml = junit_xml({violated(), broken(RunState::lost), finished(), broken(RunState::refused)});
  EXPECT_NE(std::string::npos, xml.find("tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_NE(std::string::npos,
            xml.find("<failure message=\"DELIBERATELY BROKEN: 1 of 1001 instances ended in an outcome "
                     "that sc forbids\">  witness x=1;\n"));
  EXPECT_NE(std::string::npos, xml.find("code abc\nTo see it again:\ncat &gt; CoRR.litmus &lt;&lt;'END'\n")) << xml;
  EXPECT_NE(std::string::npos, xml.find("<error message=\"gone &amp; lost\"/>"));
  EXPECT_NE(std::string::npos, xml.find("<skipped message=\"gone &amp; lost\"/>"));
}

TEST(Html, SeveralDevicesStandSideBySide) {
  RunRecord other = finished();
  other.device = "<b>";
  other.outcomes.pop_back();
  const std::string html = html_report({finished(), other});
  EXPECT_NE(std::string::npos,
            html.find("<h2>Outcomes by device</h2>\n<div class=\"box\"><table><tr><th>MP&lt;1&gt;</th>"
                      "<th class=\"n\" colspan=\"2\">cpu</th>"
                      "<th class=\"n\" colspan=\"2\">&lt;b&gt;</th><th>class</th></tr>\n"));
  EXPECT_NE(std::string::npos,
            html.find("<tr><td class=\"name\">* <code>x=1;</code></td><td class=\"n\">1</td><td class=\"n\">2/s</td>"
                      "<td class=\"n\">0</td><td class=\"n\">0/s</td>"
                      "<td class=\"weak\">weak</td></tr>\n"));
  EXPECT_EQ(std::string::npos, html_report({finished()}).find("Outcomes by device"));
}

TEST(Html, ShowsEveryRunAndLeavesNothingUnescaped) {
  const std::string html = html_report({finished(), violated(), broken(RunState::lost)});
  EXPECT_NE(std::string::npos, html.find("<h1>Memory consistency: 1 FORBIDDEN, 1 lost, 1 weak</h1>"));
  EXPECT_NE(std::string::npos, html.find("MP&lt;1&gt;"));
  EXPECT_EQ(std::string::npos, html.find("MP<1>"));
  EXPECT_NE(std::string::npos, html.find("Deliberately broken"));
  EXPECT_NE(std::string::npos, html.find("fill=\"var(--forbidden)\""));
  EXPECT_NE(std::string::npos, html.find("gone &amp; lost"));
  EXPECT_EQ(std::string::npos, html.find("http:"));  // needs nothing from elsewhere
}

TEST(Html, BarsGrowWithTheLogarithm) {
  RunRecord record = finished();
  record.outcomes = {{"a", 1, OutcomeClass::weak, false, {}},
                     {"b", 10, OutcomeClass::weak, false, {}},
                     {"c", 100, OutcomeClass::weak, false, {}}};
  const std::string html = html_report({record});
  // Three decades and one for a count of 1.
  for (const char* width : {"width=\"105.0\"", "width=\"210.0\"", "width=\"315.0\""}) {
    EXPECT_NE(std::string::npos, html.find(width)) << width;
  }
}

TEST(Html, OfNothing) { EXPECT_NE(std::string::npos, html_report({}).find("0 runs of 0 tests")); }

}  // namespace
}  // namespace weakspot::campaign
