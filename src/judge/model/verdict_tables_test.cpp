// SPDX-License-Identifier: MIT
// tests/verdicts/MODEL.csv says of tests of the corpus what the model must answer, and who says so: a figure of a
// paper, a section of a specification, or "brute force", which is then asked again.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "base/file.h"
#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/brute_force.h"

namespace weakspot::model::verdict_tables_test {
namespace {

namespace fs = std::filesystem;

struct Row {
  std::string test;  // a path in corpus/
  std::string verdict;
  std::string source;
};

fs::path corpus() { return base::data_directory("corpus"); }
fs::path tables() { return corpus().parent_path() / "tests" / "verdicts"; }

// One line: two words and a text, which may stand in quotes.
Row parse_row(const std::string& line) {
  const std::size_t first = line.find(',');
  const std::size_t second = line.find(',', first + 1);
  if (first == std::string::npos || second == std::string::npos) return {};
  Row row{line.substr(0, first), line.substr(first + 1, second - first - 1), line.substr(second + 1)};
  if (row.source.size() >= 2 && row.source.front() == '"' && row.source.back() == '"') {
    std::string text;
    for (std::size_t i = 1; i + 1 < row.source.size(); ++i) {
      text += row.source[i];
      if (row.source[i] == '"') ++i;
    }
    row.source = text;
  }
  return row;
}

std::vector<Row> read_table(const std::string& model) {
  const std::string path = (tables() / (model + ".csv")).string();
  base::Result<std::string> text = base::read_file(path);
  EXPECT_TRUE(text.ok()) << base::render(text.errors());
  std::vector<Row> rows;
  std::istringstream lines(text ? *text : "");
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "test,verdict,source") << path;
  while (std::getline(lines, line)) rows.push_back(parse_row(line));
  return rows;
}

litmus::LitmusTest read(const Row& row) {
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_test_file((corpus() / row.test).string());
  EXPECT_TRUE(tests.ok()) << row.test << ": " << base::render(tests.errors());
  return tests ? std::move(tests->front()) : litmus::LitmusTest{};
}

std::string word(Verdict::Reach reach) {
  return reach == Verdict::Reach::allowed ? "allowed" : reach == Verdict::Reach::forbidden ? "forbidden" : "unknown";
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  base::Result<std::vector<ModelEntry>> entries = list_models();
  EXPECT_TRUE(entries.ok()) << base::render(entries.errors());
  for (const ModelEntry& entry : *entries) names.push_back(entry.name);
  return names;
}

TEST(VerdictTables, EveryModelHasOne) {
  std::set<std::string> expected;
  for (const std::string& name : model_names()) expected.insert(name + ".csv");
  std::set<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(tables())) found.insert(entry.path().filename());
  EXPECT_EQ(found, expected);
}

TEST(VerdictTables, EveryRowSaysWhoSaysSo) {
  std::size_t rows = 0;
  for (const std::string& name : model_names()) {
    std::set<std::string> seen;
    for (const Row& row : read_table(name)) {
      ++rows;
      EXPECT_TRUE(row.verdict == "allowed" || row.verdict == "forbidden") << name << ": " << row.test;
      EXPECT_FALSE(row.source.empty()) << name << ": " << row.test;
      EXPECT_TRUE(seen.insert(row.test).second) << name << ": " << row.test << " has two rows";
    }
  }
  EXPECT_GE(rows, 300u);
}

TEST(VerdictTables, ModelsAnswerAsCited) {
  for (const std::string& name : model_names()) {
    const base::Result<Model> model = load_model(name);
    ASSERT_TRUE(model.ok()) << base::render(model.errors());
    for (const Row& row : read_table(name)) {
      const Verdict verdict = judge(read(row), *model, {.condition_only = true});
      EXPECT_EQ(word(verdict.reach), row.verdict) << row.test << " by " << name << "; source: " << row.source;
    }
  }
}

// The oracle ignores memory orders and takes every fence for a full one, so its rows are tests without others.
TEST(VerdictTables, BruteForceSaysSo) {
  const std::map<std::string, tests::Model> oracles = {
      {"sc", tests::sc}, {"sc-per-loc", tests::sc_per_location}, {"tso", tests::tso}, {"ptx-2015", tests::gpu_2015}};
  std::size_t asked = 0;
  for (const std::string& name : model_names()) {
    for (const Row& row : read_table(name)) {
      if (row.source != "brute force") continue;
      const auto oracle = oracles.find(name);
      ASSERT_NE(oracle, oracles.end()) << name << " has no oracle: " << row.test;
      const litmus::LitmusTest test = read(row);
      const std::vector<litmus::Observable> observed = test.observed();
      bool reached = false;
      for (const litmus::Outcome& outcome : tests::all_executions(test, oracle->second).outcomes) {
        reached = reached || litmus::holds(test.condition.proposition, [&](const litmus::Observable& item) {
                    const auto at = std::find(observed.begin(), observed.end(), item);
                    return outcome[static_cast<std::size_t>(at - observed.begin())];
                  });
      }
      EXPECT_EQ(reached ? "allowed" : "forbidden", row.verdict) << row.test << " by " << name;
      ++asked;
    }
  }
  EXPECT_GE(asked, 50u);
}

}  // namespace
}  // namespace weakspot::model::verdict_tables_test
