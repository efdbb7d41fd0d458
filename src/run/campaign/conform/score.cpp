// SPDX-License-Identifier: MIT
#include "campaign/score.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/source.h"
#include "campaign/measured_fields.h"
#include "json/invocation_json.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kScoreFormat = 1;

ScoredMutant scored_mutant(const JsonValue& json, base::Mistakes& mistakes) {
  JsonFields fields(json, mistakes, "a test");
  ScoredMutant mutant;
  mutant.test = fields.text("test");
  mutant.mutator = fields.text("mutator");
  mutant.environment = fields.text("environment");
  mutant.slice.kills = count_in(fields, "kills");
  mutant.slice.instances = count_in(fields, "instances");
  mutant.slice.seconds = seconds_in(fields, "seconds");
  mutant.slice.problem = fields.string("problem").value_or("");
  mutant.seconds = seconds_in(fields, "seconds_in_all");
  mutant.model = fields.string("model").value_or("");
  if (const JsonValue* parts = fields.take("parts", JsonValue::Kind::array)) {
    for (const JsonValue& one : parts->items()) {
      JsonFields part(one, mistakes, "a part");
      mutant.slice.parts.push_back({count_in(part, "kills"), count_in(part, "instances")});
    }
  }
  return mutant;
}

JsonValue scored_json(const ScoredMutant& mutant) {
  const stats::Rate rate = mutant.slice.rate();
  JsonValue json = json_object({{"test", mutant.test},
                                {"mutator", mutant.mutator},
                                {"environment", mutant.environment},
                                {"kills", mutant.slice.kills},
                                {"instances", mutant.slice.instances},
                                {"seconds", mutant.slice.seconds},
                                {"seconds_in_all", mutant.seconds},
                                {"per_second", rate.value},
                                {"low", rate.interval.low},
                                {"high", rate.interval.high}});  // null if there is no upper end
  if (mutant.slice.parts.size() > 1) {
    JsonValue parts = json_array();
    for (const stats::Seen& part : mutant.slice.parts) {
      parts.push_back(json_object({{"kills", part.count}, {"instances", part.instances}}));
    }
    json.add("parts", std::move(parts));
  }
  if (!mutant.model.empty()) json.add("model", mutant.model);
  if (!mutant.slice.problem.empty()) json.add("problem", mutant.slice.problem);
  return json;
}

}  // namespace

std::size_t Score::killed() const {
  return static_cast<std::size_t>(
      std::count_if(mutants.begin(), mutants.end(), [](const ScoredMutant& mutant) { return mutant.slice.kills > 0; }));
}

double Score::mutation_score() const {
  return mutants.empty() ? 0 : static_cast<double>(killed()) / static_cast<double>(mutants.size());
}

double Score::mean_death_rate() const {
  double sum = 0;
  for (const ScoredMutant& mutant : mutants) sum += mutant.rate();
  return mutants.empty() ? 0 : sum / static_cast<double>(mutants.size());
}

std::vector<MutatorScore> by_mutator(const Score& score) {
  std::vector<MutatorScore> rows;
  for (const ScoredMutant& mutant : score.mutants) {
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const MutatorScore& one) { return one.mutator == mutant.mutator; });
    if (row == rows.end()) row = rows.insert(rows.end(), MutatorScore{mutant.mutator, 0, 0, 0});
    ++row->mutants;
    row->killed += mutant.slice.kills > 0 ? 1 : 0;
    row->mean_death_rate += mutant.rate();
  }
  for (MutatorScore& row : rows) row.mean_death_rate /= static_cast<double>(row.mutants);
  return rows;
}

std::string to_json(const Score& score) {
  JsonValue mutators = json_array();
  for (const MutatorScore& row : by_mutator(score)) {
    mutators.push_back(json_object({{"mutator", row.mutator},
                                    {"mutants", row.mutants},
                                    {"killed", row.killed},
                                    {"mean_death_rate", row.mean_death_rate}}));
  }
  JsonValue tests = json_array();
  for (const ScoredMutant& mutant : score.mutants) tests.push_back(scored_json(mutant));
  JsonValue unobservable = json_array();
  for (const UnobservableTest& one : score.unobservable) {
    unobservable.push_back(
        json_object({{"test", one.test}, {"mutator", one.mutator}, {"model", one.model}, {"reason", one.reason}}));
  }
  JsonValue json = json_object({{"format", kScoreFormat},
                                {"device", score.device},
                                {"device_name", score.device_name},
                                {"driver", score.driver},
                                {"started", score.started},
                                {"environments", score.environments},
                                {"mutants", score.mutants.size()},
                                {"killed", score.killed()},
                                {"mutation_score", score.mutation_score()},
                                {"mean_death_rate", score.mean_death_rate()},
                                {"mutators", std::move(mutators)},
                                {"tests", std::move(tests)},
                                {"unobservable", std::move(unobservable)}});
  base::add_invocation(json);
  return base::json_indented(json) + "\n";
}

base::Result<Score> score_from_json(const base::Source& source) {
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  if (!json) return mistakes.take();
  JsonFields fields(*json, mistakes, "the score");
  if (!fields.valid() || !fields.format(kScoreFormat)) return mistakes.take();
  Score score;
  score.device = fields.text("device");
  score.device_name = fields.text("device_name");
  score.driver = fields.text("driver");
  score.started = fields.text("started");
  score.environments = count_in(fields, "environments");
  for (const JsonValue& one : fields.list("tests")) score.mutants.push_back(scored_mutant(one, mistakes));
  if (mistakes.any()) return mistakes.take();
  if (score.mutants.empty()) {
    return base::error_in(source.name(), "the score has no tests, so nothing can be compared with it");
  }
  const bool measured = std::any_of(score.mutants.begin(), score.mutants.end(),
                                    [](const ScoredMutant& mutant) { return mutant.slice.seconds > 0; });
  if (!measured) {
    return base::error_in(source.name(), "the score has no measurements, so nothing can be compared with it");
  }
  return score;
}

ScoredMutant ScoreMeter::unmeasured(std::size_t test) const {
  ScoredMutant mutant{setup_.tests[test], setup_.mutators[test], "", {}, 0, ""};
  mutant.slice.problem = "not measured";
  if (!setup_.models.empty()) mutant.model = setup_.models[test];
  return mutant;
}

// Measures a slice; the mutant keeps its best environment.
void ScoreMeter::take(std::size_t test, std::size_t environment, std::uint64_t seed, ScoredMutant& mutant) {
  const Cell cell{test, setup_.environments[environment]};
  Slice slice;
  do {
    if (observer_.cancelled()) interrupted_ = true;
    if (!is_whole()) return;
    slice = measurer_.measure(cell, setup_.seconds, seed);
    losses_.note(slice);
    if (is_lost()) problem_ = slice.problem;
    interrupted_ = interrupted_ || slice.interrupted;
  } while (slice.lost);
  observer_.advanced(static_cast<double>(++taken_) * slice_part());
  mutant.seconds += slice.seconds;
  const bool better = mutant.slice.seconds == 0 || slice.rate().value > mutant.rate();
  if (slice.seconds > 0 && better) {
    mutant.slice = slice;
    mutant.environment = codegen::to_text(cell.environment);
  } else if (mutant.slice.seconds == 0) {
    mutant.slice.problem = slice.problem;
  }
}

double ScoreMeter::slice_part() const {
  return 1 / static_cast<double>(setup_.tests.size() * setup_.environments.size());
}

Score ScoreMeter::measure() {
  Score score;
  observer_.will_run(slice_part());
  score.environments = setup_.environments.size();
  taken_ = 0;
  for (std::size_t i = 0; i < setup_.tests.size(); ++i) {
    ScoredMutant mutant = unmeasured(i);
    if (is_whole()) {
      std::vector<Cell> cells;
      for (const codegen::TestEnvironment& environment : setup_.environments) cells.push_back({i, environment});
      measurer_.announce(cells);
    }
    for (std::size_t e = 0; e < setup_.environments.size() && is_whole(); ++e) take(i, e, setup_.seed + e, mutant);
    score.mutants.push_back(std::move(mutant));
  }
  return score;
}

void ScoreMeter::measure_again(const std::vector<std::size_t>& mutants, Score& score) {
  taken_ = 0;
  std::vector<ScoredMutant> anew;
  for (std::size_t i = 0; i < setup_.tests.size(); ++i) anew.push_back(unmeasured(i));
  const std::uint64_t seed = setup_.seed + ++rounds_ * setup_.environments.size();
  for (std::size_t e = 0; e < setup_.environments.size() && is_whole(); ++e) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < anew.size(); ++i) cells.push_back({i, setup_.environments[e]});
    measurer_.announce(cells);
    for (std::size_t i = 0; i < anew.size() && is_whole(); ++i) take(i, e, seed + e, anew[i]);
  }
  if (!is_whole()) return;
  for (const std::size_t i : mutants) score.mutants[i] = std::move(anew[i]);
}

}  // namespace weakspot::campaign
