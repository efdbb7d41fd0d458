#include "campaign/tune.h"

#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "campaign/tune_search.h"
#include "stats/stationarity.h"

namespace weakspot::campaign {
namespace {

constexpr base::Named<Strategy> kStrategies[] = {
    {"random", Strategy::random},
    {"peeking", Strategy::peeking},
    {"adaptive", Strategy::adaptive},
};

// What a device that is as it was gives once in a thousand times.
constexpr double kUnstable = 1e-3;
constexpr int kPeeks = 10;

}  // namespace

std::string_view to_string(Strategy strategy) { return base::name_of(kStrategies, strategy); }
std::optional<Strategy> strategy_named(std::string_view name) { return base::value_of(kStrategies, name); }

Search::Search(std::size_t tests, EnvironmentSpace& space, Measurer& measurer, const TuneOptions& options,
               const TuneWatch& watch)
    : space_(space),
      measurer_(measurer),
      options_(options),
      watch_(watch),
      rng_(options.seed),
      trials_(tests),
      best_(tests) {
  result_.tests.resize(tests);
}

Slice Search::measure(std::size_t test, std::size_t environment, double seconds) {
  const Cell cell{test, space_.at(environment)};
  const Slice slice = measurer_.measure(cell, seconds, options_.seed + ++result_.slices);
  Trial& trial = trials_[test].try_emplace(environment, Trial{environment, {}, {}}).first->second;
  trial.sum.add(slice);
  if (slice.seconds > 0) trial.slice_rates.push_back(static_cast<double>(slice.kills) / slice.seconds);
  // What cannot run costs something all the same: a search where nothing runs must end.
  const double spent = std::max(slice.seconds, slice.problem.empty() ? 0 : options_.least / 10);
  result_.seconds += spent;
  result_.tests[test].seconds += spent;
  if (!slice.problem.empty()) result_.tests[test].problem = slice.problem;
  if (watch_ && watch_(result_.seconds, test, best(test))) {
    stopped_ = true;
    result_.is_interrupted = true;
  }
  return slice;
}

const Trial* Search::best(std::size_t test) const { return best_[test] ? &trials_[test].at(*best_[test]) : nullptr; }

// By what is sure: a lucky short trial must not win.
void Search::promote(std::size_t test, std::size_t environment) {
  const Trial* now = best(test);
  const Trial& other = trial(test, environment);
  if (now != nullptr && now->environment == environment) return;
  const bool better =
      now == nullptr || other.sum.rate(kRaceConfidence).interval.low > now->sum.rate(kRaceConfidence).interval.low;
  if (better) prefer(test, environment);
}

void Search::prefer(std::size_t test, std::size_t environment) {
  if (best_[test] == environment) return;
  best_[test] = environment;
  result_.tests[test].found_after = result_.seconds;
}

std::size_t Search::neediest(const std::vector<bool>& among) const {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < among.size(); ++i) {
    if (among[i] && (!least || result_.tests[i].seconds < result_.tests[*least].seconds)) least = i;
  }
  WEAKSPOT_CHECK(least.has_value());
  return *least;
}

bool Search::is_beaten(std::size_t test, std::size_t environment) const {
  const Trial* now = best(test);
  if (now == nullptr || now->environment == environment) return false;
  return trial(test, environment).sum.rate(kRaceConfidence).interval.high < now->sum.rate(kRaceConfidence).interval.low;
}

TuneResult Search::finish() {
  for (std::size_t i = 0; i < result_.tests.size(); ++i) {
    TunedTest& tuned = result_.tests[i];
    tuned.tried = trials_[i].size();
    if (const Trial* found = best(i); found != nullptr) {
      tuned.best = *found;
      tuned.problem.clear();
      const auto ks = stats::stationarity(std::span<const double>(found->slice_rates));
      tuned.is_stable = !ks || ks->p_value >= kUnstable;
    }
  }
  return std::move(result_);
}

// Every test draws its own environments, known ones first.
void search_randomly(Search& search, std::size_t tests, bool peeking) {
  const double slice = search.options().evaluation / kPeeks;
  std::vector<bool> active(tests, true);
  std::vector<std::size_t> known_tried(tests, 0);
  const std::vector<std::size_t> known = search.space().known();
  while (!search.is_over() && std::find(active.begin(), active.end(), true) != active.end()) {
    const std::size_t test = search.neediest(active);
    std::optional<std::size_t> drawn;
    if (known_tried[test] < known.size()) {
      drawn = known[known_tried[test]++];
    } else {
      drawn = search.space().draw([&](std::size_t e) { return search.was_tried(test, e); }, search.rng());
    }
    if (!drawn) {
      active[test] = false;
      continue;
    }
    for (int i = 0; i < kPeeks && !search.is_over(); ++i) {
      if (search.measure(test, *drawn, slice).seconds <= 0) break;
      if (peeking && search.is_beaten(test, *drawn)) break;
    }
    if (search.trial(test, *drawn).sum.seconds > 0) search.promote(test, *drawn);
  }
}

TuneResult tune(std::size_t tests, EnvironmentSpace& space, Measurer& measurer, const TuneOptions& options,
                const TuneWatch& watch) {
  Search search(tests, space, measurer, options, watch);
  if (tests == 0) return search.finish();
  if (options.strategy == Strategy::adaptive) {
    search_adaptively(search, tests);
  } else {
    search_randomly(search, tests, options.strategy == Strategy::peeking);
  }
  return search.finish();
}

}  // namespace weakspot::campaign
