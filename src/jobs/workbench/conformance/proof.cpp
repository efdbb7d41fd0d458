// SPDX-License-Identifier: MIT
#include "workbench/conformance/proof.h"

#include <fmt/format.h>

#include "gen/mutate.h"
#include "litmus/dialect.h"
#include "litmus/text.h"
#include "model/reason.h"

namespace weakspot::workbench {
namespace {

constexpr std::chrono::milliseconds kPatience{20'000};

// The outcome as the condition of the test.
litmus::LitmusTest ending_in(litmus::LitmusTest test, const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = test.observed();
  std::vector<litmus::Proposition> parts;
  for (std::size_t i = 0; i < observed.size(); ++i) parts.push_back(litmus::equals(observed[i], outcome[i]));
  test.also_observed = observed;
  test.condition = {litmus::Condition::Quantifier::exists, litmus::all_of(std::move(parts))};
  return test;
}

class Prover {
 public:
  Prover(const questions::Platform& device, std::string model, model::BatchJudge& judge)
      : device_(device), model_(std::move(model)), judge_(judge) {}

  base::Result<std::vector<ProvedTest>> run(const litmus::LitmusTest& test) {
    const litmus::LitmusTest form = questions::form_for_model(test, &device_, model_);
    const model::Verdict verdict = ask(form, false);
    if (const base::Status accepted = accept(test, verdict); !accepted) return accepted.errors();
    base::Result<codegen::SuiteProgram> program = codegen::make_suite_program(test, device_.target, verdict.outcomes);
    if (!program) return program.errors();
    ProvedTest proved{test.name, {}, model_, {}, *std::move(program), {}, {}};
    for (const litmus::Outcome& outcome : proved.program.outcomes) {
      ProvedOutcome& fact = proved.outcomes.emplace_back();
      fact.text = litmus::outcome_text(test, outcome);
      fact.allowed = verdict.outcomes.contains(outcome);
      if (!fact.allowed) fact.check = failed_check(form, outcome);
    }
    if (const base::Status printed = print(test, proved); !printed) return printed.errors();
    std::vector<ProvedTest> all = {std::move(proved)};
    if (const base::Status added = add_mutants(test, verdict.outcomes, all); !added) return added.errors();
    return all;
  }

 private:
  model::Verdict ask(const litmus::LitmusTest& form, bool explain) {
    model::JudgeOptions options;
    options.limits.time = kPatience;
    options.explain = explain;
    return judge_.judge(form, options);
  }

  // A proof needs every execution, none with a data race, and a condition that none of them reaches.
  base::Status accept(const litmus::LitmusTest& test, const model::Verdict& verdict) const {
    auto refuse = [&](const std::string& reason) { return base::error(fmt::format("{}: {}", test.name, reason)); };
    if (!verdict.flags.empty()) {
      return refuse(fmt::format("not a conformance test: {} raises '{}', and any outcome may be allowed", model_,
                                verdict.flags.front()));
    }
    if (!verdict.complete) return refuse(fmt::format("{} cannot judge all executions: {}", model_, verdict.reason));
    if (verdict.reach != model::Verdict::Reach::forbidden) {
      return refuse(fmt::format("not a conformance test: {} allows its condition", model_));
    }
    return base::ok_status();
  }

  std::string failed_check(const litmus::LitmusTest& form, const litmus::Outcome& outcome) {
    const litmus::LitmusTest asked = ending_in(form, outcome);
    const model::Verdict verdict = ask(asked, true);
    if (!verdict.counterexample) return {};
    return model::find_reason(*verdict.counterexample, judge_.model()).check;
  }

  static base::Status print(const litmus::LitmusTest& test, ProvedTest& proved) {
    base::Result<std::string> text = litmus::print(test, litmus::Dialect::canonical);
    if (!text) return text.errors();
    proved.text = *std::move(text);
    return base::ok_status();
  }

  base::Status add_mutants(const litmus::LitmusTest& test, const litmus::OutcomeSet& allowed,
                           std::vector<ProvedTest>& all) {
    gen::MutateOptions options;
    // A split location would change what the test observes, and with it the check.
    options.words = {"swap", "scope", "order", "fence"};
    options.allowed = [&](const litmus::LitmusTest& mutant) {
      return ask(questions::form_for_model(mutant, &device_, model_), false).reach == model::Verdict::Reach::allowed;
    };
    for (const litmus::LitmusTest& mutant : gen::mutate(test, options)) {
      base::Result<codegen::SuiteProgram> program = codegen::make_suite_program(mutant, device_.target, allowed);
      if (!program) continue;
      ProvedTest proved{mutant.name,
                        {},
                        model_,
                        all.front().outcomes,
                        *std::move(program),
                        test.name,
                        gen::info_of(mutant, "Edge").value_or("")};
      if (proved.program.outcomes != all.front().program.outcomes) continue;
      if (base::Status printed = print(mutant, proved); !printed) return printed;
      all.push_back(std::move(proved));
    }
    return base::ok_status();
  }

  const questions::Platform& device_;
  const std::string model_;
  model::BatchJudge& judge_;
};

}  // namespace

base::Result<std::vector<ProvedTest>> prove(const litmus::LitmusTest& test, const questions::Platform& device,
                                            model::ModelShelf& shelf) {
  const std::string model = questions::judging_model(test, &device, "");
  const base::Result<model::BatchJudge*> judge = shelf.get(model);
  if (!judge) return judge.errors();
  return Prover(device, model, **judge).run(test);
}

}  // namespace weakspot::workbench
