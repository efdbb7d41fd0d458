// SPDX-License-Identifier: MIT
// Compares the cost of an explanation with that of its verdict. Each pair judges the same tests of the corpus, alone
// and with the whole explanation as `check --explain` prints it. The target is at most ten times the verdict.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "litmus/dialect.h"
#include "model/explain.h"
#include "model/library.h"
#include "questions/fences.h"

namespace {

using namespace weakspot;
using model::Verdict;

std::vector<litmus::LitmusTest> tests_with(const model::Model& model, Verdict::Reach reach) {
  const base::Result<std::vector<litmus::LitmusTest>> all =
      litmus::read_test_file((base::data_directory("corpus") / "classic" / "@all").string());
  WEAKSPOT_CHECK(all.ok());
  std::vector<litmus::LitmusTest> chosen;
  for (const litmus::LitmusTest& test : *all) {
    if (model::judge(test, model, {.condition_only = true}).reach == reach) chosen.push_back(test);
  }
  return chosen;
}

enum Part : int { verdict, reason, missing };

void explain(benchmark::State& state, const std::string& name, Verdict::Reach reach) {
  const base::Result<model::Model> loaded = model::load_model(name);
  WEAKSPOT_CHECK(loaded.ok());
  const std::vector<litmus::LitmusTest> tests = tests_with(*loaded, reach);
  const auto part = static_cast<Part>(state.range(0));
  model::BatchJudge judge(*loaded);
  std::int64_t judged = 0;
  for (auto _ : state) {
    for (const litmus::LitmusTest& test : tests) {
      const Verdict found = judge.judge(test, {.explain = part != Part::verdict});
      if (part != Part::verdict) benchmark::DoNotOptimize(model::explain_verdict(found, *loaded));
      if (part == Part::missing) benchmark::DoNotOptimize(questions::explain_allowed(test, *loaded, found, {}));
    }
    judged += static_cast<std::int64_t>(tests.size());
  }
  state.SetItemsProcessed(judged);
}

void forbidden(benchmark::State& state, const std::string& name) { explain(state, name, Verdict::Reach::forbidden); }
void allowed(benchmark::State& state, const std::string& name) { explain(state, name, Verdict::Reach::allowed); }

#define WEAKSPOT_MODEL(NAME)                                                                                       \
  BENCHMARK_CAPTURE(forbidden, NAME, #NAME)->Arg(Part::verdict)->Arg(Part::reason)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(allowed, NAME, #NAME)                                                                          \
      ->Arg(Part::verdict)                                                                                         \
      ->Arg(Part::reason)                                                                                          \
      ->Arg(Part::missing)                                                                                         \
      ->Unit(benchmark::kMillisecond)

WEAKSPOT_MODEL(sc);
WEAKSPOT_MODEL(tso);
WEAKSPOT_MODEL(c11);
WEAKSPOT_MODEL(ptx);
WEAKSPOT_MODEL(vulkan);
WEAKSPOT_MODEL(aarch64);

}  // namespace
