#include "campaign/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "campaign/summary.h"
#include "campaign/tune_journal.h"
#include "cli/commands.h"
#include "cli/duration.h"
#include "cli/interrupt.h"
#include "cli/rate_source.h"
#include "cli/ticker.h"

namespace weakspot::cli {
namespace {

using Json = nlohmann::ordered_json;
using campaign::rate_text;
using campaign::TunedTest;

// By how much the rate of a device differs from one short slice to the next.
constexpr double kDeviceJitter = 0.05;
// Slices that tell whether what was found stays as it is; from 41 on they can.
constexpr std::size_t kStabilityChecks = 60;

struct Tune {
  RateSourceOptions source_options;
  campaign::TuneOptions options;
  std::string strategy = "adaptive", budget = "60s", evaluation, out;
  std::vector<std::string> starts;
  bool scratch = false, as_json = false;

  int run() {
    if (int code = read_options(); code != kFine) return code;
    if (base::Status writable = can_write(out); !writable) return fail(writable.errors(), kBadInput);
    const InterruptGuard guard;
    Ticker ticker(options.budget, "tune");
    int code = kFine;
    base::Result<RateSource> source = open_rates(source_options, "mc-mutants", ticker, code);
    if (!source) return fail(source.errors(), code);
    options.evaluation = source->is_recorded ? 1 : 0.02;
    if (!evaluation.empty()) {
      const base::Result<double> seconds = read_duration(evaluation);
      if (!seconds) return fail(seconds.errors(), kBadInput);
      options.evaluation = *seconds;
    }
    options.least = options.evaluation / (source->is_recorded ? 100 : 10);
    options.jitter = source->is_recorded ? 0 : kDeviceJitter;
    options.checks = source->is_recorded ? 0 : kStabilityChecks;
    const auto start = load_environments(starts, source->sweep);
    if (!start) return fail(start.errors(), kBadInput);
    std::vector<codegen::TestEnvironment> known = *start;
    if (starts.empty() && !scratch && !source->is_recorded) known = source->known;
    const std::unique_ptr<campaign::EnvironmentSpace> space =
        source->is_recorded ? campaign::listed_space(source->sweep) : campaign::parameter_space(source->machine, known);

    std::unique_ptr<campaign::Journal> journal;
    if (!out.empty()) {
      auto opened = campaign::open_journal(out + ".journal", purpose(*source, known), *source->measurer);
      if (!opened) return fail(opened.errors(), kBadInput);
      journal = *std::move(opened);
    }
    campaign::Measurer& measurer = journal ? *journal : *source->measurer;
    const campaign::TuneResult result = campaign::tune(
        source->names.size(), *space, measurer, options, [&](double, std::size_t, const campaign::Trial*) {
          return InterruptGuard::interrupted() || (journal && !journal->status());
        });
    ticker.clear();
    if (journal && !journal->status()) return fail(journal->status().errors(), kBadInput);
    return report(*source, *space, result, journal.get());
  }

 private:
  static int fail(const base::Diagnostics& errors, int code) {
    print_error(base::render(errors));
    return code;
  }

  int read_options() {
    const auto named = campaign::strategy_named(strategy);
    if (!named) {
      return fail({base::error(fmt::format("unknown strategy '{}'; expected random, peeking or adaptive", strategy))},
                  kBadInput);
    }
    options.strategy = *named;
    const base::Result<double> seconds = read_duration(budget);
    if (!seconds) return fail(seconds.errors(), kBadInput);
    options.budget = *seconds;
    return kFine;
  }

  // All that decides which steps a search takes, apart from what it measures.
  std::string purpose(const RateSource& source, const std::vector<codegen::TestEnvironment>& known) const {
    Json json = {{"format", 1},
                 {"strategy", strategy},
                 {"seed", options.seed},
                 {"evaluation", options.evaluation},
                 {"device", source.device},
                 {"device_name", source.device_name},
                 {"tests", source.names},
                 {"hashes", source.hashes},
                 {"start", Json::array()}};
    for (const codegen::TestEnvironment& environment : known) json["start"].push_back(codegen::to_text(environment));
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  int report(const RateSource& source, const campaign::EnvironmentSpace& space, const campaign::TuneResult& result,
             const campaign::Journal* journal) const {
    const std::string text = result_json(source, space, result);
    if (as_json) {
      print_output(text);
    } else {
      print_output(result_text(source, space, result));
      if (journal != nullptr && journal->replayed() != 0) {
        print_error(fmt::format("{} of {} slices came from {}.journal\n", journal->replayed(), result.slices, out));
      }
    }
    // The journal has what was measured.
    if (!result.lost.empty()) return fail({device_is_gone(source.device, result.lost)}, kDeviceFailed);
    if (result.is_interrupted) return kInterrupted;
    if (!out.empty()) {
      if (base::Status written = base::write_file(out, text); !written) return fail(written.errors(), kDeviceFailed);
    }
    const bool any = std::any_of(result.tests.begin(), result.tests.end(),
                                 [](const TunedTest& test) { return test.best.has_value(); });
    return any ? kFine : kDeviceFailed;
  }

  std::string result_json(const RateSource& source, const campaign::EnvironmentSpace& space,
                          const campaign::TuneResult& result) const {
    Json json = {{"format", 1},
                 {"device", source.device},
                 {"device_name", source.device_name},
                 {"driver", source.driver},
                 {"strategy", strategy},
                 {"seed", options.seed},
                 {"budget", options.budget},
                 {"seconds", result.seconds},
                 {"slices", result.slices},
                 {"tests", Json::array()}};
    for (std::size_t i = 0; i < result.tests.size(); ++i) {
      const TunedTest& test = result.tests[i];
      Json one = {{"test", source.names[i]}};
      if (test.best) {
        const stats::Rate rate = test.best->sum.rate();
        one["environment"] = codegen::to_text(space.at(test.best->environment));
        one["per_second"] = rate.value;
        one["low"] = rate.interval.low;
        one["high"] = rate.interval.high;
        one["kills"] = test.best->sum.kills;
        one["measured_seconds"] = test.best->sum.seconds;
        one["found_after"] = test.found_after;
        one["stable"] = test.is_stable ? Json(*test.is_stable) : Json();
      } else {
        one["problem"] = test.problem;
      }
      one["tried"] = test.tried;
      one["seconds"] = test.seconds;
      json["tests"].push_back(std::move(one));
    }
    return json_text(json);
  }

  std::string result_text(const RateSource& source, const campaign::EnvironmentSpace& space,
                          const campaign::TuneResult& result) const {
    std::size_t width = 0;
    for (const std::string& name : source.names) width = std::max(width, name.size());
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < result.tests.size(); ++i) {
      const TunedTest& test = result.tests[i];
      if (!test.best) {
        text += fmt::format("failed   {:<{}}  {}\n", source.names[i], width, test.problem);
        continue;
      }
      const stats::Rate rate = test.best->sum.rate();
      shown += rate.value > 0 ? 1 : 0;
      text += fmt::format("{}  {:<{}}  {} ({} to {}), {} tried{}  [{}]\n", rate.value > 0 ? "found " : "never ",
                          source.names[i], width, rate_text(rate.value), rate_text(rate.interval.low),
                          rate_text(rate.interval.high), test.tried, test.is_stable.value_or(true) ? "" : ", UNSTABLE",
                          codegen::to_text(space.at(test.best->environment)));
    }
    return text + fmt::format("\n{} of {} tests shown on {}, {}: {:.1f} s of device time, {} slices\n", shown,
                              result.tests.size(), source.device, source.device_name, result.seconds, result.slices);
  }
};

}  // namespace

void add_tune(Command& app, int& exit_code) {
  auto options = std::make_shared<Tune>();
  Command* command = app.add_subcommand("tune", "Search for the environments that show tests' outcomes most often");
  options->source_options.add_options(
      *command, "files, tests of the corpus, or suites, of which the mutants; default: mc-mutants");
  command->add_option("--strategy", options->strategy, "random, peeking or adaptive; default adaptive");
  command->add_option("--budget", options->budget, "device time for all tests, such as 60s or 5min; default 60s");
  command->add_option("--seed", options->options.seed, "of the search; default 1");
  command->add_option("--evaluation", options->evaluation,
                      "time that random search gives an environment; default 20ms");
  command
      ->add_option("--start", options->starts,
                   "environments to try first: a file or as --env; default: of the suite for the device, and the sweep")
      ->take_all();
  command->add_flag("--scratch", options->scratch, "try no environments first that are known to be good");
  command->add_option("--out", options->out, "write the result; a journal beside it makes the search resumable");
  command->add_flag("--json", options->as_json, "print the result as JSON");
  command->footer(
      "Killed at any moment, the same command with --out goes on where it was.\n\nExamples:\n"
      "  weakspot tune mc-mutants --budget 60s --out tuned.json\n"
      "  weakspot tune MP SB --device cpu --strategy peeking --budget 10s");
  command->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace weakspot::cli
