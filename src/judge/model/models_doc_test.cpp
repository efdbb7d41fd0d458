// SPDX-License-Identifier: MIT
// docs/models.md must be true: the verdicts in its tables, and those that its examples expect, are computed again.
//
// A table of verdicts has `test` over its first column and models over the others. A row names tests of the corpus.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/source.h"
#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/page.h"

namespace weakspot::model::models_doc_test {
namespace {

std::string trimmed(const std::string& text, const char* around = " `") {
  const std::size_t first = text.find_first_not_of(around);
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(around) + 1 - first);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(trimmed(part));
  return parts;
}

// "forbidden", or "allowed, race" where the model raises a flag.
std::string answer(const litmus::LitmusTest& test, const std::string& name) {
  const base::Result<Model> model = load_model(name);
  if (!model) return base::render(model.errors());
  const Verdict verdict = judge(test, *model);
  const char* word = verdict.reach == Verdict::Reach::allowed ? "allowed" : "forbidden";
  return std::string(verdict.reach == Verdict::Reach::unknown ? "unknown" : word) +
         (verdict.flags.empty() ? "" : ", race");
}

litmus::LitmusTest from_corpus(const std::string& name) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(base::data_directory("corpus"))) {
    if (entry.path().filename() != name + ".litmus") continue;
    base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_test_file(entry.path().string());
    if (tests) return std::move(tests->front());
  }
  ADD_FAILURE() << "the corpus has no " << name;
  return {};
}

TEST(ModelsPage, TablesHaveOurVerdicts) {
  std::istringstream lines(tests::page_of_docs("models.md"));
  std::vector<std::string> models;
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells = line.starts_with("| ") ? split(line.substr(1), '|') : std::vector<std::string>();
    if (cells.empty()) {
      if (!line.starts_with("|---")) models.clear();
    } else if (cells[0] == "test") {
      models.assign(cells.begin() + 1, cells.end());
    } else if (!models.empty()) {
      for (const std::string& name : split(cells[0], ',')) {
        const litmus::LitmusTest test = from_corpus(name);
        for (std::size_t i = 0; i < models.size(); ++i, ++compared) {
          EXPECT_EQ(answer(test, models[i]), cells[i + 1]) << name << " by " << models[i];
        }
      }
    }
  }
  EXPECT_GE(compared, 20u);
}

TEST(ModelsPage, ExamplesHaveTheVerdictsTheyExpect) {
  const std::string text = tests::page_of_docs("models.md");
  const std::string opening = "\n```litmus\n";
  std::size_t examples = 0;
  for (std::size_t at = 0; (at = text.find(opening, at)) != std::string::npos; ++examples) {
    at += opening.size();
    base::Result<std::vector<litmus::LitmusTest>> tests =
        litmus::read_tests(base::Source("models.md", text.substr(at, text.find("\n```", at) + 1 - at)));
    ASSERT_TRUE(tests.ok()) << base::render(tests.errors());
    EXPECT_FALSE(tests->front().expectations.empty());
    for (const auto& [model, expected] : tests->front().expectations) {
      const std::string word = expected == litmus::Expectation::allowed ? "allowed" : "forbidden";
      EXPECT_EQ(answer(tests->front(), model).substr(0, word.size()), word) << tests->front().name << " by " << model;
    }
  }
  EXPECT_GE(examples, 2u);
}

}  // namespace
}  // namespace weakspot::model::models_doc_test
