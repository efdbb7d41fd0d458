// SPDX-License-Identifier: MIT
#include "python/judge.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/foreign_words.h"
#include "model/library.h"

namespace weakspot::python {
namespace {

template <typename T>
T value_or_mistake(base::Result<T> result) {
  if (!result) throw Mistake{base::render(result.errors())};
  return *std::move(result);
}

}  // namespace

std::vector<litmus::LitmusTest> read_text(const std::string& text, const std::string& file) {
  return value_or_mistake(litmus::read_tests(base::Source(file, text)));
}

std::vector<litmus::LitmusTest> read_path(const std::string& path) {
  return value_or_mistake(litmus::read_test_file(path));
}

std::string text_of(const litmus::LitmusTest& test, const std::string& dialect) {
  if (dialect.empty()) return value_or_mistake(litmus::print(test, litmus::dialect_of(test.arch)));
  const std::optional<litmus::Dialect> wanted = litmus::dialect_named(dialect);
  if (!wanted) throw Mistake{fmt::format("error: there is no dialect '{}'\n", dialect)};
  return value_or_mistake(litmus::print(test, *wanted));
}

std::string hash_text(const litmus::LitmusTest& test) { return litmus::hash_of(test).hex(); }

Judge::Judge(const std::string& model) : name_(model) { judge_.emplace(value_or_mistake(model::load_model(model))); }

Answer Judge::check(const litmus::LitmusTest& test, const Effort& effort) {
  const std::lock_guard alone(one_at_a_time_);
  if (const auto word = model::foreign_word(judge_->model(), test)) {
    throw Mistake{fmt::format("error: {}: {}\n", test.name, word->why)};
  }
  model::JudgeOptions options;
  options.limits.time = std::chrono::milliseconds(static_cast<std::int64_t>(effort.seconds * 1000));
  options.limits.memory = effort.memory;
  options.limits.unroll = effort.unroll;
  options.condition_only = effort.condition_only;
  const model::Verdict verdict = judge_->judge(test, options);
  Answer answer;
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
