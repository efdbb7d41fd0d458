// SPDX-License-Identifier: MIT
#include "workbench/replay.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/stored_runs.h"
#include "campaign/record_json.h"
#include "questions/expected_outcomes.h"
#include "stats/outcome_class.h"
#include "workbench/devices.h"

namespace weakspot::workbench {
namespace {

using campaign::OutcomeCount;
using campaign::RunRecord;
using stats::OutcomeClass;

std::size_t most_interesting(const std::vector<RunRecord>& records) {
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].count(OutcomeClass::forbidden) != 0) return i;
  }
  return 0;
}

std::vector<Reappearance> reappearances(const RunRecord& before, const RunRecord& again) {
  const OutcomeClass looked_for =
      before.count(OutcomeClass::forbidden) != 0 ? OutcomeClass::forbidden : OutcomeClass::weak;
  std::vector<Reappearance> outcomes;
  for (const OutcomeCount& outcome : before.outcomes) {
    if (outcome.outcome_class != looked_for) continue;
    Reappearance& found = outcomes.emplace_back(Reappearance{outcome.outcome, outcome.count, 0});
    for (const OutcomeCount& other : again.outcomes) {
      if (other.outcome == outcome.outcome) found.now = other.count;
    }
  }
  return outcomes;
}

}  // namespace

base::Result<ReplayResult> replay(const ReplayRequest& request, campaign::Executor& executor, RunWatch& watch) {
  base::Result<std::vector<RunRecord>> records = analysis::read_runs(request.file);
  if (!records) return records.errors();
  if (request.number > records->size()) {
    return base::error_in(request.file,
                          fmt::format("there is no record {}; the file has {}", request.number, records->size()));
  }
  ReplayResult result;
  result.record = (*records)[request.number != 0 ? request.number - 1 : most_interesting(*records)];
  base::Result<campaign::RunRequest> repeated = campaign::repeat(result.record);
  if (!repeated) return repeated.errors();
  if (!request.device.empty()) repeated->device = request.device;
  if (repeated->instances != 0) {
    repeated->instances = static_cast<std::uint64_t>(static_cast<double>(repeated->instances) * request.times);
  }
  if (request.now) repeated->started = request.now();
  // Another device has another judge.
  const bool elsewhere = !request.device.empty() && request.device != result.record.device;
  const base::Result<std::vector<backend::DeviceInfo>> found = find_devices({repeated->device});
  const questions::Platform platform = found ? platform_of(found->front()) : questions::Platform{};
  questions::LimitsPerTest limits;
  limits.stop = request.stop;
  limits.seconds = std::max(limits.seconds, result.record.asked_judging);
  questions::ExpectedOutcomes outcomes(elsewhere ? "" : result.record.model, limits);
  const base::Result<stats::Expected> expected = outcomes.of(repeated->test, found ? &platform : nullptr);
  if (!expected) return expected.errors();
  repeated->expected = *expected;

  auto session = RunSession::begin(executor, request.files, watch);
  if (!session) return session.errors();
  watch.planned(1, 1, 1);
  (*session)->run(*repeated, result.again);
  const RunRecord& again = result.again.records.front();
  result.outcomes = reappearances(result.record, again);
  result.other_code = again.code_hash != result.record.code_hash && !again.code_hash.empty();
  if (const base::Status ended = (*session)->end(); !ended) result.problems = ended.errors();
  result.ending = !result.problems.empty()                    ? ending_of(result.problems)
                  : again.count(OutcomeClass::forbidden) != 0 ? Ending::finding
                  : watch.cancelled()                         ? Ending::cancelled
                  : again.instances == 0                      ? Ending::failed
                                                              : Ending::fine;
  add_problems(outcomes.problems(), result.problems, result.ending);
  return result;
}

}  // namespace weakspot::workbench
