// SPDX-License-Identifier: MIT
// Verdicts over runs, and the words that say them.
#include <gtest/gtest.h>

#include "confirm/confirm.h"

namespace weakspot::confirm::judge_test {
namespace {

const Outcome kRight{OutcomeKind::memory, "aa"};
const Outcome kWrong{OutcomeKind::memory, "bb"};
const Outcome kHangs{OutcomeKind::not_ended, {}};

FormRuns form(FormKind kind, std::map<Outcome, std::uint64_t> outcomes, unsigned site = 0) {
  return {{kind, site, 0}, std::move(outcomes), {}};
}

Confirmation judged(std::vector<FormRuns> forms) {
  Confirmation confirmation;
  confirmation.subject.finding_class = "E1";
  confirmation.subject.message = "read and write of shared left[32] are not ordered";
  confirmation.subject.kernel = "tiles";
  confirmation.subject.launch = "grid=1 block=64";
  confirmation.subject.sites = {Site{{"tiles.cu", 6, 0}, "read by threadIdx=31 blockIdx=0", {58}, NoDelay::none},
                                Site{{"tiles.cu", 4, 0}, "write by threadIdx=32 blockIdx=0", {46}, NoDelay::none}};
  confirmation.forms = std::move(forms);
  judge(confirmation);
  return confirmation;
}

using enum FormKind;

TEST(ConfirmJudge, AResultThatTheRepairedKernelNeverHasConfirms) {
  const Confirmation seen = judged({form(original, {{kRight, 1000}}), form(delayed, {{kRight, 10}, {kWrong, 990}}, 1),
                                    form(repaired, {{kRight, 1000}})});
  EXPECT_EQ(seen.verdict, Verdict::confirmed);
  EXPECT_EQ(seen.because, Because::differs_unrepaired);
  EXPECT_EQ(seen.expected, kRight);
  const std::string text = to_text(seen, "tiles.confirm/finding-1");
  EXPECT_NE(text.find("  as it is                                           1000        0  module-0.ptx\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  write at line 4 delayed                            1000      990  module-0.ptx\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\nconfirmed: 990 of 2000 runs end differently than all runs of the repaired kernel\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("again: weakspot confirm tiles.confirm/finding-1\n"), std::string::npos);
}

TEST(ConfirmJudge, AHangThatTheRepairedKernelDoesNotHaveConfirms) {
  const Confirmation seen =
      judged({form(original, {{kRight, 5}}), form(delayed, {{kHangs, 3}}), form(repaired, {{kRight, 5}})});
  EXPECT_EQ(seen.verdict, Verdict::confirmed);
  EXPECT_NE(to_text(seen, "f").find("    3 of them: did not end\n"), std::string::npos);
}

TEST(ConfirmJudge, AnUnstableRepairSaysNothing) {
  const Confirmation seen = judged({form(original, {{kRight, 5}}), form(delayed, {{kWrong, 5}}),
                                    form(repaired, {{kRight, 4}}), form(repaired_delayed, {{kWrong, 1}})});
  EXPECT_EQ(seen.verdict, Verdict::unknown);
  EXPECT_EQ(seen.because, Because::repair_varies);
}

TEST(ConfirmJudge, WithoutARepairOnlyAStableOriginalCanTell) {
  EXPECT_EQ(judged({form(original, {{kRight, 5}}), form(delayed, {{kWrong, 5}})}).because, Because::differs_delayed);
  EXPECT_EQ(judged({form(original, {{kRight, 4}, {kWrong, 1}}), form(delayed, {{kWrong, 5}})}).because,
            Because::original_varies);
  EXPECT_EQ(judged({form(original, {{kHangs, 3}}), form(delayed, {{kHangs, 3}})}).because, Because::no_result);
}

TEST(ConfirmJudge, ResultsThatOnlyThisRaceCanVaryConfirm) {
  Confirmation seen = judged({form(original, {{kRight, 4}, {kWrong, 1}}), form(delayed, {{kWrong, 5}})});
  seen.subject.only_reason = true;
  judge(seen);
  EXPECT_EQ(seen.verdict, Verdict::confirmed);
  EXPECT_EQ(seen.because, Because::varies);
  // A repair that varies all the same says that there is another reason.
  seen.forms.push_back(form(repaired, {{kRight, 4}, {kWrong, 1}}));
  judge(seen);
  EXPECT_EQ(seen.because, Because::repair_varies);
}

TEST(ConfirmJudge, EqualRunsAreNoProof) {
  const Confirmation seen =
      judged({form(original, {{kRight, 5}}), form(delayed, {{kRight, 5}}), form(repaired, {{kRight, 5}})});
  EXPECT_EQ(seen.verdict, Verdict::same);
  EXPECT_NE(to_text(seen, "f").find("The race is still one"), std::string::npos);
  // A form that did not run might have differed.
  EXPECT_EQ(judged({form(original, {{kRight, 5}}), form(delayed, {})}).because, Because::not_run);
  EXPECT_EQ(judged({form(original, {}), form(repaired, {{kRight, 5}})}).because, Because::not_run);
  EXPECT_EQ(judged({}).because, Because::not_run);
}

TEST(ConfirmJudge, EqualValuesCannotShow) {
  Confirmation confirmation;
  confirmation.subject.same_value = true;
  judge(confirmation);
  EXPECT_EQ(confirmation.verdict, Verdict::same);
  EXPECT_NE(to_text(confirmation, "f").find("no run can differ"), std::string::npos);
}

TEST(ConfirmJudge, TextHasEightyColumns) {
  Confirmation seen = judged({form(original, {{kRight, 5}, {kWrong, 2}}), form(delayed, {{kWrong, 5}})});
  seen.subject.no_repair = NoRepair::still_found;
  seen.subject.sites[1].no_delay = NoDelay::not_in_ptx;
  const std::string text = to_text(seen, "f");
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    EXPECT_LE(text.find('\n', at) - at, 80u) << text;
  }
}

}  // namespace
}  // namespace weakspot::confirm::judge_test
