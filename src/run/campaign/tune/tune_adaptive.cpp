// SPDX-License-Identifier: MIT
// The adaptive strategy. A contender is one test in one environment. A model of all rates (stats/rate_model.h)
// estimates the rate of every contender and how uncertain that is. The next slice goes to the contender whose
// measurement promises most per second: the knowledge gradient, the expected rise of the logarithm of its test's best
// known rate.
//
// All environments of a list contend from the start. An endless space is searched in generations: each test gets a few
// new environments, which are drawn, taken from other tests, or bred from the best. All are measured briefly, and the
// best race.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "campaign/tune/tune_search.h"
#include "stats/rate_model.h"

namespace weakspot::campaign {
namespace {

// New contenders per test and generation, once earlier results guide the search.
constexpr std::size_t kBatch = 6;
// Environments drawn at random before that.
constexpr std::size_t kBlind = 24;
// New environments: this many come from other tests; percentages of the others are drawn at random or crossed; the rest
// are variations.
constexpr std::size_t kFromElsewhere = 3;
constexpr unsigned kDrawnPercent = 10;
constexpr unsigned kCrossedPercent = 40;
// The time of the race as a fraction of the time of the first looks.
constexpr double kRacePart = 0.3;
// The best contenders: others are bred from them, and they stay for the next generation.
constexpr std::size_t kElite = 4;
// Environments of a list in which every test is measured before the model is used.
constexpr std::size_t kFirstLooks = 4;
// Programs announced to a device at once: a few rounds of all tests.
constexpr std::size_t kMostAtOnce = 192;
// The most evaluations that a contender gets, and the part of one that its first slice takes at most.
constexpr double kMostEvaluations = 8;
constexpr double kFirstPart = 0.1;
// Slices that confirm a leader, where rates change from one slice to the next.
constexpr std::size_t kConfirmed = 3;
// At most this part of the time goes to tests that never showed their outcome.
constexpr double kUnseenPart = 0.4;
// The smallest expected rise that is worth a slice.
constexpr double kNoGain = 1e-4;
// The model is fitted again after this many slices, and then whenever their number has grown by this factor.
constexpr double kFitAfter = 32;
constexpr double kFitGrowth = 1.3;
// Smaller differences of logarithms do not change plans.
constexpr double kSameMean = 1e-3;
constexpr double kLowest = -1e300;

// The mean of max(0, X - gap) for a normal X around 0.
double expected_rise(double gap, double deviation) {
  const double z = gap / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return deviation * (density - z * std::erfc(z / std::numbers::sqrt2) / 2);
}

class Adaptive {
 public:
  Adaptive(Search& search, std::size_t tests)
      : search_(search),
        tests_(tests),
        model_(tests, {.rate = 1 / search.options().evaluation, .jitter = search.options().jitter}),
        fields_(tests),
        leads_(tests),
        known_tried_(tests, 0) {}

  void run() {
    if (search_.space().is_finite()) {
      enter_all();
      race(search_.options().budget);
      return;
    }
    while (!search_.is_over() && generation()) {
    }
  }

 private:
  struct Contender {
    std::size_t environment = 0;
    double seconds = 0;  // spent on it
    std::size_t slices = 0;
    stats::LogRate rate;
    // Its next slice and what that promises per second; 0: it has had enough, or it cannot run.
    double promise = 0;
    double slice = 0;
    bool refused = false;
  };
  using Field = std::vector<Contender>;
  // The first of a field, and the means of the first two.
  struct Lead {
    std::size_t first = 0;
    double first_mean = kLowest, second_mean = kLowest;
  };

  void enter_all() {
    std::vector<std::size_t> all;
    const Tried listed = [&](std::size_t e) { return std::find(all.begin(), all.end(), e) != all.end(); };
    while (const auto drawn = search_.space().draw(listed, search_.rng())) all.push_back(*drawn);
    for (Field& field : fields_) {
      for (const std::size_t e : all) field.push_back({e});
    }
    look_at(0, kFirstLooks);
    fit();
  }

  // False if there was nothing new to try.
  bool generation() {
    for (Field& field : fields_) keep_elite(field);
    std::vector<std::vector<std::size_t>> entering(tests_);
    for (std::size_t test = 0; test < tests_; ++test) entering[test] = newcomers(test);
    std::size_t most = 0, entered = 0;
    for (std::size_t test = 0; test < tests_; ++test) {
      Field& field = fields_[test];
      const std::size_t old = field.size();
      for (const std::size_t e : entering[test]) field.push_back({e});
      entered += field.size() - old;
      most = std::max(most, field.size());
      // The new ones first.
      std::rotate(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(old), field.end());
    }
    if (entered == 0) return false;
    const double begun = search_.seconds();
    look_at(0, most);
    fit();
    confirm();
    // More time for those that may be the best.
    race(search_.seconds() + (search_.seconds() - begun) * kRacePart);
    confirm();
    return true;
  }

  // Briefly measures the contenders that have not been measured yet; the tests take turns.
  void look_at(std::size_t first, std::size_t last) {
    // Half of what was announced is still to be measured when more is: the device compiles ahead.
    std::size_t announced = first, refill = first;
    for (std::size_t i = first; i < last; ++i) {
      if (i == refill && !search_.is_over()) {
        const std::size_t from = announced;
        announced = announce(from, last);
        refill = announced == last ? last : (std::max(from, i + 1) + announced) / 2;
      }
      for (std::size_t test = 0; test < tests_; ++test) {
        if (search_.is_over()) return;
        if (i >= fields_[test].size() || fields_[test][i].seconds > 0) continue;
        measure(test, fields_[test][i], search_.options().least);
      }
    }
  }

  // Announces as many rows of the fields as are worth compiling at once. Returns the row after them.
  std::size_t announce(std::size_t first, std::size_t last) {
    std::vector<Cell> cells;
    std::size_t i = first;
    for (; i < last && cells.size() < kMostAtOnce; ++i) {
      for (std::size_t test = 0; test < tests_; ++test) {
        if (i >= fields_[test].size() || fields_[test][i].seconds > 0) continue;
        cells.push_back({test, search_.space().at(fields_[test][i].environment)});
      }
    }
    search_.measurer().announce(cells);
    return i;
  }

  static void keep_elite(Field& field) {
    std::erase_if(field, [](const Contender& contender) { return contender.seconds <= 0; });
    std::sort(field.begin(), field.end(), [](const Contender& a, const Contender& b) {
      return a.rate.mean != b.rate.mean ? a.rate.mean > b.rate.mean : a.environment < b.environment;
    });
    if (field.size() > kElite) field.resize(kElite);
  }

  // The fields have only the elites.
  std::vector<std::size_t> newcomers(std::size_t test) {
    std::vector<std::size_t> batch;
    const Tried tried = [&](std::size_t e) {
      return search_.was_tried(test, e) || std::find(batch.begin(), batch.end(), e) != batch.end();
    };
    auto add = [&](std::optional<std::size_t> e) {
      if (e && !tried(*e)) batch.push_back(*e);
    };
    base::Rng& rng = search_.rng();
    const Field& elite = fields_[test];
    const bool begins = search_.trials(test).size() < kBlind;
    const std::size_t size = begins ? kBlind : kBatch;
    for (const std::size_t e : good_elsewhere(test)) add(e);
    const std::vector<std::size_t> known = search_.space().known();
    while (batch.size() < size && known_tried_[test] < known.size()) add(known[known_tried_[test]++]);
    for (std::size_t attempt = 0; attempt < 2 * size && batch.size() < size; ++attempt) {
      if (begins || !was_seen(test) || rng.percent(kDrawnPercent)) {
        add(search_.space().draw(tried, rng));
      } else if (rng.percent(kCrossedPercent)) {
        // Another test's environment may have what this one lacks.
        const Field& other = fields_[rng.below(tests_)];
        if (other.empty()) continue;
        add(search_.space().cross(a_parent(elite).environment, a_parent(other).environment, tried, rng));
      } else {
        add(search_.space().vary(a_parent(elite).environment, tried, rng));
      }
    }
    return batch;
  }

  // The best one has the most children.
  const Contender& a_parent(const Field& elite) {
    base::Rng& rng = search_.rng();
    const std::uint64_t first = rng.below(elite.size());
    return elite[std::min(first, rng.below(elite.size()))];
  }

  // The best ones of other tests that may be the best for this one as well. A test that never showed its outcome has
  // little else to go by.
  std::vector<std::size_t> good_elsewhere(std::size_t test) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t other = 0; other < tests_; ++other) {
      for (const Contender& contender : fields_[other]) {
        const std::size_t e = contender.environment;
        if (contender.seconds <= 0 || search_.was_tried(test, e)) continue;
        const stats::LogRate rate = model_.at(test, e);
        order.emplace_back(-rate.mean - rate.deviation, e);
      }
    }
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < order.size() && i < kFromElsewhere; ++i) chosen.push_back(order[i].second);
    return chosen;
  }

  // The best of many is often only the luckiest, so a leader has to repeat its result. Recorded rates do not change.
  void confirm() {
    if (needed_slices() == 1) return;
    for (std::size_t test = 0; test < tests_; ++test) {
      for (std::size_t i = 0; i < 2 * kConfirmed; ++i) {
        const std::optional<std::size_t> best = best_of(fields_[test], 1);
        if (search_.is_over() || !best || fields_[test][*best].slices >= kConfirmed) break;
        measure(test, fields_[test][*best], search_.options().least);
      }
    }
  }

  std::size_t needed_slices() const { return search_.options().jitter > 0 ? kConfirmed : 1; }

  // The best contender with at least this many slices.
  static std::optional<std::size_t> best_of(const Field& field, std::size_t slices) {
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i].refused || field[i].slices < slices) continue;
      if (!best || field[i].rate.mean > field[*best].rate.mean) best = i;
    }
    return best;
  }

  // Runs until `until` seconds have been spent in all, or nothing is worth measuring.
  void race(double until) {
    while (!search_.is_over() && search_.seconds() < until) {
      const bool seen_first = unseen_seconds() > kUnseenPart * search_.seconds();
      std::optional<Choice> next = seen_first ? most_promising(true) : std::nullopt;
      if (!next) next = most_promising(false);
      if (!next) return;
      measure(next->test, *next->contender, next->contender->slice);
      if (static_cast<double>(slices_) >= next_fit_) fit();
    }
  }

  struct Choice {
    std::size_t test = 0;
    Contender* contender = nullptr;
  };

  std::optional<Choice> most_promising(bool seen_only) {
    std::optional<Choice> most;
    for (std::size_t t = 0; t < tests_; ++t) {
      if (seen_only && !was_seen(t)) continue;
      for (Contender& contender : fields_[t]) {
        if (contender.promise > (most ? most->contender->promise : 0)) most = Choice{t, &contender};
      }
    }
    return most;
  }

  bool was_seen(std::size_t test) const {
    const Trial* best = search_.best(test);
    return best != nullptr && best->sum.kills > 0;
  }

  double unseen_seconds() const {
    double sum = 0;
    for (std::size_t t = 0; t < tests_; ++t) sum += was_seen(t) ? 0 : search_.seconds(t);
    return sum;
  }

  void measure(std::size_t test, Contender& contender, double seconds) {
    const Slice slice = search_.measure(test, contender.environment, seconds);
    ++slices_;
    if (slice.seconds <= 0) {
      contender.refused = true;
      contender.promise = 0;
      return;
    }
    contender.seconds += slice.seconds;
    ++contender.slices;
    model_.observe(test, contender.environment, slice.kills, slice.seconds);
    const auto [first, last] = model_.kin(test);
    for (std::size_t t = first; t < last; ++t) refresh(t, contender.environment);
  }

  void fit() {
    model_.fit();
    next_fit_ = std::max(kFitAfter, static_cast<double>(slices_) * kFitGrowth);
    for (std::size_t t = 0; t < tests_; ++t) {
      for (Contender& contender : fields_[t]) contender.rate = model_.at(t, contender.environment);
      find_lead(t);
      for (std::size_t i = 0; i < fields_[t].size(); ++i) look_ahead(t, i);
    }
  }

  // The estimate of an environment has changed.
  void refresh(std::size_t test, std::size_t environment) {
    Field& field = fields_[test];
    const auto changed = std::find_if(field.begin(), field.end(),
                                      [&](const Contender& contender) { return contender.environment == environment; });
    if (changed == field.end()) return;
    changed->rate = model_.at(test, environment);
    const Lead before = leads_[test];
    find_lead(test);
    const Lead& lead = leads_[test];
    const bool moved = lead.first != before.first || std::abs(lead.first_mean - before.first_mean) > kSameMean ||
                       std::abs(lead.second_mean - before.second_mean) > kSameMean;
    if (!moved) return look_ahead(test, static_cast<std::size_t>(changed - field.begin()));
    for (std::size_t i = 0; i < field.size(); ++i) look_ahead(test, i);
  }

  void find_lead(std::size_t test) {
    Lead lead;
    const Field& field = fields_[test];
    for (std::size_t i = 0; i < field.size(); ++i) {
      if (field[i].refused) continue;
      const double mean = field[i].rate.mean;
      if (mean > lead.first_mean) {
        lead = {i, mean, lead.first_mean};
      } else if (mean > lead.second_mean) {
        lead.second_mean = mean;
      }
    }
    leads_[test] = lead;
    // The search's result so far is the best contender that was measured often enough.
    std::optional<std::size_t> best = best_of(field, needed_slices());
    if (!best) best = best_of(field, 1);
    if (best) search_.prefer(test, field[*best].environment);
  }

  // Estimates the gain of another slice of a contender: how far its estimate is likely to move, and how much of that
  // would raise the best, per second. Long slices tell more, so two lengths are considered.
  void look_ahead(std::size_t test, std::size_t i) {
    Contender& contender = fields_[test][i];
    contender.promise = 0;
    const TuneOptions& options = search_.options();
    const double most = options.evaluation * kMostEvaluations - contender.seconds;
    if (contender.refused || most < options.least) return;
    const auto [mean, deviation] = contender.rate;
    const Lead& lead = leads_[test];
    const double gap = i == lead.first ? mean - lead.second_mean : lead.first_mean - mean;
    if (gap > 8 * deviation) return;
    const double variance = deviation * deviation;
    const double per_second = std::exp(mean);
    const double bold = std::max(options.evaluation * kFirstPart, 2 * contender.seconds);
    for (const double kills : {1.0, 4.0}) {
      const double seconds = std::clamp(kills / (per_second * variance), options.least, most);
      const double learned = variance / std::sqrt(variance + 1 / (per_second * seconds) + jitter_variance());
      // A rate below one kill per evaluation is worth proportionally less.
      const double shown = std::exp(std::max(lead.first_mean, mean + learned)) * options.evaluation;
      const double rise = expected_rise(gap, learned) * shown / (1 + shown);
      if (rise < kNoGain || rise / seconds <= contender.promise) continue;
      contender.promise = rise / seconds;
      // In whole steps, so that a search does not depend on the last digits of a logarithm.
      contender.slice = options.least * std::max(1.0, std::floor(std::min(seconds, bold) / options.least + 0.5));
    }
  }

  double jitter_variance() const { return search_.options().jitter * search_.options().jitter; }

  Search& search_;
  std::size_t tests_;
  stats::RateModel model_;
  std::vector<Field> fields_;  // by test
  std::vector<Lead> leads_;
  std::vector<std::size_t> known_tried_;
  std::uint64_t slices_ = 0;
  double next_fit_ = kFitAfter;
};

}  // namespace

void search_adaptively(Search& search, std::size_t tests) { Adaptive(search, tests).run(); }

}  // namespace weakspot::campaign
