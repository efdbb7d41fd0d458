#include "campaign/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "campaign/checked_json.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

constexpr int kScoreFormat = 1;

ScoredMutant mutant_from(const Json& json) {
  ScoredMutant mutant;
  mutant.test = text_in(json, "test");
  try {
    mutant.mutator = text_in(json, "mutator");
    mutant.environment = text_in(json, "environment");
    mutant.slice = {count_in(json, "kills"), count_in(json, "instances"), seconds_in(json, "seconds"), "", false};
    if (json.contains("problem")) mutant.slice.problem = text_in(json, "problem");
    mutant.seconds = seconds_in(json, "seconds_in_all");
  } catch (const JsonProblem& problem) {
    throw JsonProblem{fmt::format("test \"{}\": {}", mutant.test, problem.text)};
  }
  return mutant;
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
  Json json = {{"format", kScoreFormat},
               {"device", score.device},
               {"device_name", score.device_name},
               {"driver", score.driver},
               {"started", score.started},
               {"environments", score.environments},
               {"mutants", score.mutants.size()},
               {"killed", score.killed()},
               {"mutation_score", score.mutation_score()},
               {"mean_death_rate", score.mean_death_rate()},
               {"mutators", Json::array()},
               {"tests", Json::array()}};
  for (const MutatorScore& row : by_mutator(score)) {
    json["mutators"].push_back({{"mutator", row.mutator},
                                {"mutants", row.mutants},
                                {"killed", row.killed},
                                {"mean_death_rate", row.mean_death_rate}});
  }
  for (const ScoredMutant& mutant : score.mutants) {
    const stats::Rate rate = mutant.slice.rate();
    Json one = {{"test", mutant.test},
                {"mutator", mutant.mutator},
                {"environment", mutant.environment},
                {"kills", mutant.slice.kills},
                {"instances", mutant.slice.instances},
                {"seconds", mutant.slice.seconds},
                {"seconds_in_all", mutant.seconds},
                {"per_second", rate.value},
                {"low", rate.interval.low},
                {"high", nullptr}};
    if (std::isfinite(rate.interval.high)) one["high"] = rate.interval.high;
    if (!mutant.slice.problem.empty()) one["problem"] = mutant.slice.problem;
    json["tests"].push_back(std::move(one));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

base::Result<Score> score_from_json(const base::Source& source) {
  const base::Result<Json> json = parse_file(source);
  if (!json) return json.errors();
  base::Result<Score> read = take_apart("score", [&]() -> base::Result<Score> {
    if (const Json& format = member(*json, "format"); format != kScoreFormat) {
      return base::error(
          fmt::format("the score has format {}; this program reads format {}", format.dump(), kScoreFormat));
    }
    Score score;
    score.device = text_in(*json, "device");
    score.device_name = text_in(*json, "device_name");
    score.driver = text_in(*json, "driver");
    score.started = text_in(*json, "started");
    score.environments = count_in(*json, "environments");
    for (const Json& one : list_in(*json, "tests")) score.mutants.push_back(mutant_from(one));
    if (score.mutants.empty()) return base::error("there are no tests in this score: nothing can be compared with it");
    const bool measured = std::any_of(score.mutants.begin(), score.mutants.end(),
                                      [](const ScoredMutant& mutant) { return mutant.slice.seconds > 0; });
    if (!measured) return base::error("nothing was measured for this score: nothing can be compared with it");
    return score;
  });
  if (!read) return base::error_in(source.name(), base::messages(read.errors()));
  return read;
}

ScoredMutant ScoreMeter::unmeasured(std::size_t test) const {
  ScoredMutant mutant{setup_.tests[test], setup_.mutators[test], "", {}, 0};
  mutant.slice.problem = "not measured";
  return mutant;
}

// Adds a slice to a mutant: the best environment counts.
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
  mutant.seconds += slice.seconds;
  const bool better = mutant.slice.seconds == 0 || slice.rate().value > mutant.rate();
  if (slice.seconds > 0 && better) {
    mutant.slice = slice;
    mutant.environment = codegen::to_text(cell.environment);
  } else if (mutant.slice.seconds == 0) {
    mutant.slice.problem = slice.problem;
  }
}

Score ScoreMeter::measure() {
  Score score;
  score.environments = setup_.environments.size();
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
