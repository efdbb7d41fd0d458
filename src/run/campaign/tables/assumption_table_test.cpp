// SPDX-License-Identifier: MIT
#include "campaign/assumption_table.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::campaign {
namespace {

AssumptionRun run(std::optional<bool> allowed, std::uint64_t observed, std::string problem = "") {
  AssumptionRun made;
  made.test = "cas-sl";
  made.model = "ptx";
  made.allowed = allowed;
  made.instances = problem.empty() ? 1000 : 0;
  made.observed = observed;
  made.seconds = 2;
  made.problem = std::move(problem);
  return made;
}

TEST(Assumptions, Verdicts) {
  EXPECT_EQ("false", verdict_word(run(true, 5)));
  EXPECT_EQ("false", verdict_word(run(std::nullopt, 5)));
  EXPECT_EQ("unseen", verdict_word(run(true, 0)));
  EXPECT_EQ("holds", verdict_word(run(false, 0)));
  EXPECT_EQ("FORBIDDEN", verdict_word(run(false, 1)));
  EXPECT_EQ("unknown", verdict_word(run(std::nullopt, 0)));
  EXPECT_EQ("unavailable", verdict_word(run(std::nullopt, 0, "no")));
  AssumptionRun lost = run(true, 0, "gone");
  lost.failed = true;
  EXPECT_EQ("failed", verdict_word(lost));
}

TEST(Assumptions, AsJsonAndHtml) {
  AssumptionTable table{"cpu", "a <CPU>", "Linux", {}};
  table.assumptions.push_back({"lock", "It <locks>.", run(true, 4), run(false, 0), {run(std::nullopt, 0, "no")}});
  table.assumptions.push_back({"none", "It is.", run(true, 0), std::nullopt, {}});
  const base::JsonValue json = to_json(table);
  const base::JsonValue& first = json.at(std::size_t{0});
  EXPECT_EQ("lock", first.at("idiom").text());
  EXPECT_TRUE(first.at("allowed").truth());
  EXPECT_EQ(4, first.at("observed").integer());
  EXPECT_EQ(0, first.at("repaired").at("observed").integer());
  EXPECT_FALSE(first.at("repaired").at("allowed").truth());
  EXPECT_EQ("no", first.at("other_repairs").at(std::size_t{0}).at("problem").text());
  EXPECT_TRUE(json.at(1).at("repaired").is(base::JsonValue::Kind::null));
  const std::string html = to_html(table);
  EXPECT_NE(std::string::npos, html.find("It &lt;locks&gt;."));
  EXPECT_NE(std::string::npos, html.find("no fenced form"));
}

}  // namespace
}  // namespace weakspot::campaign
