// SPDX-License-Identifier: MIT
#include "serve/submissions/submission_document.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weakspot::serve::submission_document_test {
namespace {

constexpr const char* kHash = "0123456789abcdef0123456789abcdef";

KnownTests known() {
  KnownTests tests;
  tests.add(kHash, "MP");
  return tests;
}

std::string run(const std::string& outcomes, const std::string& more = "") {
  return fmt::format(R"({{"test":"<MP>","hash":"{}","environment":1,"instances":10,"seconds":0.5,"outcomes":{}{}}})",
                     kHash, outcomes, more);
}

std::string document(const std::string& runs, const std::string& more = "") {
  return fmt::format(R"({{"format":1,"device":{{"vendor":"v","architecture":"a"}},)"
                     R"("environments":["basic","stress,workgroup_size=32"],"runs":[{}]{}}})",
                     runs, more);
}

const std::string kGood = run(R"({"sequential":7,"weak":3})");

std::string mistake(const std::string& body) {
  const base::Result<store::Submission> read = read_submission(body, known());
  return read ? "" : read.errors().front().message;
}

TEST(SubmissionDocument, BecomesRowsWithOurOwnNames) {
  const std::string body = document(
      run(R"({"sequential":6,"weak":3})", R"(,"unfinished":1)"),
      R"(,"suite":"mc-mutants","seed":1,"started":"2026-11-16T10:00:00Z","seconds":60,"verdict":"inconclusive",)"
      R"("tests":[{"test":"MP-CO","verdict":"conformant","confidence":0.5},{"test":"x","confidence":null}])");
  const base::Result<store::Submission> read = read_submission(body, known());
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  EXPECT_EQ("v", read->vendor);
  EXPECT_EQ("a", read->architecture);
  EXPECT_EQ(body, read->document);
  ASSERT_EQ(1u, read->rows.size());
  const store::SubmissionRow& row = read->rows.front();
  EXPECT_EQ("MP", row.test);
  EXPECT_EQ(kHash, row.test_hash);
  EXPECT_TRUE(row.environment.find("workgroup_size=32") != std::string::npos) << row.environment;
  EXPECT_EQ(10, row.instances);
  EXPECT_EQ(3, row.weak);
}

TEST(SubmissionDocument, EveryFieldButTheRunsMayBeLeftOut) {
  EXPECT_EQ("", mistake(fmt::format(R"({{"format":1,"runs":[{}]}})", kGood)));
  EXPECT_EQ("", mistake(document(kGood)));
}

TEST(SubmissionDocument, HostileOnesAreRefusedWithTheReason) {
  const std::string long_text(300, 'a');
  std::string many = kGood;
  for (int i = 0; i < 20'000; ++i) many += "," + kGood;
  const std::pair<std::string, std::string> cases[] = {
      {"", "expected a value, found the end"},
      {"[]", "expected a submission: an object"},
      {"{}", "format"},
      {R"({"format":2,"runs":[]})", "format"},
      {R"({"format":1})", "runs"},
      {document(""), "'runs': expected 1 to 20000"},
      {document(many), "'runs': expected 1 to 20000"},
      {document("7"), "a run"},
      {document(run(R"({"sequential":7,"weak":4})")), "the outcomes add up to 11, the instances are 10"},
      {document(run(R"({"sequential":10,"weak":-1})")), "weak"},
      {document(run(R"({"sequential":1e300})")), "sequential"},
      {document(run(R"({"sequential":9007199254740993})")), "sequential"},
      {document(run(R"({"sequential":10,"other":0})")), "other"},
      {document(run("7")), "outcomes"},
      {document(kGood, R"(,"drop table":1)"), "drop table"},
      {document(kGood, R"(,"device":1)"), "device"},
      {document(kGood, fmt::format(R"(,"suite":"{}")", long_text)), "suite"},
      {document(kGood, R"(,"started":"a\u0000b")"), "started"},
      {document(kGood, R"(,"verdict":"<script>")"), "verdict"},
      {document(kGood, R"(,"tests":[{"confidence":2}])"), "confidence"},
      {document(kGood, R"(,"seconds":-1)"), "seconds"},
      {std::string(2000, '['), "nested"},
      {"\xff", "UTF-8"},
  };
  for (const auto& [body, reason] : cases) {
    const std::string said = mistake(body);
    EXPECT_NE(std::string::npos, said.find(reason)) << body.substr(0, 200) << "\n" << said;
  }
}

TEST(SubmissionDocument, UnknownTestsAndEnvironmentsAreRefused) {
  std::string other = kGood;
  other.replace(other.find(kHash), 32, std::string(32, 'f'));
  EXPECT_NE(std::string::npos, mistake(document(other)).find("not that of a test"));
  std::string far = kGood;
  far.replace(far.find(R"("environment":1)"), 15, R"("environment":2)");
  EXPECT_NE(std::string::npos, mistake(document(far)).find("a place in 'environments'"));
  for (const char* environment : {R"("/etc/passwd")", R"("workgroup_size=0")", "7", R"("'; drop table runs; --")"}) {
    const std::string body =
        fmt::format(R"({{"format":1,"environments":[{},"basic"],"runs":[{}]}})", environment, kGood);
    EXPECT_EQ("expected an environment as --env takes it", mistake(body)) << environment;
  }
}

TEST(SubmissionDocument, VendorsAreWords) {
  for (const char* vendor : {"a\\u0000b", "<b>", "=1+1", "é", "a/b", "'; drop table x"}) {
    const std::string body = fmt::format(R"({{"format":1,"device":{{"vendor":"{}"}},"runs":[{}]}})", vendor, R"({})");
    EXPECT_NE(std::string::npos, mistake(body).find("'vendor': expected at most 64 letters")) << vendor;
  }
}

TEST(SubmissionDocument, TheTestsOfTheSuiteAndTheCorpusAreKnown) {
  const base::Result<KnownTests> tests = load_known_tests();
  ASSERT_TRUE(tests.ok()) << base::render(tests.errors());
  EXPECT_GT(tests->size(), 500u);
}

}  // namespace
}  // namespace weakspot::serve::submission_document_test
