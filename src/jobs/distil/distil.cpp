// SPDX-License-Identifier: MIT
#include "distil/distil.h"

#include <fmt/format.h>

#include <algorithm>

#include "distil/story/proxy.h"
#include "distil/story/story.h"
#include "model/judge.h"
#include "questions/fences.h"

namespace weakspot::distil {
namespace {

using Reach = model::Verdict::Reach;

constexpr std::chrono::milliseconds kTime{20'000};  // for the repair of one test

litmus::LitmusTest named(litmus::LitmusTest test, const std::string& name, const std::string& model_name, Reach reach) {
  test.name = name;
  if (reach == Reach::allowed) test.expectations = {{model_name, litmus::Expectation::allowed}};
  if (reach == Reach::forbidden) test.expectations = {{model_name, litmus::Expectation::forbidden}};
  return test;
}

// The place in the source of the instruction that is changed, or that the new one stands before.
const race::Place& source_of(const questions::Place& place, const race::Witness& witness) {
  const std::vector<race::WitnessStep>& steps = witness.threads[place.thread.index].steps;
  return steps[std::min<std::size_t>(place.instruction, steps.size() - 1)].place;
}

void repair(Pair& pair, const race::Finding& finding, const std::string& name, const model::Model& model,
            const std::string& model_name) {
  questions::FencesOptions options;
  options.quick = true;
  options.known = true;
  options.barriers = false;  // the kernel has more threads than the test
  options.limits.time = kTime;
  const questions::Fences fences = questions::find_fences(*pair.test, model, options);
  if (fences.ways.empty()) {
    pair.summary.problem = fences.complete ? "no stronger orders, scopes and fences forbid the outcome"
                                           : "the search for a repair was not complete: " + fences.reason;
    pair.summary.disagrees = fences.complete;
    return;
  }
  const questions::Way& way = fences.ways.front();
  const questions::ChangeTexts text(*pair.test, fences.places);
  for (const questions::Change& change : way.changes) {
    const race::Place& source = source_of(fences.places[change.place], *finding.witness);
    pair.summary.repair.push_back(fmt::format("{} at {}", text(change), race::place_text(source)));
  }
  const Reach reach = model::judge(way.test, model, {.condition_only = true}).reach;
  pair.summary.repaired_verdict = model::to_string(reach);
  pair.repaired = named(way.test, name + "+fixed", model_name, reach);
  pair.repaired->info.emplace_back("Repair", fmt::format("{}", fmt::join(pair.summary.repair, "; ")));
  if (reach == Reach::forbidden) return;
  pair.summary.problem = "the repaired test is not forbidden";
  pair.summary.disagrees = true;
}

// A missing proxy fence has one repair.
Pair distil_proxy(const race::Finding& finding, const std::string& name, const model::Model& model,
                  const std::string& model_name) {
  Pair pair;
  pair.summary.model = model_name;
  base::Result<litmus::LitmusTest> test = proxy_test(finding, name, false);
  base::Result<litmus::LitmusTest> fixed = proxy_test(finding, name + "+fixed", true);
  if (!test || !fixed) {
    pair.summary.problem = (test ? fixed : test).errors().front().message;
    return pair;
  }
  const Reach reach = model::judge(*test, model, {.condition_only = true}).reach;
  const Reach after = model::judge(*fixed, model, {.condition_only = true}).reach;
  pair.summary.verdict = model::to_string(reach);
  pair.summary.repaired_verdict = model::to_string(after);
  pair.summary.repair = {proxy_repair(finding)};
  pair.test = named(*std::move(test), name, model_name, reach);
  pair.repaired = named(*std::move(fixed), name + "+fixed", model_name, after);
  pair.repaired->info.emplace_back("Repair", pair.summary.repair.front());
  pair.summary.disagrees = reach != Reach::allowed || after != Reach::forbidden;
  if (pair.summary.disagrees) {
    pair.summary.problem = fmt::format("{} does not take the fence for what is missing", model_name);
  }
  return pair;
}

}  // namespace

std::optional<Pair> distil(const race::Finding& finding, const std::string& name, const model::Model& model,
                           const std::string& model_name) {
  if (is_missing_proxy_fence(finding)) return distil_proxy(finding, name, model, model_name);
  if (!is_about_order(finding)) return std::nullopt;
  Pair pair;
  pair.summary.model = model_name;
  base::Result<litmus::LitmusTest> test = story_test(finding, name);
  if (!test) {
    pair.summary.problem = test.errors().front().message;
    return pair;
  }
  const model::Verdict verdict = model::judge(*test, model, {.condition_only = true});
  pair.summary.verdict = model::to_string(verdict.reach);
  pair.test = named(*std::move(test), name, model_name, verdict.reach);
  if (verdict.reach == Reach::allowed) {
    repair(pair, finding, name, model, model_name);
  } else {
    pair.summary.disagrees = verdict.reach == Reach::forbidden;
    pair.summary.problem = pair.summary.disagrees
                               ? fmt::format("{} forbids the outcome: the detector or the model is wrong", model_name)
                               : fmt::format("{} cannot tell: {}", model_name, verdict.reason);
  }
  return pair;
}

}  // namespace weakspot::distil
