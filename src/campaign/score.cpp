#include "campaign/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/names.h"
#include "campaign/checked_json.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

constexpr int kScoreFormat = 1;
constexpr base::Named<Change> kChanges[] = {
    {"same", Change::same}, {"weaker", Change::weaker}, {"stronger", Change::stronger},
    {"lost", Change::lost}, {"gained", Change::gained}, {"missing", Change::missing},
};

double rate_of(const ScoredMutant& mutant) { return mutant.slice.rate().value; }

// Given how many events two Poisson processes had together, those of the second are binomial: from the interval of that
// comes the interval of the ratio of their rates.
stats::Interval rate_ratio(const Slice& before, const Slice& now, double confidence) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (before.seconds <= 0 || now.seconds <= 0) return {0, kInfinity};
  const stats::Interval share = stats::binomial_interval(now.kills, before.kills + now.kills, confidence);
  const double time = before.seconds / now.seconds;
  auto odds = [&](double p) { return p >= 1 ? kInfinity : p / (1 - p) * time; };
  return {odds(share.low), odds(share.high)};
}

Change judge(const ScoredMutant& before, const ScoredMutant& now, const stats::Interval& ratio, double tolerance) {
  if (before.slice.kills == 0) return now.slice.kills == 0 ? Change::same : Change::gained;
  if (ratio.high < tolerance) return now.slice.kills == 0 ? Change::lost : Change::weaker;
  return ratio.low > 1 / tolerance ? Change::stronger : Change::same;
}

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

std::string_view to_string(Change change) { return base::name_of(kChanges, change); }

std::size_t Score::killed() const {
  return static_cast<std::size_t>(
      std::count_if(mutants.begin(), mutants.end(), [](const ScoredMutant& mutant) { return mutant.slice.kills > 0; }));
}

double Score::mutation_score() const {
  return mutants.empty() ? 0 : static_cast<double>(killed()) / static_cast<double>(mutants.size());
}

double Score::mean_death_rate() const {
  double sum = 0;
  for (const ScoredMutant& mutant : mutants) sum += rate_of(mutant);
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
    row->mean_death_rate += rate_of(mutant);
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

Score measure_score(const std::vector<std::string>& tests, const std::vector<std::string>& mutators,
                    const std::vector<codegen::TestEnvironment>& environments, double seconds, std::uint64_t seed,
                    Measurer& measurer, RunObserver& observer) {
  Score score;
  score.environments = environments.size();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    std::vector<Cell> cells;
    for (const codegen::TestEnvironment& environment : environments) cells.push_back({i, environment});
    measurer.announce(cells);
    ScoredMutant mutant{tests[i], mutators[i], "", {}, 0};
    for (std::size_t e = 0; e < cells.size() && !observer.cancelled(); ++e) {
      const Slice slice = measurer.measure(cells[e], seconds, seed + e);
      mutant.seconds += slice.seconds;
      const bool better = mutant.slice.seconds == 0 || slice.rate().value > rate_of(mutant);
      if (slice.seconds > 0 && better) {
        mutant.slice = slice;
        mutant.environment = codegen::to_text(cells[e].environment);
      } else if (mutant.slice.seconds == 0) {
        mutant.slice.problem = slice.problem;
      }
    }
    score.mutants.push_back(std::move(mutant));
  }
  return score;
}

ScoreComparison compare_scores(const Score& before, const Score& now, const ScoreCompareOptions& options) {
  ScoreComparison comparison;
  // Bonferroni: so many questions are asked at once.
  const double each =
      1 - (1 - options.confidence) / static_cast<double>(std::max<std::size_t>(before.mutants.size(), 1));
  double logs = 0;
  std::size_t both = 0, slower = 0;
  for (const ScoredMutant& old : before.mutants) {
    MutantChange change{old.test, Change::missing, rate_of(old), 0, {}};
    const auto found = std::find_if(now.mutants.begin(), now.mutants.end(),
                                    [&](const ScoredMutant& mutant) { return mutant.test == old.test; });
    if (found != now.mutants.end() && found->slice.seconds > 0) {
      change.now = rate_of(*found);
      change.ratio = rate_ratio(old.slice, found->slice, each);
      change.change = judge(old, *found, change.ratio, options.tolerance);
      if (change.before > 0 && change.now > 0) {
        ++both;
        logs += std::log(change.now / change.before);
      }
      if (change.before > 0 && change.now < change.before) ++slower;
    } else if (old.slice.kills == 0) {
      change.change = Change::same;
    }
    const bool worse =
        change.change == Change::weaker || change.change == Change::lost || change.change == Change::missing;
    comparison.is_weaker = comparison.is_weaker || worse;
    comparison.mutants.push_back(std::move(change));
  }
  if (both != 0) comparison.mean_ratio = std::exp(logs / static_cast<double>(both));
  comparison.slower = stats::binomial_interval(slower, before.killed(), options.confidence);
  const bool most_slower = comparison.slower.low > 0.5 && comparison.mean_ratio < options.tolerance;
  comparison.is_weaker = comparison.is_weaker || most_slower;
  return comparison;
}

}  // namespace weakspot::campaign
