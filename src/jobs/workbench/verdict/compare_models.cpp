// SPDX-License-Identifier: MIT
#include "workbench/compare_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "litmus/instruction.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/reason.h"
#include "questions/expected_outcomes.h"
#include "questions/make_tests.h"
#include "workbench/corpus.h"

namespace weakspot::workbench {
namespace {

using Reach = model::Verdict::Reach;

// Small tests tell more: fewer threads first, then fewer instructions.
std::size_t size_of(const litmus::LitmusTest& test) {
  std::size_t instructions = 0;
  for (const litmus::Thread& thread : test.threads) instructions += thread.instructions.size();
  return 100 * test.threads.size() + instructions;
}

model::JudgeOptions judge_options(bool explain) {
  model::JudgeOptions options;
  options.condition_only = true;
  options.explain = explain;
  options.limits.time = std::chrono::seconds(10);
  options.limits.memory = questions::LimitsPerTest{}.memory;
  return options;
}

// Judges tests by both models, and keeps those that tell them apart.
class ModelPair {
 public:
  ModelPair(const model::Model& first, const model::Model& second) : first_(first), second_(second) {}

  void compare(litmus::LitmusTest test, const std::string& file) {
    const Reach a = reach_of(first_, test), b = reach_of(second_, test);
    if (a == Reach::unknown || b == Reach::unknown) {
      ++result_.unknown;
    } else if (a == b) {
      ++result_.agreed;
    } else {
      DifferenceCause cause = cause_of(test, a == Reach::allowed);
      result_.differences.push_back({{std::move(test), file}, std::move(cause)});
    }
  }

  CompareModelsResult take() {
    sort_by_size();
    std::map<DifferenceCause, CauseCount> causes;
    for (std::size_t i = 0; i < result_.differences.size(); ++i) {
      const DifferenceCause& cause = result_.differences[i].cause;
      ++causes.try_emplace(cause, CauseCount{cause, 0, i}).first->second.tests;
    }
    std::multimap<std::size_t, CauseCount, std::greater<>> by_count;
    for (auto& [cause, count] : causes) by_count.emplace(count.tests, count);
    for (auto& entry : by_count) result_.causes.push_back(std::move(entry.second));
    return std::move(result_);
  }

 private:
  static Reach reach_of(model::BatchJudge& judge, const litmus::LitmusTest& test) {
    if (model::foreign_word(judge.model(), test)) return Reach::unknown;
    return judge.judge(test, judge_options(false)).reach;
  }

  // An execution that one model allows, and the first check of the other that it fails.
  DifferenceCause cause_of(const litmus::LitmusTest& test, bool first_allows) {
    DifferenceCause cause{first_allows, {}, {}};
    const model::Verdict verdict = (first_allows ? first_ : second_).judge(test, judge_options(true));
    if (!verdict.witness) return cause;
    model::Limits limits;
    limits.time = std::chrono::seconds(1);
    const model::Reason reason =
        model::find_reason(*verdict.witness, (first_allows ? second_ : first_).model(), limits);
    cause.check = reason.check;
    std::set<std::string> relations;
    for (const model::ReasonStep& step : reason.steps) relations.insert(step.relation);
    cause.relations.assign(relations.begin(), relations.end());
    return cause;
  }

  // Tests of one size stay in the order in which they came.
  void sort_by_size() {
    std::multimap<std::size_t, ModelDifference> by_size;
    for (ModelDifference& difference : result_.differences) {
      const std::size_t size = size_of(difference.input.test);
      by_size.emplace(size, std::move(difference));
    }
    result_.differences.clear();
    for (auto& entry : by_size) result_.differences.push_back(std::move(entry.second));
  }

  model::BatchJudge first_, second_;
  CompareModelsResult result_;
};

// Searches cycles of the edges that most models speak of: program order, sc fences, dependencies, releases and
// acquires.
questions::GenerateRequest enumeration(const CompareModelsRequest& request) {
  questions::GenerateRequest generate;
  generate.config_file = request.config_file;
  if (request.config_file.empty()) {
    generate.settings = {{"edges", "Rfe Fre Coe Pod** Pos** Fence.scd** DpAddrd* DpDatadW DpCtrldW"},
                         {"annotations", "- acq/rel"},
                         {"mixed-annotations", "yes"}};
  }
  if (request.events > 0) generate.settings.emplace_back("size", fmt::format("2..{}", request.events));
  return generate;
}

}  // namespace

base::Result<CompareModelsResult> compare_models(const CompareModelsRequest& request) {
  const base::Result<model::Model> first = model::load_model(request.first);
  if (!first) return first.errors();
  const base::Result<model::Model> second = model::load_model(request.second);
  if (!second) return second.errors();
  ModelPair pair(*first, *second);
  base::Diagnostics errors;
  if (request.events > 0 || !request.config_file.empty()) {
    base::Result<questions::GenerateResult> made =
        questions::generate_tests(enumeration(request), [&](const litmus::LitmusTest& test) {
          pair.compare(test, "");
          return true;
        });
    if (!made) return made.errors();
    errors = made->errors;
  } else {
    errors =
        for_each_test(request.tests.empty() ? corpus_files() : request.tests,
                      [&](litmus::LitmusTest&& test, const std::string& file) { pair.compare(std::move(test), file); });
  }
  CompareModelsResult result = pair.take();
  result.errors = std::move(errors);
  return result;
}

}  // namespace weakspot::workbench
