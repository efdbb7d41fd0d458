// SPDX-License-Identifier: MIT
#include "workbench/score.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/run_text.h"
#include "cli/display/ticker.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::Change;
using campaign::rate_text;

struct ScoreCommand {
  workbench::ScoreRequest request;
  bool json = false, brief = false, verbose = false, no_isolation = false;

  int run() {
    request.rates.started = now_text();
    request.rates.stop = InterruptGuard::flag();
    request.now = now_text;
    const InterruptGuard guard;
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    Ticker ticker(JobProgress("score"));
    const base::Result<workbench::ScoreResult> result = workbench::score(request, *executor, ticker);
    ticker.clear();
    if (!result) return fail(result.errors());
    json ? print_output(campaign::to_json(result->score)) : print_results(text_of(result->score));
    if (result->comparison) (json ? print_error : print_results)(text_of(*result->comparison, *result->before));
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  std::string text_of(const campaign::Score& score) const {
    std::size_t width = 0;
    for (const campaign::ScoredMutant& mutant : score.mutants) width = std::max(width, mutant.test.size());
    for (const campaign::UnobservableTest& one : score.unobservable) width = std::max(width, one.test.size());
    std::string text;
    campaign::EnvironmentNames names;
    for (const campaign::ScoredMutant& mutant : score.mutants) {
      if (brief) break;
      const stats::Rate rate = mutant.slice.rate();
      text += fmt::format("{}  {:<{}}{}  {}", mutant.slice.kills > 0 ? "killed" : "alive ", mutant.test, width,
                          model_column(mutant.model), rate_text(rate.value));
      if (mutant.slice.seconds > 0) {
        text += fmt::format(" ({} to {})  [{}]", rate_text(rate.interval.low), rate_text(rate.interval.high),
                            names.name(mutant.environment));
      }
      if (!mutant.slice.problem.empty()) text += fmt::format("  ({})", mutant.slice.problem);
      text += "\n";
    }
    for (const campaign::UnobservableTest& one : score.unobservable) {
      if (!brief) text += fmt::format("-       {:<{}}  {}\n", one.test, width, one.reason);
    }
    if (!brief) text += "\n";
    for (const campaign::MutatorScore& row : campaign::by_mutator(score)) {
      text += fmt::format("{:<20} {} of {} killed, {} on average\n", row.mutator, row.killed, row.mutants,
                          rate_text(row.mean_death_rate));
    }
    text +=
        fmt::format("mutation score {:.2f} % on {}, {}: {} of {} killed in {}, {} on average",
                    100 * score.mutation_score(), score.device, score.device_name, score.killed(), score.mutants.size(),
                    base::counted(score.environments, "environment"), rate_text(score.mean_death_rate()));
    if (!score.unobservable.empty()) {
      text += fmt::format("; {} cannot be seen on this device and {} not count", score.unobservable.size(),
                          base::plural(score.unobservable.size(), "does", "do"));
    }
    return text + "\n" + environment_legend(names, verbose);
  }

  std::string text_of(const campaign::ScoreComparison& comparison, const campaign::Score& before) const {
    std::string text = fmt::format("\nagainst {}:\n", request.against);
    std::size_t same = 0;
    for (const campaign::MutantChange& change : comparison.mutants) {
      if (change.change == Change::same) {
        ++same;
        continue;
      }
      text += fmt::format("{:<8}  {}  {} before, {} now", to_string(change.change), change.test,
                          rate_text(change.before), rate_text(change.now));
      if (change.change != Change::missing && change.change != Change::gained) {
        text += fmt::format(", {:.3g} to {:.3g} times as often", change.ratio.low, change.ratio.high);
      }
      text += "\n";
    }
    if (comparison.is_weaker_together) {
      text += fmt::format("weaker    all together, {:.3g} to {:.3g} times as often\n", comparison.together.low,
                          comparison.together.high);
    }
    if (comparison.most_are_slower) {
      text += fmt::format("weaker    most of them, {:.3g} % and more\n", 100 * comparison.slower.low);
    }
    text += fmt::format("{}: {} of {} as before", comparison.is_weaker() ? "WEAKER" : "not weaker", same,
                        base::counted(before.mutants.size(), "mutant"));
    return text + (comparison.mean_ratio
                       ? fmt::format("; killed {:.3g} times as often on average\n", *comparison.mean_ratio)
                       : "; none was killed, before or now\n");
  }
};

}  // namespace

void add_score(Command& app, int& exit_code) {
  auto options = std::make_shared<ScoreCommand>();
  workbench::ScoreRequest& request = options->request;
  Command* command = app.add_subcommand("score", "Measure which mutants die and how fast, and compare with before");
  add_rate_options(*command, request.rates);
  add_isolation_option(*command, options->no_isolation);
  command
      ->add_option("--environments ENV", request.environments,
                   "a file that tune or 'conform --save-suite' wrote, a file of lines, an environment as 'run --env' "
                   "takes it, or 'sweep'; may be repeated (default: sweep)")
      ->repeatable();
  command
      ->add_option("--seconds TIME", request.seconds,
                   "device time per mutant and environment, such as 10ms or 1s (default 10ms)")
      ->as_time();
  add_seed_option(*command, request.seed);
  command->add_option("--out FILE", request.out, "write the score as JSON, for --against");
  add_store_option(*command, request.store, "the score");
  command->add_option("--against FILE", request.against,
                      "compare with this score: exit code 1 if the mutants die less often now");
  command
      ->add_option("--confidence P", request.compare.confidence,
                   "confidence of the comparison, 0.5 to 0.999999 (default 0.99)")
      ->range(0.5, 0.999999);
  command
      ->add_option("--tolerance PART", request.compare.tolerance,
                   "a rate counts as lower below this part of the old one, 0.01 to 1 (default 0.5)")
      ->range(0.01, 1.0);
  command->add_flag("--brief", options->brief, "print the summary alone");
  add_verbose_option(*command, options->verbose);
  command->add_flag("--json", options->json, "print the score as JSON");
  command->footer(
      "Exit codes: 1 the suite got weaker, 2 bad usage or input, 3 a device failed.\n\nExamples:\n"
      "  weakspot score --device cpu --out score.json\n"
      "  weakspot score --device cpu --environments tuned.json --against score.json");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
