// SPDX-License-Identifier: MIT
#include "campaign/score_compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/names.h"
#include "litmus/mutant_name.h"

namespace weakspot::campaign {
namespace {

constexpr base::Named<Change> kChanges[] = {
    {"same", Change::same}, {"weaker", Change::weaker}, {"stronger", Change::stronger},
    {"lost", Change::lost}, {"gained", Change::gained}, {"missing", Change::missing},
};

// Shares of the probability of a false alarm among the three questions.
constexpr double kOfSingleMutants = 0.5;
constexpr double kOfAllTogether = 0.25;
constexpr double kOfTheMajority = 0.25;

// Times that a mutant that seems weaker is measured again.
constexpr int kSecondLooks = 2;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// One mutant in both scores.
struct ScorePair {
  const Slice* before;
  const Slice* now;

  std::uint64_t kills() const { return before->kills + now->kills; }
  double exposure() const { return now->seconds / before->seconds; }
  // With half a kill in place of none.
  double log_ratio() const {
    auto count = [](const Slice& slice) { return std::max(static_cast<double>(slice.kills), 0.5); };
    return std::log(count(*now) / count(*before) / exposure());
  }
};

// The expected fraction of all kills that are new ones if every mutant dies at `ratio` times its old rate.
double expected_share(const std::vector<ScorePair>& pairs, double ratio) {
  double now = 0, all = 0;
  for (const ScorePair& pair : pairs) {
    const auto kills = static_cast<double>(pair.kills());
    now += kills * ratio * pair.exposure() / (1 + ratio * pair.exposure());
    all += kills;
  }
  return now / all;
}

// The ratio at which that fraction is expected.
double ratio_for(const std::vector<ScorePair>& pairs, double share) {
  if (share <= 0) return 0;
  if (share >= 1) return kUnbounded;
  double low = -100, high = 100;  // logarithms
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (expected_share(pairs, std::exp(middle)) < share ? low : high) = middle;
  }
  return std::exp(high);
}

// Given the total number of events of two Poisson processes, the number of the second is binomial, and its interval
// gives the interval of the ratio of their rates. With several mutants the new kills are a sum of binomials, whose
// tails are no heavier than those of the binomial with the same mean (Hoeffding 1956).
stats::Interval kill_ratio(const std::vector<ScorePair>& pairs, const stats::RunVariation& variation,
                           double confidence) {
  std::uint64_t now = 0, all = 0;
  for (const ScorePair& pair : pairs) {
    now += pair.now->kills;
    all += pair.kills();
  }
  if (all == 0) return {0, kUnbounded};
  const stats::Interval share = stats::binomial_interval(now, all, confidence);
  const double estimate = ratio_for(pairs, static_cast<double>(now) / static_cast<double>(all));
  // A slow minute makes all mutants die less often, so that many of them average no variation away.
  return stats::widened({ratio_for(pairs, share.low), ratio_for(pairs, share.high)}, estimate, variation, confidence);
}

Change judge(const ScorePair& pair, const stats::Interval& ratio, double tolerance) {
  if (pair.before->kills == 0) return pair.now->kills == 0 ? Change::same : Change::gained;
  if (ratio.high < tolerance) return pair.now->kills == 0 ? Change::lost : Change::weaker;
  return ratio.low > 1 / tolerance ? Change::stronger : Change::same;
}

// Mutants that die as often as before say nothing about the direction; those that died in one score only do.
void ask_majority(const std::vector<ScorePair>& pairs, double confidence, double tolerance,
                  ScoreComparison& comparison) {
  double logs = 0;
  std::uint64_t seen = 0, slower = 0, faster = 0;
  for (const ScorePair& pair : pairs) {
    if (pair.kills() == 0) continue;
    ++seen;
    logs += pair.log_ratio();
    const double before = pair.before->rate().value, now = pair.now->rate().value;
    slower += now < before ? 1 : 0;
    faster += now > before ? 1 : 0;
  }
  if (seen != 0) comparison.mean_ratio = std::exp(logs / static_cast<double>(seen));
  comparison.slower = stats::binomial_interval(slower, slower + faster, confidence);
  comparison.most_are_slower = comparison.mean_ratio && comparison.slower.low > 0.5 &&
                               stats::widened({*comparison.mean_ratio, *comparison.mean_ratio}, *comparison.mean_ratio,
                                              comparison.variation, confidence)
                                       .high < tolerance;
}

// The older score may have the mutant's former name.
std::vector<ScoredMutant>::const_iterator scored_as(std::string_view name, const Score& score) {
  const auto find = [&](std::string_view wanted) {
    return std::find_if(score.mutants.begin(), score.mutants.end(),
                        [&](const ScoredMutant& mutant) { return mutant.test == wanted; });
  };
  const auto found = find(name);
  if (found != score.mutants.end()) return found;
  const std::optional<std::string_view> present = litmus::present_name(name);
  return present ? find(*present) : found;
}

stats::RunVariation variation_of(const Score& before, const Score& now) {
  std::vector<stats::SlicedRun> runs;
  for (const Score* score : {&before, &now}) {
    for (const ScoredMutant& mutant : score->mutants) runs.push_back(mutant.slice.parts);
  }
  return stats::pooled_variation(runs);
}

// The numbers of the mutants of `now` that make it seem weaker.
std::vector<std::size_t> suspects_of(const ScoreComparison& comparison, const Score& now) {
  const bool all = comparison.is_weaker_together || comparison.most_are_slower;
  std::vector<std::size_t> suspects;
  for (std::size_t i = 0; i < now.mutants.size(); ++i) {
    const auto is_this = [&](const MutantChange& change) {
      return change.test == now.mutants[i].test && change.is_worse();
    };
    if (all || std::any_of(comparison.mutants.begin(), comparison.mutants.end(), is_this)) suspects.push_back(i);
  }
  return suspects;
}

}  // namespace

std::string_view to_string(Change change) { return base::name_of(kChanges, change); }

bool ScoreComparison::is_weaker() const {
  return is_weaker_together || most_are_slower ||
         std::any_of(mutants.begin(), mutants.end(), [](const MutantChange& change) { return change.is_worse(); });
}

ScoreComparison compare_scores(const Score& before, const Score& now, const ScoreCompareOptions& options) {
  ScoreComparison comparison;
  const double error = 1 - options.confidence;
  // Bonferroni: all mutants are tested at once.
  const auto mutants = static_cast<double>(std::max<std::size_t>(before.mutants.size(), 1));
  comparison.variation = variation_of(before, now);
  std::vector<ScorePair> pairs;
  for (const ScoredMutant& old : before.mutants) {
    const auto found = scored_as(old.test, now);
    MutantChange change{
        found == now.mutants.end() ? old.test : found->test, Change::missing, old.rate(), 0, {0, kUnbounded}};
    if (found != now.mutants.end() && found->slice.seconds > 0) {
      change.now = found->rate();
      const ScorePair pair{&old.slice, &found->slice};
      if (old.slice.seconds > 0) {
        change.ratio = kill_ratio({pair}, comparison.variation, 1 - error * kOfSingleMutants / mutants);
        pairs.push_back(pair);
      }
      change.change = judge(pair, change.ratio, options.tolerance);
    } else if (old.slice.kills == 0) {
      change.change = Change::same;
    }
    comparison.mutants.push_back(std::move(change));
  }
  comparison.together = kill_ratio(pairs, comparison.variation, 1 - error * kOfAllTogether);
  comparison.is_weaker_together = comparison.together.high < options.tolerance;
  ask_majority(pairs, 1 - error * kOfTheMajority, options.tolerance, comparison);
  return comparison;
}

ScoreComparison compare_and_confirm(const Score& before, Score& now, ScoreMeter& meter,
                                    const ScoreCompareOptions& options) {
  ScoreComparison comparison = compare_scores(before, now, options);
  for (int i = 0; i < kSecondLooks && comparison.is_weaker() && meter.is_whole(); ++i) {
    const std::vector<std::size_t> suspects = suspects_of(comparison, now);
    if (suspects.empty()) break;  // only mutants that are not in the suite
    meter.measure_again(suspects, now);
    comparison = compare_scores(before, now, options);
  }
  return comparison;
}

}  // namespace weakspot::campaign
