// SPDX-License-Identifier: MIT
// The jobs that need no device.
#include <gtest/gtest.h>

#include "base/file.h"
#include "system/temporary_folder.h"
#include "workbench/check.h"
#include "workbench/compare_models.h"
#include "workbench/convert.h"
#include "workbench/ending.h"
#include "workbench/mutate.h"
#include "workbench/results/writable.h"
#include "workbench/test_folder.h"

namespace weakspot::workbench::jobs_test {
namespace {

using Texts = std::vector<std::string>;

TEST(Ending, FollowsTheKindOfTheError) {
  EXPECT_EQ(ending_of(base::Diagnostics{}), Ending::fine);
  EXPECT_EQ(ending_of({base::error("no")}), Ending::bad_input);
  EXPECT_EQ(ending_of({base::error("no", base::ErrorKind::device)}), Ending::failed);
  EXPECT_EQ(ending_of({base::error("no", base::ErrorKind::environment)}), Ending::failed);
  EXPECT_EQ(ending_of({base::error("no", base::ErrorKind::cancelled)}), Ending::cancelled);
}

Texts verdicts(const TestsAndModels& asked) {
  Texts lines;
  const base::Result<CheckResult> result = check({asked, {}}, [&](const questions::TestVerdict& judged) {
    const bool allowed = judged.verdict.reach == model::Verdict::Reach::allowed;
    lines.push_back(judged.test.name + " " + judged.model_name + (allowed ? " allowed" : " forbidden"));
  });
  if (!result) return {base::render(result.errors())};
  return lines;
}

TEST(Check, ByTheTestsOwnModelOrByAllThatAreNamed) {
  EXPECT_EQ(verdicts({.tests = {"MP"}}), Texts{"MP rel-acq allowed"});
  EXPECT_EQ(
      verdicts({.tests = {"SB+fence.sc+fence.sc", "MP-wg-diff-wg", "MP-wg-same-wg"}}),
      (Texts{"SB+fence.sc+fence.sc ptx forbidden", "MP-wg-diff-wg ptx allowed", "MP-wg-same-wg rel-acq forbidden"}));
  EXPECT_EQ(verdicts({.tests = {"MP", "SB"}, .models = {"sc", "tso"}}),
            (Texts{"MP sc forbidden", "MP tso forbidden", "SB sc forbidden", "SB tso allowed"}));
}

TEST(Check, AModelThatCannotBeReadStopsEverything) {
  EXPECT_EQ(verdicts({.tests = {"MP"}, .models = {"sc", "no-such"}}),
            Texts{"error: there is no model 'no-such'; 'weakspot models' lists them\n"});
}

TEST(CompareModels, TheSmallestTestsFirst) {
  const auto result = compare_models({.first = "sc", .second = "tso", .tests = {"SB", "MP", "LB"}});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->differences.size(), 1u);
  EXPECT_EQ(result->differences.front().input.test.name, "SB");
  EXPECT_FALSE(result->differences.front().cause.first_allows);
  EXPECT_EQ(result->agreed, 2u);
}

TEST(CompareModels, CausesOfDifferences) {
  const auto result = compare_models({.first = "sc", .second = "tso", .events = 4});
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  ASSERT_FALSE(result->causes.empty());
  EXPECT_GT(result->compared(), 100u);
  std::size_t tests = 0;
  for (const CauseCount& count : result->causes) {
    tests += count.tests;
    EXPECT_FALSE(count.cause.first_allows);
    EXPECT_FALSE(count.cause.check.empty());
    EXPECT_EQ(result->differences[count.example].cause, count.cause);
  }
  EXPECT_EQ(tests, result->differences.size());
  EXPECT_GE(result->causes.front().tests, result->causes.back().tests);
}

Texts made(const questions::GenerateRequest& request, std::size_t most = 100) {
  Texts names;
  const auto result = questions::generate_tests(request, [&](const litmus::LitmusTest& test) {
    names.push_back(test.name);
    return names.size() < most;
  });
  if (!result) return {base::render(result.errors())};
  for (const base::Diagnostic& error : result->errors) names.push_back(error.message);
  return names;
}

TEST(Generate, CyclesByEdgesAndByName) {
  EXPECT_EQ(made({.cycles = {"Rfe PodRR Fre PodWW", "SB"}}), (Texts{"MP", "SB"}));
}

TEST(Generate, ASearchWithAFilter) {
  EXPECT_EQ(made({.settings = {{"edges", "Rfe Fre Coe Pod**"}, {"threads", "2"}},
                  .filter = {.forbidden_by = {"sc"}, .allowed_by = {"tso"}}}),
            (Texts{"SB", "R"}));
}

TEST(Generate, StopsWhenTheSinkHasEnough) {
  EXPECT_EQ(made({.settings = {{"edges", "Rfe Fre Coe Pod**"}}}, 3).size(), 3u);
}

TEST(Generate, NothingToDoIsAnError) {
  EXPECT_FALSE(questions::generate_tests({}, [](const auto&) { return true; }).ok());
}

TEST(Mutate, DropsWhatIsStillForbidden) {
  std::size_t kept = 0, all = 0;
  const auto result = mutate_tests({.tests = {"MP+rel+acq"}}, [&](const auto&) { return ++kept != 0; });
  ASSERT_TRUE(result.ok());
  const auto whole = mutate_tests({.tests = {"MP+rel+acq"}, .options = {.keep_forbidden = true}},
                                  [&](const auto&) { return ++all != 0; });
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->dropped, 0u);
  EXPECT_EQ(kept + result->dropped, all);
  EXPECT_FALSE(
      mutate_tests({.tests = {"MP"}, .options = {.mutators = {"none-such"}}}, [](const auto&) { return true; }).ok());
}

TEST(TestFolder, FilesAndAnIndex) {
  const base::TemporaryFolder place;
  base::Result<TestFolder> folder = TestFolder::create((place.path() / "a" / "b").string());
  ASSERT_TRUE(folder.ok());
  EXPECT_TRUE(folder->add("x/y", litmus::Dialect::canonical, "text").ok());
  EXPECT_TRUE(folder->add("z", litmus::Dialect::json, "{}").ok());
  EXPECT_TRUE(folder->add("x/y", litmus::Dialect::canonical, "other").ok());
  EXPECT_TRUE(folder->finish().ok());
  EXPECT_EQ(*base::read_file((place.path() / "a" / "b" / "x_y.litmus").string()), "text");
  EXPECT_EQ(*base::read_file((place.path() / "a" / "b" / "x_y.2.litmus").string()), "other");
  EXPECT_EQ(*base::read_file((place.path() / "a" / "b" / "@all").string()), "x_y.litmus\nz.json\nx_y.2.litmus\n");
}

TEST(Convert, ReportsWhatTheDialectCannotExpress) {
  const ConvertResult result = convert({.tests = {"MP", "no-such"}, .dialect = litmus::Dialect::aarch64});
  ASSERT_EQ(result.tests.size(), 1u);
  EXPECT_NE(result.tests.front().text.find("AArch64 MP"), std::string::npos);
  EXPECT_EQ(result.errors.size(), 1u);
  EXPECT_TRUE(result.left_out.empty());
}

TEST(Convert, GathersWhatTheDialectCannotExpress) {
  const ConvertResult result =
      convert({.tests = {"MP", "scoped/@all", "conformance/MP-relacq"}, .dialect = litmus::Dialect::c11});
  EXPECT_TRUE(result.errors.empty());
  std::size_t count = 0, before = SIZE_MAX;
  for (const LeftOut::Reason& reason : result.left_out.reasons()) {
    EXPECT_EQ(reason.text.find("cannot be written"), std::string::npos) << reason.text;
    EXPECT_LE(reason.tests.size(), before);
    count += before = reason.tests.size();
  }
  EXPECT_EQ(count, result.left_out.count());
  EXPECT_GT(count, 10u);
  EXPECT_EQ(result.left_out.reasons().front().text, "C11 has no scopes to place threads in");
}

TEST(Writable, IsToldWithoutWriting) {
  const base::TemporaryFolder place;
  EXPECT_TRUE(can_write("").ok());
  EXPECT_TRUE(can_write((place.path() / "new").string()).ok());
  EXPECT_FALSE(std::filesystem::exists(place.path() / "new"));
  EXPECT_FALSE(can_write(place.path().string()).ok());
  EXPECT_FALSE(can_write((place.path() / "missing" / "new").string()).ok());
}

}  // namespace
}  // namespace weakspot::workbench::jobs_test
