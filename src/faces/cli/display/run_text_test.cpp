// SPDX-License-Identifier: MIT
#include "cli/display/run_text.h"

#include <gtest/gtest.h>

#include "cli/display/live.h"

namespace weakspot::cli::run_text_test {
namespace {

using stats::OutcomeClass;

campaign::RunRecord record() {
  campaign::RunRecord record;
  record.test = "MP";
  record.device = "cpu";
  record.instances = 1110;
  record.seconds = 0.5;
  record.asked_instances = 2220;
  record.status = campaign::RunState::finished;
  record.outcomes = {{"x=0;", 1000, OutcomeClass::sequential, false, {}},
                     {"x=10;", 100, OutcomeClass::weak, true, {}},
                     {"x=2;", 10, OutcomeClass::forbidden, false, {}}};
  return record;
}

std::string line_of(const campaign::RunGroup& group) {
  campaign::EnvironmentNames names;
  return verdict_line(group, names);
}

TEST(RunText, VerdictLine) {
  EXPECT_EQ("FORBIDDEN   MP  cpu  1.11 k instances, 2.22 k/s, 10 FORBIDDEN, 100 weak\n", line_of({{record()}}));
}

TEST(RunText, OfSeveralEnvironmentsTheMostTellingIsNamed) {
  campaign::RunRecord other = record();
  other.environment.workgroup_size = 32;
  other.outcomes[2].count = 30;
  EXPECT_EQ("FORBIDDEN   MP  cpu  2.22 k instances, 2.22 k/s, 40 FORBIDDEN, 200 weak  [most in workgroup_size=32]\n",
            line_of({{record(), other}}));
  other.environment.memory_stride = 4;
  EXPECT_EQ("FORBIDDEN   MP  cpu  2.22 k instances, 2.22 k/s, 40 FORBIDDEN, 200 weak  [most in env 1]\n",
            line_of({{record(), other}}));
}

TEST(RunText, SettingsAreListedOnRequest) {
  campaign::EnvironmentNames names;
  EXPECT_EQ("", environment_legend(names, true));
  names.name("workgroup_size=32,memory_stride=4");
  EXPECT_EQ("\n--verbose lists the settings of env 1\n", environment_legend(names, false));
  names.name("workgroup_size=32,memory_stride=8");
  EXPECT_EQ("\n--verbose lists the settings of env 1 to env 2\n", environment_legend(names, false));
  EXPECT_EQ("\nenv 1  workgroup_size=32,memory_stride=4\nenv 2  workgroup_size=32,memory_stride=8\n",
            environment_legend(names, true));
}

TEST(RunText, ABriefLineIsOneLine) {
  campaign::RunRecord failed = record();
  failed.environment.weaken = codegen::Weaken::fence;
  failed.status = campaign::RunState::stopped;
  failed.message = "the driver said a lot, and more of it than fits on a line";
  EXPECT_EQ("FORBIDDEN   MP  cpu  DELIBERATELY BROKEN  1.11 k instances, 10 FORBIDDEN, 1...\n",
            brief_line({{failed}}, 78));
  EXPECT_EQ("FORBIDDEN   MP  cpu  1.11 k instances, 2.22 k/s, 10 FORBIDDEN, 100 weak\n",
            brief_line({{record()}}, std::string::npos));
}

TEST(RunText, SaysWhatWentWrongAndWhatIsBroken) {
  campaign::RunRecord odd = record();
  odd.outcomes.pop_back();
  odd.environment.weaken = codegen::Weaken::fence;
  odd.status = campaign::RunState::stopped;
  odd.message = "interrupted";
  odd.unfinished = 3;
  odd.barrier_timeouts = 4;
  odd.model = "ptx";
  odd.remark = "loops followed 3 times";
  EXPECT_EQ(
      "weak        MP  cpu  ptx  1.11 k instances, 2.22 k/s, 100 weak, 3 unfinished, 4 barrier time-outs  "
      "DELIBERATELY BROKEN  (stopped: interrupted)  (loops followed 3 times)\n",
      line_of({{odd}}));
  odd.barrier_timeouts = 1;
  EXPECT_NE(std::string::npos, line_of({{odd}}).find(" 1 barrier time-out  "));
}

TEST(RunText, OutcomesInAPlainTable) {
  EXPECT_EQ(
      "    x=0;  1000  sequential\n"
      "  * x=10;  100  weak\n"
      "    x=2;    10  FORBIDDEN\n",
      outcome_lines(record(), 0));
}

TEST(RunText, BarsGrowWithTheLogarithm) {
  EXPECT_EQ(
      "    x=0;  1000  sequential   ▇▇▇▇▇▇▇▇\n"
      "  * x=10;  100  weak         ▇▇▇▇▇▇\n"
      "    x=2;    10  FORBIDDEN    ▇▇▇▇\n",
      outcome_lines(record(), 37));
}

TEST(Live, ShowsHowFarItIs) {
  EXPECT_DOUBLE_EQ(0.5, progress_of(record()));
  const std::string text = live_text({{record()}}, 0.25, 30, {40, 5});
  EXPECT_TRUE(
      text.starts_with("━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  25 %, 1 min 30 s left   MP on cpu: 1.11 k instances, 2.22 k/s\n"))
      << text;
  EXPECT_TRUE(text.ends_with("    and 1 more\n")) << text;
}

}  // namespace
}  // namespace weakspot::cli::run_text_test
