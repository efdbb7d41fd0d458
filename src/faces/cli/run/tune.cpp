// SPDX-License-Identifier: MIT
#include "workbench/tune.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/plural.h"
#include "campaign/summary.h"
#include "cli/command/commands.h"
#include "cli/command/shared_options.h"
#include "cli/display/ticker.h"
#include "console/interrupt.h"

namespace weakspot::cli {
namespace {

using campaign::rate_text;
using campaign::TunedTest;

struct Tune {
  workbench::TuneRequest request;
  std::string strategy = "adaptive";
  bool json = false, no_isolation = false;

  int run() {
    if (base::Status read = read_options(); !read) return fail(read.errors());
    request.rates.started = now_text();
    request.rates.stop = InterruptGuard::flag();
    const InterruptGuard guard;
    const std::unique_ptr<campaign::Executor> executor = make_executor(no_isolation);
    Ticker ticker(JobProgress("tune"));
    const base::Result<workbench::TunedResult> result = workbench::tune(request, *executor, ticker);
    ticker.clear();
    if (!result) return fail(result.errors());
    json ? print_output(workbench::to_json(*result)) : print_results(text_of(*result));
    if (result->journal_was_torn) {
      print_error(
          fmt::format("note: the last line of {}.journal was not complete and has been dropped\n", request.out));
    }
    if (!json && result->replayed != 0) {
      print_error(fmt::format("{} of {} came from {}.journal\n", result->replayed,
                              base::counted(result->search.slices, "slice"), request.out));
    }
    print_errors(result->problems);
    return exit_code_of(result->ending);
  }

 private:
  base::Status read_options() {
    const auto named = campaign::strategy_named(strategy);
    if (!named) {
      return base::error(fmt::format("unknown strategy '{}'; expected random, peeking or adaptive{}", strategy,
                                     base::did_you_mean(strategy, {"random", "peeking", "adaptive"})));
    }
    request.strategy = *named;
    return base::ok_status();
  }

  static std::string text_of(const workbench::TunedResult& result) {
    std::size_t width = 0;
    for (const std::string& name : result.names) width = std::max(width, name.size());
    for (const campaign::UnobservableTest& one : result.unobservable) width = std::max(width, one.test.size());
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < result.search.tests.size(); ++i) {
      const std::string name = fmt::format("{:<{}}{}", result.names[i], width, model_column(result.models[i]));
      const TunedTest& test = result.search.tests[i];
      if (!test.best) {
        text += fmt::format("failed  {}  {}\n", name, test.problem);
        continue;
      }
      const stats::Rate rate = test.best->sum.rate();
      shown += rate.value > 0 ? 1 : 0;
      text +=
          fmt::format("{}  {}  {} ({} to {}), {} tried{}  [{}]\n", rate.value > 0 ? "found " : "never ", name,
                      rate_text(rate.value), rate_text(rate.interval.low), rate_text(rate.interval.high), test.tried,
                      test.is_stable.value_or(true) ? "" : ", UNSTABLE", codegen::to_text(*result.best[i]));
    }
    for (const campaign::UnobservableTest& one : result.unobservable) {
      text += fmt::format("-       {:<{}}  {}\n", one.test, width, one.reason);
    }
    return text + fmt::format("\n{} of {} shown on {}, {}: {:.1f} s of device time, {}\n", shown,
                              base::counted(result.search.tests.size(), "test"), result.device, result.device_name,
                              result.search.seconds, base::counted(result.search.slices, "slice"));
  }
};

}  // namespace

void add_tune(Command& app, int& exit_code) {
  auto options = std::make_shared<Tune>();
  workbench::TuneRequest& request = options->request;
  Command* command = app.add_subcommand("tune", "Search for the environments that show tests' outcomes most often");
  add_rate_options(*command, request.rates);
  add_isolation_option(*command, options->no_isolation);
  command->add_option("--strategy NAME", options->strategy, "random, peeking or adaptive (default adaptive)");
  command
      ->add_option("--budget TIME", request.budget,
                   "device time for all tests together, such as 500ms, 60s or 5min (default 60s)")
      ->as_time();
  add_seed_option(*command, request.seed);
  command
      ->add_option("--evaluation TIME", request.evaluation,
                   "device time that random search gives an environment (default 20ms; 1s with recorded:FILE)")
      ->as_time();
  command
      ->add_option("--start ENV", request.starts,
                   "environments to try first: a file, or as 'run --env' takes them; may be repeated (default: those "
                   "of the device's suite, and the sweep)")
      ->repeatable();
  command->add_flag("--scratch", request.scratch, "do not begin with environments that are known to be good");
  command->add_option("--out FILE", request.out,
                      "write the result as JSON; FILE.journal beside it makes the search resumable");
  add_store_option(*command, request.store, "the result");
  command->add_flag("--json", options->json, "print the result as JSON");
  command->footer(
      "If a search with --out was killed, the same command continues it.\n\nExamples:\n"
      "  weakspot tune mc-mutants --budget 60s --out tuned.json\n"
      "  weakspot tune MP SB --device cpu --strategy peeking --budget 10s");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
