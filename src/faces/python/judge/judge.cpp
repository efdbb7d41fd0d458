// SPDX-License-Identifier: MIT
#include "python/judge/judge.h"

#include <fmt/format.h>

#include <filesystem>
#include <iterator>

#include "base/hash.h"
#include "base/source.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/foreign_words.h"
#include "model/library.h"
#include "questions/corpus_names.h"

namespace weakspot::python {
namespace {

// The errors as text, without the last line's end.
Mistake mistake_of(const base::Diagnostics& errors) {
  std::string text = base::render(errors);
  text.erase(text.find_last_not_of('\n') + 1);
  return {std::move(text)};
}

template <typename T>
T value_or_mistake(base::Result<T> result) {
  if (!result) throw mistake_of(result.errors());
  return *std::move(result);
}

}  // namespace

std::vector<litmus::LitmusTest> read_text(const std::string& text, const std::string& file) {
  return value_or_mistake(litmus::read_tests(base::Source(file, text)));
}

std::vector<litmus::LitmusTest> read_path(const std::string& path) {
  return value_or_mistake(litmus::read_test_file(path));
}

std::vector<litmus::LitmusTest> find_named(const std::string& name) {
  std::vector<litmus::LitmusTest> all;
  for (const std::string& path : value_or_mistake(
           questions::files_named(name, questions::carried_files(), "file, folder or test of the corpus"))) {
    std::vector<litmus::LitmusTest> tests =
        value_or_mistake(litmus::read_tests(value_or_mistake(questions::carried_source(path))));
    all.insert(all.end(), std::move_iterator(tests.begin()), std::move_iterator(tests.end()));
  }
  return all;
}

std::vector<litmus::LitmusTest> tests_of(const std::string& words) {
  if (questions::is_test_text(words)) return read_text(words, "test");
  std::error_code code;
  if (std::filesystem::is_regular_file(words, code)) return read_path(words);
  return find_named(words);
}

std::string text_of(const litmus::LitmusTest& test, const std::string& dialect) {
  if (dialect.empty()) return value_or_mistake(litmus::print(test, litmus::dialect_of(test.arch)));
  const std::optional<litmus::Dialect> wanted = litmus::dialect_named(dialect);
  if (!wanted) throw Mistake{fmt::format("error: there is no dialect '{}'", dialect)};
  return value_or_mistake(litmus::print(test, *wanted));
}

std::string hash_text(const litmus::LitmusTest& test) { return litmus::hash_of(test).hex(); }

Judge::Judge(const std::string& model) : name_(model) { judge_.emplace(value_or_mistake(model::load_model(model))); }

Answer Judge::check(const litmus::LitmusTest& test, const Effort& effort) {
  const std::lock_guard alone(one_at_a_time_);
  Answer answer;
  if (const auto word = model::foreign_word(judge_->model(), test)) {
    answer.verdict = "refused";
    answer.reason = word->why();
    return answer;
  }
  model::JudgeOptions options;
  options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(effort.seconds * 1000));
  options.limits.memory = effort.memory;
  options.limits.unroll = effort.unroll;
  options.condition_only = effort.condition_only;
  const model::Verdict verdict = judge_->judge(test, options);
  answer.verdict = to_string(verdict.reach);
  answer.condition = to_string(verdict.condition);
  answer.reason = verdict.reason;
  for (const litmus::Observable& observable : test.observed()) answer.observed.push_back(test.name_of(observable));
  const litmus::OutcomeReader reader(test);
  for (const litmus::Outcome& outcome : verdict.outcomes) {
    answer.outcomes.push_back(outcome);
    answer.satisfying.push_back(reader.satisfies(outcome));
  }
  answer.flags = verdict.flags;
  answer.executions = verdict.executions;
  answer.seconds = verdict.seconds;
  return answer;
}

}  // namespace weakspot::python
