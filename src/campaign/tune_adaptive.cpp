// The adaptive strategy: generations of small batches, raced by successive halving.
#include <algorithm>
#include <tuple>
#include <vector>

#include "campaign/tune_search.h"

namespace weakspot::campaign {
namespace {

// Contenders per test and generation, once what was found guides the search.
constexpr std::size_t kBatch = 6;
// Environments drawn blindly before that, and how many of them race together.
constexpr std::size_t kBlind = 48;
constexpr std::size_t kBlindBatch = 24;
// The best ones that others are bred from.
constexpr std::size_t kElite = 4;
// Kills after which chance accounts for a few per cent.
constexpr double kDecisive = 4000;
constexpr double kMostPatience = 4;

class Adaptive {
 public:
  Adaptive(Search& search, std::size_t tests)
      : search_(search),
        tests_(tests),
        active_(tests, true),
        known_tried_(tests, 0),
        patience_(tests, search.space().is_finite() ? 0.125 : 1) {}

  void run() {
    while (!search_.is_over() && std::find(active_.begin(), active_.end(), true) != active_.end()) generation();
  }

 private:
  using Batch = std::vector<std::size_t>;

  // All tests draw first, so that a device can compile everything at once; whoever has had least time races first.
  void generation() {
    std::vector<Batch> batches(tests_);
    std::vector<Cell> cells;
    for (std::size_t test = 0; test < tests_; ++test) {
      if (!active_[test]) continue;
      batches[test] = contenders(test);
      for (const std::size_t e : batches[test]) cells.push_back({test, search_.space().at(e)});
      if (batches[test].empty()) active_[test] = false;
    }
    search_.measurer().announce(cells);
    std::vector<bool> waiting = active_;
    while (!search_.is_over() && std::find(waiting.begin(), waiting.end(), true) != waiting.end()) {
      const std::size_t test = search_.neediest(waiting);
      waiting[test] = false;
      race(test, std::move(batches[test]));
    }
  }

  bool is_new(std::size_t test, std::size_t e, const Batch& batch) const {
    return !search_.was_tried(test, e) && std::find(batch.begin(), batch.end(), e) == batch.end();
  }

  Batch contenders(std::size_t test) {
    Batch batch;
    auto add = [&](std::optional<std::size_t> e) {
      if (e && is_new(test, *e, batch)) batch.push_back(*e);
    };
    const Tried tried = [&](std::size_t e) { return !is_new(test, e, batch); };
    const bool begins = search_.trials(test).size() < kBlind;
    const std::size_t size = begins ? kBlindBatch : kBatch;
    add_from_others(test, batch);
    const std::vector<std::size_t> known = search_.space().known();
    while (batch.size() < size && known_tried_[test] < known.size()) add(known[known_tried_[test]++]);
    const std::vector<std::size_t> elite = elite_of(test);
    for (std::size_t attempt = 0; attempt < 2 * size && batch.size() < size; ++attempt) {
      if (begins || elite.empty() || search_.rng().percent(20)) {
        add(search_.space().draw(tried, search_.rng()));
      } else if (elite.size() > 1 && search_.rng().percent(25)) {
        const std::size_t a = search_.rng().below(elite.size());
        const std::size_t b = search_.rng().below(elite.size());
        add(search_.space().cross(elite[a], elite[b], tried, search_.rng()));
      } else {
        // The best one has most children.
        const std::size_t parent = std::min(search_.rng().below(elite.size()), search_.rng().below(elite.size()));
        add(search_.space().vary(elite[parent], tried, search_.rng()));
      }
    }
    while (batch.empty()) {
      batch = undecided(test);
      if (!batch.empty() || patience_[test] >= kMostPatience) break;
      patience_[test] *= 2;
    }
    return batch;
  }

  // What is among the best for other tests, what is good for most of them first. A test that was never seen to show its
  // outcome has little else to go by.
  void add_from_others(std::size_t test, Batch& batch) const {
    const bool lost = search_.best(test) == nullptr || search_.best(test)->sum.kills == 0;
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t other = 0; other < tests_; ++other) {
      if (other == test) continue;
      for (const std::size_t e : elite_of(other)) {
        if (is_new(test, e, batch)) order.emplace_back(-promise(e), e);
      }
    }
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    for (std::size_t i = 0; i < order.size() && batch.size() < (lost ? 4u : 2u); ++i) batch.push_back(order[i].second);
  }

  // How good an environment is for the tests that were tried in it, as a part of what is best for each.
  double promise(std::size_t e) const {
    double sum = 0;
    std::size_t count = 1;
    for (std::size_t test = 0; test < tests_; ++test) {
      const Trial* best = search_.best(test);
      if (best == nullptr || best->sum.kills == 0 || !search_.was_tried(test, e)) continue;
      sum += std::min(rate(test, e) / best->sum.rate().value, 1.0);
      ++count;
    }
    return sum / static_cast<double>(count);
  }

  std::vector<std::size_t> elite_of(std::size_t test) const {
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [e, trial] : search_.trials(test)) {
      if (trial.sum.kills > 0) order.emplace_back(-trial.sum.rate(kRaceConfidence).interval.low, e);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> elite;
    for (std::size_t i = 0; i < order.size() && i < kElite; ++i) elite.push_back(order[i].second);
    return elite;
  }

  // Where there is nothing new to try: those that may still be better than the best, the most promising first. None:
  // the search for this test is over.
  Batch undecided(std::size_t test) const {
    std::vector<std::tuple<double, double, std::size_t>> order;
    const Trial* best = search_.best(test);
    for (const auto& [e, trial] : search_.trials(test)) {
      const bool is_best = best != nullptr && best->environment == e;
      if (is_best || trial.sum.seconds == 0 || search_.is_beaten(test, e) || is_decided(test, trial)) continue;
      const double most = trial.sum.kills == 0 ? 0 : trial.sum.rate(kRaceConfidence).interval.high;
      order.emplace_back(-most, -promise(e), e);
    }
    std::sort(order.begin(), order.end());
    Batch batch;
    for (std::size_t i = 0; i < order.size() && i < kBatch; ++i) batch.push_back(std::get<2>(order[i]));
    return batch;
  }

  // Measured well enough to be called better or worse.
  bool is_decided(std::size_t test, const Trial& trial) const {
    return static_cast<double>(trial.sum.kills) >= kDecisive * patience_[test] ||
           trial.sum.seconds >= search_.options().evaluation * patience_[test];
  }

  // Each round has twice the time of the one before and half of the contenders, less those that are surely beaten. Of
  // contenders that show nothing those stay that are good for other tests.
  void race(std::size_t test, Batch alive) {
    // Who was measured before goes on from there.
    double slice = search_.options().least;
    for (const std::size_t e : alive) {
      if (search_.was_tried(test, e)) slice = std::max(slice, search_.trial(test, e).sum.seconds);
    }
    slice = std::min(slice, search_.options().evaluation * patience_[test] / 2);
    while (!alive.empty() && !search_.is_over()) {
      std::vector<std::tuple<double, double, std::size_t>> order;
      for (const std::size_t e : alive) {
        if (search_.is_over()) return;
        if (!search_.measure(test, e, slice)) continue;
        if (search_.best(test) == nullptr) search_.promote(test, e);
        if (!search_.is_beaten(test, e)) order.emplace_back(-rate(test, e), -promise(e), e);
      }
      std::sort(order.begin(), order.end());
      order.resize((order.size() + 1) / 2);
      alive.clear();
      for (const auto& [by_rate, by_promise, e] : order) {
        if (!is_decided(test, search_.trial(test, e))) {
          alive.push_back(e);
          continue;
        }
        settle(test, e);
      }
      // The winner of a round can take the lead before it is measured well.
      if (!order.empty()) search_.promote(test, std::get<2>(order.front()));
      slice *= 2;
    }
  }

  double rate(std::size_t test, std::size_t e) const { return search_.trial(test, e).sum.rate().value; }

  // A contender that may be better than the best is measured as long as that was, so that they can be compared.
  void settle(std::size_t test, std::size_t contender) {
    const Trial* best = search_.best(test);
    const double behind = best == nullptr ? 0 : best->sum.seconds - search_.trial(test, contender).sum.seconds;
    if (behind > search_.options().least && !search_.is_beaten(test, contender) && !search_.is_over()) {
      search_.measure(test, contender, behind);
    }
    search_.promote(test, contender);
  }

  Search& search_;
  std::size_t tests_;
  std::vector<bool> active_;
  std::vector<std::size_t> known_tried_;
  // Evaluations that a trial is given to be decided. Where all can be tried, first all of them roughly.
  std::vector<double> patience_;
};

}  // namespace

void search_adaptively(Search& search, std::size_t tests) { Adaptive(search, tests).run(); }

}  // namespace weakspot::campaign
