#include "report/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace weakspot::report::sarif_test {
namespace {

SarifRun example() {
  SarifRun run{"1.2", {{"E1", "data-race", "Nothing orders them.", "Put a barrier.", SarifLevel::error}}, {}, {}};
  run.rules.push_back({"note-only", "", "A remark.", "", SarifLevel::note});
  SarifResult finding{"E1", SarifLevel::warning, "text", {"a/b <1>.cu", 4, 3, "fill", "", "function"}, {}, {}, true,
                      {}};
  finding.related = {{{"/c.cu", 0, 0, "", "", ""}, "called from here"}};
  finding.fingerprint = "0123";
  finding.properties = {{"kernel", "k"}, {"evidence", std::vector<SarifProperty>{{"runs", std::uint64_t{3}}}}};
  run.results.push_back(finding);
  run.results.push_back(
      {"note-only", SarifLevel::note, "only this", {"", 0, 0, "MP", "cpu/MP", "resource"}, {}, {}, {}, {}});
  return run;
}

TEST(Sarif, HasWhatTheSchemaRequires) {
  SarifRun run = example();
  run.warnings = {"not modelled: x"};
  const auto log = nlohmann::json::parse(to_sarif(run));
  EXPECT_EQ("2.1.0", log["version"]);
  ASSERT_EQ(1u, log["runs"].size());
  EXPECT_EQ(nlohmann::json::parse(R"({"name": "weakspot", "version": "1.2", "rules": [
              {"id": "E1", "name": "data-race", "shortDescription": {"text": "Nothing orders them."},
               "help": {"text": "Put a barrier."}, "defaultConfiguration": {"level": "error"}},
              {"id": "note-only", "shortDescription": {"text": "A remark."},
               "defaultConfiguration": {"level": "note"}}]})"),
            log["runs"][0]["tool"]["driver"]);
  EXPECT_EQ(nlohmann::json::parse(R"([{"executionSuccessful": true, "toolExecutionNotifications": [
              {"level": "warning", "message": {"text": "not modelled: x"}}]}])"),
            log["runs"][0]["invocations"]);
}

TEST(Sarif, ResultsHaveOnlyTheFieldsThatAreFilledIn) {
  const auto results = nlohmann::json::parse(to_sarif(example()))["runs"][0]["results"];
  EXPECT_EQ(nlohmann::json::parse(R"({"ruleId": "E1", "ruleIndex": 0, "level": "warning", "message": {"text": "text"},
              "locations": [{"physicalLocation": {"artifactLocation": {"uri": "a/b%20%3C1%3E.cu"},
                                                  "region": {"startLine": 4, "startColumn": 3}},
                             "logicalLocations": [{"name": "fill", "kind": "function"}]}],
              "relatedLocations": [{"physicalLocation": {"artifactLocation": {"uri": "file:///c.cu"},
                                                         "region": {"startLine": 1}},
                                    "id": 1, "message": {"text": "called from here"}}],
              "fingerprints": {"weakspot/v1": "0123"}, "partialFingerprints": {"lines/v1": "0123"},
              "suppressions": [{"kind": "external"}],
              "properties": {"kernel": "k", "evidence": {"runs": 3}}})"),
            results[0]);
  EXPECT_EQ(nlohmann::json::parse(R"({"ruleId": "note-only", "ruleIndex": 1, "level": "note",
              "message": {"text": "only this"},
              "locations": [{"logicalLocations": [{"name": "MP", "fullyQualifiedName": "cpu/MP",
                                                   "kind": "resource"}]}]})"),
            results[1]);
}

}  // namespace
}  // namespace weakspot::report::sarif_test
