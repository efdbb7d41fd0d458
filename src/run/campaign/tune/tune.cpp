// SPDX-License-Identifier: MIT
#include "campaign/tune.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "base/names.h"
#include "campaign/tune/tune_search.h"
#include "stats/stationarity.h"

namespace weakspot::campaign {
namespace {

constexpr base::Named<Strategy> kStrategies[] = {
    {"random", Strategy::random},
    {"peeking", Strategy::peeking},
    {"adaptive", Strategy::adaptive},
};

// The p-value below which a rate is called unstable: an unchanged device gives it once in a thousand times.
constexpr double kUnstable = 1e-3;
constexpr int kPeeks = 10;
// The part of the budget that checks may take.
constexpr double kCheckPart = 0.1;
// Far from the seeds of the search.
constexpr std::uint64_t kCheckSeeds = std::uint64_t{1} << 40;

// Whether this many samples could reveal a change: the test must notice a steady rise.
bool can_tell(std::size_t samples) {
  std::vector<double> rising(samples);
  std::iota(rising.begin(), rising.end(), 0.0);
  const auto ks = stats::stationarity(std::span<const double>(rising));
  return ks && ks->p_value < kUnstable;
}

// Nothing if most slices have no kills: they all look the same.
std::optional<bool> is_stable(std::span<const double> rates) {
  const auto silent = static_cast<std::size_t>(std::count(rates.begin(), rates.end(), 0.0));
  if (!can_tell(rates.size()) || 2 * silent > rates.size()) return std::nullopt;
  return stats::stationarity(rates)->p_value >= kUnstable;
}

}  // namespace

std::string_view to_string(Strategy strategy) { return base::name_of(kStrategies, strategy); }
std::optional<Strategy> strategy_named(std::string_view name) { return base::value_of(kStrategies, name); }

Search::Search(std::size_t tests, EnvironmentSpace& space, Measurer& measurer, const TuneOptions& options,
               const TuneWatch& watch)
    : space_(space),
      measurer_(measurer),
      options_(options),
      watch_(watch),
      search_budget_(0),
      rng_(options.seed),
      trials_(tests),
      best_(tests),
      checked_(tests) {
  const double dearest = static_cast<double>(options.checks * tests) * options.evaluation / 2;
  search_budget_ = options.budget - std::min(kCheckPart * options.budget, dearest);
  result_.tests.resize(tests);
}

Slice Search::measure(std::size_t test, std::size_t environment, double seconds) {
  const Cell cell{test, space_.at(environment)};
  const Slice slice = measurer_.measure(cell, seconds, options_.seed + ++result_.slices);
  Trial& trial = trials_[test].try_emplace(environment, Trial{environment, {}, {}}).first->second;
  trial.sum.add(slice);
  if (slice.seconds > 0) trial.slice_rates.push_back(static_cast<double>(slice.kills) / slice.seconds);
  account(test, slice, seconds);
  return slice;
}

void Search::account(std::size_t test, const Slice& slice, double asked) {
  // A test that cannot run still costs something: a search in which nothing runs must end. A lost device costs more.
  const double least = slice.lost ? asked : slice.problem.empty() ? 0 : options_.least / 10;
  const double spent = std::max(slice.seconds, least);
  result_.seconds += spent;
  result_.tests[test].seconds += spent;
  if (!slice.problem.empty()) result_.tests[test].problem = slice.problem;
  losses_.note(slice);
  if (losses_.is_gone()) {
    stopped_ = true;
    result_.lost = slice.problem;
  }
  const bool ended = watch_ && watch_(result_.seconds, test, best(test));
  if (slice.interrupted || ended) {
    stopped_ = true;
    result_.is_interrupted = true;
  }
}

const Trial* Search::best(std::size_t test) const { return best_[test] ? &trials_[test].at(*best_[test]) : nullptr; }

// Compares lower ends of intervals: a lucky short trial must not win.
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

// The best environments of the tests that surely have a kill per slice on average.
std::vector<Cell> Search::worth_checking() const {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < best_.size(); ++i) {
    const Trial* found = best(i);
    if (found == nullptr || found->sum.rate().interval.low * options_.least < 1) continue;
    cells.push_back({i, space_.at(found->environment)});
  }
  return cells;
}

void Search::check() {
  if (options_.checks == 0 || stopped_) return;
  std::vector<Cell> cells = worth_checking();
  // A slice may take longer than asked: the first ones tell how many tests there is time for.
  const double least = options_.least * static_cast<double>(options_.checks);
  const double room = options_.budget - result_.seconds;
  cells.resize(std::min(cells.size(), static_cast<std::size_t>(std::max(room, 0.0) / least)));
  measurer_.announce(cells);
  std::vector<double> costs;
  // In turns, so that a change of the device affects all tests.
  for (std::size_t k = 0; k < options_.checks; ++k) {
    for (const Cell& cell : cells) {
      if (stopped_ || result_.seconds >= options_.budget) return;
      const Slice slice = measurer_.check(cell, options_.least, options_.seed + kCheckSeeds + k);
      ++result_.slices;
      if (k == 0) costs.push_back(slice.seconds);
      if (slice.seconds > 0 && !slice.lost) {
        trials_[cell.test].at(*best_[cell.test]).sum.add(slice);
        checked_[cell.test].push_back(slice.rate().value);
      }
      account(cell.test, slice, options_.least);
    }
    if (k != 0) continue;
    double left = options_.budget - result_.seconds;
    std::size_t affordable = 0;
    for (; affordable < cells.size(); ++affordable) {
      left -= costs[affordable] * static_cast<double>(options_.checks - 1);
      if (left < 0) break;
    }
    cells.resize(affordable);
  }
}

TuneResult Search::finish() {
  for (std::size_t i = 0; i < result_.tests.size(); ++i) {
    TunedTest& tuned = result_.tests[i];
    tuned.tried = trials_[i].size();
    if (const Trial* found = best(i); found != nullptr) {
      tuned.best = *found;
      tuned.problem.clear();
      tuned.is_stable = is_stable(can_tell(checked_[i].size()) ? checked_[i] : found->slice_rates);
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
  search.check();
  return search.finish();
}

}  // namespace weakspot::campaign
