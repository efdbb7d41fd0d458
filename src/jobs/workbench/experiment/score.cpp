// SPDX-License-Identifier: MIT
#include "workbench/score.h"

#include <algorithm>

#include "base/file.h"
#include "base/source.h"
#include "workbench/results/writable.h"
#include "workbench/store_sink.h"

namespace weakspot::workbench {
namespace {

base::Result<campaign::Score> read_score(const std::string& path) {
  base::Result<std::string> text = base::read_file(path);
  if (!text) return text.errors();
  return campaign::score_from_json(base::Source(path, *std::move(text)));
}

// Errors for a score that is not complete. It is not written: a file with part of a score would look like a whole one.
base::Diagnostics why_incomplete(const campaign::ScoreMeter& meter, const std::string& device, const std::string& out) {
  base::Diagnostics problems;
  if (meter.is_lost()) problems.push_back(device_is_gone(device, meter.problem()));
  if (!out.empty()) {
    problems.push_back(base::error_in(out, "not written: the score is not complete", base::ErrorKind::cancelled));
  }
  return problems;
}

bool has_run(const campaign::Score& score) {
  return std::any_of(score.mutants.begin(), score.mutants.end(),
                     [](const campaign::ScoredMutant& mutant) { return mutant.slice.seconds > 0; });
}

base::Diagnostic why_nothing_ran(const campaign::Score& score) {
  if (score.mutants.empty()) return base::error("there are no mutants");
  return base::error(score.mutants.front().slice.problem, base::ErrorKind::device);
}

}  // namespace

base::Result<ScoreResult> score(const ScoreRequest& request, campaign::Executor& executor,
                                campaign::RunObserver& observer) {
  ScoreResult result;
  if (!request.against.empty()) {
    base::Result<campaign::Score> read = read_score(request.against);
    if (!read) return read.errors();
    result.before = *std::move(read);
  }
  if (base::Status writable = can_write(request.out); !writable) return writable.errors();
  base::Result<StoreSink> store = StoreSink::open(request.store);
  if (!store) return store.errors();
  base::Result<RateSource> source = open_rates(request.rates, executor, observer);
  if (!source) return source.errors();
  const base::Result<Environments> chosen =
      request.environments.empty() ? source->sweep : load_environments(request.environments, source->sweep);
  if (!chosen) return chosen.errors();
  campaign::ScoreMeter meter({source->names, source->mutators, *chosen, request.seconds, request.seed, source->models},
                             *source->measurer, observer);
  result.score = meter.measure();
  const bool ran = has_run(result.score);
  if (result.before && ran && meter.is_whole()) {
    result.comparison = campaign::compare_and_confirm(*result.before, result.score, meter, request.compare);
  }
  result.score.unobservable = source->unobservable;
  result.score.device = source->device;
  result.score.device_name = source->device_name;
  result.score.driver = source->driver;
  if (request.now && !source->is_recorded) result.score.started = request.now();
  if (!meter.is_whole()) {
    result.comparison.reset();
    result.problems = why_incomplete(meter, source->device, request.out);
    result.ending = meter.is_lost() ? Ending::failed : Ending::cancelled;
    return result;
  }
  if (!ran) {
    result.problems = {why_nothing_ran(result.score)};
  } else {
    const std::string text = campaign::to_json(result.score);
    base::Status written = request.out.empty() ? base::ok_status() : base::write_file(request.out, text);
    if (written) written = store->add(text);
    if (!written) result.problems = base::of_kind(base::ErrorKind::environment, written.errors());
  }
  const bool weaker = result.comparison && result.comparison->is_weaker();
  result.ending = !result.problems.empty() ? ending_of(result.problems) : weaker ? Ending::finding : Ending::fine;
  return result;
}

}  // namespace weakspot::workbench
