// SPDX-License-Identifier: MIT
#include "report/sarif.h"

#include <gtest/gtest.h>

#include "base/invocation.h"
#include "base/source.h"

namespace weakspot::report::sarif_test {
namespace {

std::string normal(const std::string& json) {
  const base::Result<base::JsonValue> read = base::read_json_text(base::Source("t.json", json));
  return read ? base::json_indented(*read) : base::render(read.errors());
}

const SarifRule kRace{"E1", "data-race", "Nothing orders them.", "Put a barrier.", SarifLevel::error};
const SarifRule kRemark{"remark", "", "A remark.", "", SarifLevel::note};

TEST(Sarif, HasAllThatIsFilledIn) {
  SarifResult finding{"E1", SarifLevel::warning, "text \"1\"", {"a/b <1>.cu", 4, 3, "fill", "", "function"}};
  finding.related = {{{"/c.cu", 0, 0, "", "", ""}, "called from here"}};
  finding.fingerprint = "0123";
  finding.suppressed = true;
  finding.justification = "on purpose";
  finding.properties = base::json_object({{"kernel", "k"}, {"evidence", base::json_object({{"runs", 3}})}});
  const SarifRun run{"1.2", {kRemark, kRace}, {"not modelled: x"}, {finding}};
  EXPECT_EQ(normal(R"({
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [{
      "tool": {"driver": {"name": "weakspot", "version": "1.2", "rules": [
        {"id": "remark", "shortDescription": {"text": "A remark."}, "defaultConfiguration": {"level": "note"}},
        {"id": "E1", "name": "data-race", "shortDescription": {"text": "Nothing orders them."},
         "help": {"text": "Put a barrier."}, "defaultConfiguration": {"level": "error"}}]}},
      "invocations": [{"executionSuccessful": true, "toolExecutionNotifications": [
        {"level": "warning", "message": {"text": "not modelled: x"}}]}],
      "columnKind": "utf16CodeUnits",
      "results": [{
        "ruleId": "E1", "ruleIndex": 1, "level": "warning", "message": {"text": "text \"1\""},
        "locations": [{
          "physicalLocation": {"artifactLocation": {"uri": "a/b%20%3C1%3E.cu"},
                               "region": {"startLine": 4, "startColumn": 3}},
          "logicalLocations": [{"name": "fill", "kind": "function"}]}],
        "relatedLocations": [{
          "physicalLocation": {"artifactLocation": {"uri": "file:///c.cu"}, "region": {"startLine": 1}},
          "id": 1, "message": {"text": "called from here"}}],
        "fingerprints": {"weakspot/v1": "0123"},
        "partialFingerprints": {"lines/v1": "0123"},
        "suppressions": [{"kind": "external", "justification": "on purpose"}],
        "properties": {"kernel": "k", "evidence": {"runs": 3}}}]}]})") +
                "\n",
            to_sarif(run));
}

TEST(Sarif, LeavesOutTheRest) {
  const SarifResult remark{"remark", SarifLevel::note, "only this", {"", 0, 0, "MP", "cpu/MP", "resource"}};
  EXPECT_EQ(normal(R"({
    "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
    "version": "2.1.0",
    "runs": [{
      "tool": {"driver": {"name": "weakspot", "version": "1", "rules": [
        {"id": "remark", "shortDescription": {"text": "A remark."}, "defaultConfiguration": {"level": "note"}}]}},
      "invocations": [{"executionSuccessful": true}],
      "columnKind": "utf16CodeUnits",
      "results": [{
        "ruleId": "remark", "ruleIndex": 0, "level": "note", "message": {"text": "only this"},
        "locations": [{"logicalLocations": [
          {"name": "MP", "fullyQualifiedName": "cpu/MP", "kind": "resource"}]}]}]}]})") +
                "\n",
            to_sarif({"1", {kRemark}, {}, {remark}}));
}

TEST(Sarif, SaysWhereItComesFrom) {
  base::set_invocation({"weakspot 1.2", "2026-01-31T12:00:00Z", "weakspot race a.cu"});
  const std::string text = to_sarif({"1", {}, {}, {}});
  base::set_invocation({});
  EXPECT_NE(std::string::npos, text.find("\"commandLine\": \"weakspot race a.cu\""));
  EXPECT_NE(std::string::npos, text.find("\"startTimeUtc\": \"2026-01-31T12:00:00Z\""));
}

}  // namespace
}  // namespace weakspot::report::sarif_test
