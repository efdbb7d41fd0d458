// SPDX-License-Identifier: MIT
#include "lsp/features/race_findings.h"

#include <gtest/gtest.h>

#include <fstream>

#include "lsp/features/diagnostics.h"
#include "system/temporary_folder.h"

namespace weakspot::lsp::race_findings_test {
namespace {

const std::string kOwn = R"({"findings": [{"class": "E1", "severity": "error", "message": "race on sums[0]",
  "file": "src/sum.cu", "line": 3, "column": 5, "why": "nothing orders them", "fix": "add a barrier",
  "other": {"file": "src/sum.cu", "line": 1, "column": 1, "function": "f", "label": "read by thread 1",
    "library": {"file": "standard.py", "line": 9, "column": 2}, "ptx": {"file": "k.ptx", "line": 7, "column": 1}},
  "called_from": []}, {"class": "R1", "severity": "hint", "message": "not needed", "file": "other.cu", "line": 1,
  "column": 1, "other": null}]})";

const std::string kSarif = R"({"version": "2.1.0", "runs": [{"results": [
  {"ruleId": "W1", "level": "warning", "message": {"text": "racy"}, "locations": [{"physicalLocation":
    {"artifactLocation": {"uri": "file:///w/src/sum.cu"}, "region": {"startLine": 2}}}]},
  {"ruleId": "W2", "level": "warning", "message": {"text": "hidden"}, "suppressions": [{"kind": "external"}]}]}]})";

TEST(RaceFindings, FromJson) {
  const auto findings = read_race_report("r", kOwn);
  ASSERT_TRUE(findings.ok());
  ASSERT_EQ(findings->size(), 2u);
  EXPECT_EQ(findings->front().place.message, "race on sums[0]; nothing orders them. To fix it, add a barrier");
  EXPECT_EQ(findings->front().related.front().message, "read by thread 1");
  ASSERT_EQ(findings->front().related.size(), 3u);
  EXPECT_EQ(findings->front().related[1].file, "standard.py");
  EXPECT_EQ(findings->front().related[2].message, "its PTX");
  EXPECT_EQ(findings->front().related[2].line, 7u);
  EXPECT_EQ(findings->back().severity, RaceFinding::Severity::note);
}

TEST(RaceFindings, FromSarif) {
  const auto findings = read_race_report("r", kSarif);
  ASSERT_TRUE(findings.ok());
  ASSERT_EQ(findings->size(), 1u);
  EXPECT_EQ(findings->front().rule, "W1");
  EXPECT_EQ(findings->front().place.file, "/w/src/sum.cu");
}

TEST(RaceFindings, MalformedReportsAreErrorsOrEmpty) {
  EXPECT_FALSE(read_race_report("r", "{").ok());
  for (const char* text :
       {"[]", "1", "{}", "{\"findings\": 1}", "{\"findings\": [1, {}]}", "{\"runs\": [{\"results\": [[]]}]}"}) {
    EXPECT_TRUE(read_race_report("r", text).ok()) << text;
  }
}

TEST(RaceFindings, PathsMayBeRelative) {
  EXPECT_TRUE(names_file("src/sum.cu", "/w/src/sum.cu"));
  EXPECT_TRUE(names_file("./sum.cu", "/w/src/sum.cu"));
  EXPECT_TRUE(names_file("/w/src/sum.cu", "/w/src/sum.cu"));
  EXPECT_FALSE(names_file("um.cu", "/w/src/sum.cu"));
  EXPECT_FALSE(names_file("/x/sum.cu", "/w/src/sum.cu"));
  EXPECT_FALSE(names_file("", "/w/src/sum.cu"));
}

TEST(RaceFindings, BecomeDiagnosticsOfTheirFile) {
  const DocumentText text("__global__ void f() {\n\n    sums[0] = 1;\n}\n");
  std::vector<Json> diagnostics;
  add_findings(text, "/w/src/sum.cu", *read_race_report("r", kOwn), false, diagnostics);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(base::json_compact(diagnostics.front().at("range")),
            R"({"start":{"line":2,"character":4},"end":{"line":2,"character":8}})");
  EXPECT_EQ(diagnostics.front().at("code").text(), "E1");
  EXPECT_EQ(diagnostics.front().at("relatedInformation").items().size(), 3u);
}

TEST(RaceFindings, TheReportIsFoundAboveTheSource) {
  const base::TemporaryFolder folder;
  const std::filesystem::path deep = folder.path() / "a" / "b";
  std::filesystem::create_directories(deep);
  const std::string source = (deep / "x.cu").string();
  EXPECT_FALSE(find_race_report(source, folder.path().string()).has_value());
  std::filesystem::create_directories(folder.path() / ".weakspot");
  std::ofstream(folder.path() / ".weakspot" / "run.sarif") << kSarif;
  EXPECT_EQ(find_race_report(source, ""), (folder.path() / ".weakspot" / "run.sarif").string());
  std::ofstream(folder.path() / "a" / "weakspot-race.json") << kOwn;
  EXPECT_EQ(find_race_report(source, ""), (folder.path() / "a" / "weakspot-race.json").string());
  EXPECT_EQ(find_race_report(source, (folder.path() / "a").string()),
            (folder.path() / "a" / "weakspot-race.json").string());
}

}  // namespace
}  // namespace weakspot::lsp::race_findings_test
