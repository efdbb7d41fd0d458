// SPDX-License-Identifier: MIT
#include "workbench/tune.h"

#include <algorithm>

#include "base/file.h"
#include "campaign/tune_journal.h"
#include "json/json.h"
#include "workbench/results/writable.h"
#include "workbench/store_sink.h"

namespace weakspot::workbench {
namespace {

using base::JsonValue;
using campaign::TunedTest;

// The relative deviation of a device's rate from one short slice to the next.
constexpr double kDeviceJitter = 0.05;
// Slices that check whether the rate of the best environment is stable; 41 are the least for a verdict.
constexpr std::size_t kStabilityChecks = 60;

campaign::TuneOptions search_options(const TuneRequest& request, bool is_recorded) {
  campaign::TuneOptions options;
  options.strategy = request.strategy;
  options.budget = request.budget;
  options.seed = request.seed;
  options.evaluation = request.evaluation.value_or(is_recorded ? 1 : 0.02);
  options.least = options.evaluation / (is_recorded ? 100 : 10);
  options.jitter = is_recorded ? 0 : kDeviceJitter;
  options.checks = is_recorded ? 0 : kStabilityChecks;
  return options;
}

// Everything that decides the steps of a search, apart from the measurements.
std::string purpose(const RateSource& source, const campaign::TuneOptions& options, const Environments& known) {
  JsonValue start = base::json_array();
  for (const codegen::TestEnvironment& environment : known) start.push_back(codegen::to_text(environment));
  return base::json_compact(base::json_object({{"format", 1},
                                               {"strategy", to_string(options.strategy)},
                                               {"seed", options.seed},
                                               {"evaluation", options.evaluation},
                                               {"device", source.device},
                                               {"device_name", source.device_name},
                                               {"tests", source.names},
                                               {"hashes", source.hashes},
                                               {"start", std::move(start)}}));
}

// Writes the file, notes problems and the ending.
void conclude(const TuneRequest& request, StoreSink& store, TunedResult& result) {
  if (!result.search.lost.empty()) {
    result.problems = {device_is_gone(result.device, result.search.lost)};
  } else if (!result.search.is_interrupted) {
    const std::string text = to_json(result);
    base::Status written = request.out.empty() ? base::ok_status() : base::write_file(request.out, text);
    if (written) written = store.add(text);
    if (!written) result.problems = base::of_kind(base::ErrorKind::environment, written.errors());
  }
  const bool any = std::any_of(result.search.tests.begin(), result.search.tests.end(),
                               [](const TunedTest& test) { return test.best.has_value(); });
  result.ending = !result.problems.empty()       ? ending_of(result.problems)
                  : result.search.is_interrupted ? Ending::cancelled
                  : any                          ? Ending::fine
                                                 : Ending::failed;
}

}  // namespace

base::Result<TunedResult> tune(const TuneRequest& request, campaign::Executor& executor,
                               campaign::RunObserver& observer) {
  if (base::Status writable = can_write(request.out); !writable) return writable.errors();
  base::Result<StoreSink> store = StoreSink::open(request.store);
  if (!store) return store.errors();
  base::Result<RateSource> source = open_rates(request.rates, executor, observer);
  if (!source) return source.errors();
  const campaign::TuneOptions options = search_options(request, source->is_recorded);
  const base::Result<Environments> start = load_environments(request.starts, source->sweep);
  if (!start) return start.errors();
  const bool begins_with_known = request.starts.empty() && !request.scratch && !source->is_recorded;
  const Environments& known = begins_with_known ? source->known : *start;
  const std::unique_ptr<campaign::EnvironmentSpace> space =
      source->is_recorded ? campaign::listed_space(source->sweep) : campaign::parameter_space(source->machine, known);

  std::unique_ptr<campaign::Journal> journal;
  if (!request.out.empty()) {
    auto opened = campaign::open_journal(request.out + ".journal", purpose(*source, options, known), *source->measurer);
    if (!opened) return opened.errors();
    journal = *std::move(opened);
  }
  campaign::Measurer& measurer = journal ? *journal : *source->measurer;
  TunedResult result;
  result.search = campaign::tune(source->names.size(), *space, measurer, options,
                                 [&](double spent, std::size_t, const campaign::Trial*) {
                                   observer.advanced(spent / options.budget);
                                   return observer.cancelled() || (journal && !journal->status());
                                 });
  if (journal && !journal->status()) return journal->status().errors();
  result.device = source->device;
  result.device_name = source->device_name;
  result.driver = source->driver;
  result.strategy = options.strategy;
  result.seed = options.seed;
  result.budget = options.budget;
  result.names = source->names;
  result.models = source->models;
  result.unobservable = source->unobservable;
  for (const TunedTest& test : result.search.tests) {
    result.best.push_back(test.best ? std::optional(space->at(test.best->environment)) : std::nullopt);
  }
  if (journal) {
    result.replayed = journal->replayed();
    result.journal_was_torn = journal->was_torn();
  }
  conclude(request, *store, result);
  return result;
}

std::string to_json(const TunedResult& result) {
  JsonValue tests = base::json_array();
  for (std::size_t i = 0; i < result.search.tests.size(); ++i) {
    const TunedTest& test = result.search.tests[i];
    JsonValue one = base::json_object({{"test", result.names[i]}});
    if (!result.models[i].empty()) one["model"] = result.models[i];
    if (test.best) {
      const stats::Rate rate = test.best->sum.rate();
      one["environment"] = codegen::to_text(*result.best[i]);
      one["per_second"] = rate.value;
      one["low"] = rate.interval.low;
      one["high"] = rate.interval.high;
      one["kills"] = test.best->sum.kills;
      one["measured_seconds"] = test.best->sum.seconds;
      one["found_after"] = test.found_after;
      one["stable"] = test.is_stable ? JsonValue(*test.is_stable) : JsonValue();
    } else {
      one["problem"] = test.problem;
    }
    one["tried"] = test.tried;
    one["seconds"] = test.seconds;
    tests.push_back(std::move(one));
  }
  JsonValue unobservable = base::json_array();
  for (const campaign::UnobservableTest& one : result.unobservable) {
    unobservable.push_back(base::json_object({{"test", one.test}, {"model", one.model}, {"reason", one.reason}}));
  }
  const JsonValue json = base::json_object({{"format", 1},
                                            {"device", result.device},
                                            {"device_name", result.device_name},
                                            {"driver", result.driver},
                                            {"strategy", to_string(result.strategy)},
                                            {"seed", result.seed},
                                            {"budget", result.budget},
                                            {"seconds", result.search.seconds},
                                            {"slices", result.search.slices},
                                            {"tests", std::move(tests)},
                                            {"unobservable", std::move(unobservable)}});
  return base::json_indented(json) + "\n";
}

}  // namespace weakspot::workbench
