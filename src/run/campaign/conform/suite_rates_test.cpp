// SPDX-License-Identifier: MIT
#include "campaign/suite_rates.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/source.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

litmus::LitmusTest mutant_named(const std::string& name) {
  return litmus::read_tests(base::Source("test", "weakspot " + name +
                                                     "\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
                                                     "exists (1:r0=1 /\\ 1:r1=0)\n"))
      ->front();
}

ConformanceSuite suite_of_two() {
  ConformanceSuite suite;
  suite.name = "two";
  suite.environments = {codegen::TestEnvironment{}};
  suite.tests.push_back({mutant_named("MP"), {{mutant_named("A"), "m"}, {mutant_named("B"), "m"}}});
  return suite;
}

std::string journal_text(const std::string& lines) {
  const std::string hash = litmus::hash_of(mutant_named("A")).hex();
  return fmt::format(R"({{"format":1,"device_name":"card","tests":["A","B"],"hashes":["{}","{}"]}})", hash, hash) +
         "\n" + lines;
}

std::string slice_line(int test, int workgroups, int kills, double seconds) {
  return fmt::format(
      R"({{"test":{},"environment":"testing_workgroups={}","asked":1,"seed":1,"kills":{},"instances":9,"seconds":{}}})",
      test, workgroups, kills, seconds);
}

TEST(SuiteRates, WhatWasSurelyBestCounts) {
  // A lucky kill in a short slice is not sure; slices of one cell add up; the last line was cut off.
  const auto rates = read_journal_rates(base::Source(
      "j", journal_text(slice_line(0, 4, 50, 1) + "\n" + slice_line(0, 4, 70, 1) + "\n" + slice_line(0, 8, 1, 0.01) +
                        "\n" + slice_line(1, 8, 0, 1) + "\n" + slice_line(0, 8, 100000, 1).substr(0, 40))));
  ASSERT_TRUE(rates.ok());
  const auto suite = with_rates(suite_of_two(), *rates);
  ASSERT_TRUE(suite.ok());
  ASSERT_EQ(1u, suite->environments.size());
  EXPECT_EQ(4, suite->environments[0].testing_workgroups);
  EXPECT_EQ("card", suite->measured_on);
  const SuiteMutant& a = suite->tests[0].mutants[0];
  EXPECT_EQ((std::vector<KillRate>{{0, 60}}), a.rates);
  EXPECT_EQ(MutantStatus::observable, a.status);
  const SuiteMutant& b = suite->tests[0].mutants[1];
  EXPECT_TRUE(b.rates.empty());
  EXPECT_EQ(MutantStatus::unseen, b.status);
  EXPECT_EQ("never killed on card", b.reason);
  // The written suite reads back the same.
  const auto again = suite_from_json(base::Source("s", to_json(*suite)));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(suite->environments, again->environments);
  EXPECT_EQ(a.rates, again->tests[0].mutants[0].rates);
}

TEST(SuiteRates, WhatWasSeenAgainIsTrustedMore) {
  const auto chosen = [](int once) {
    const auto rates =
        read_journal_rates(base::Source("j", journal_text(slice_line(0, 4, 1000, 1) + "\n" + slice_line(0, 4, 1020, 1) +
                                                          "\n" + slice_line(0, 8, once, 1) + "\n")));
    const auto suite = with_rates(suite_of_two(), rates.value());
    return suite->environments.at(0).testing_workgroups;
  };
  EXPECT_EQ(4, chosen(500));
  EXPECT_EQ(4, chosen(1900));
  EXPECT_EQ(8, chosen(3000));
}

TEST(SuiteRates, AJournalMayHaveFormerNames) {
  const litmus::LitmusTest mutant =
      litmus::read_tests(base::Source("test",
                                      "weakspot MP-relacq-nofence.P1\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n"
                                      " fence.rel | ld r1, x ;\n st y, 1 | ;\nscopes (wg P0) (wg P1)\n"
                                      "exists (1:r0=1 /\\ 1:r1=0)\n"))
          ->front();
  ConformanceSuite suite;
  suite.tests.push_back({mutant_named("MP-relacq"), {{mutant, "m"}}});
  const auto with = [&](const std::string& hash) {
    return with_rates(suite, *read_journal_rates(base::Source(
                                 "j", fmt::format(R"({{"format":1,"device_name":"card","tests":["MP-relacq-fence0"],)"
                                                  R"("hashes":["{}"]}})",
                                                  hash) +
                                          "\n" + slice_line(0, 4, 50, 1) + "\n")));
  };
  const auto rated = with(litmus::hash_of(mutant).hex());
  ASSERT_TRUE(rated.ok()) << base::render(rated.errors());
  EXPECT_EQ(50, rated->tests[0].mutants[0].rates.at(0).per_second);
  // Another program had the same name.
  EXPECT_EQ("MP-relacq-nofence.P1 was not measured", with("00").errors().front().message);
}

TEST(SuiteRates, ErrorsSayWhatDoesNotFit) {
  EXPECT_EQ("not the journal of a search: it has no tests",
            read_journal_rates(base::Source("j", "")).errors().front().message);
  const std::pair<std::string, std::string> lines[] = {
      {"{}", "a slice needs 'kills', an integer from 0 to 1152921504606846976"},
      {"{", "expected a key in double quotes, found the end"},
      {slice_line(7, 4, 1, 1), "unknown test 7; the journal has 2"},
      {slice_line(0, 4, -5, 1), "'kills': expected an integer from 0 to 1152921504606846976, found -5"},
      {slice_line(0, 4, 1, -5), "'seconds': expected 0 or from 1e-9 to 1e9 seconds, found -5"},
      {slice_line(0, 4, 1, 1e308), "'seconds': expected 0 or from 1e-9 to 1e9 seconds, found 1e+308"},
  };
  for (const auto& [line, problem] : lines) {
    const base::Diagnostic error = read_journal_rates(base::Source("j", journal_text(line + "\n"))).errors().front();
    EXPECT_EQ(problem, error.message);
    EXPECT_EQ(2u, error.position.line);
  }
  auto rates = read_journal_rates(base::Source("j", journal_text(slice_line(0, 4, 5, 1) + "\n")));
  ASSERT_TRUE(rates.ok());
  rates->hashes[1] = "other";
  EXPECT_EQ("B has changed since it was measured", with_rates(suite_of_two(), *rates).errors().front().message);
  rates->tests[1] = "C";
  EXPECT_EQ("B was not measured", with_rates(suite_of_two(), *rates).errors().front().message);
}

}  // namespace
}  // namespace weakspot::campaign
