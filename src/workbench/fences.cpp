// SPDX-License-Identifier: MIT
#include "workbench/fences.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

#include "base/plural.h"

namespace weakspot::workbench {
namespace {

using Reach = model::Verdict::Reach;

class Search {
 public:
  Search(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options)
      : test_(test), options_(options), judge_(model) {
    result_.places = places_to_strengthen(test, model);
  }

  Fences run() {
    result_.reach = reach({});
    if (result_.reach != Reach::allowed) {
      result_.complete = result_.reach == Reach::forbidden;
      return std::move(result_);
    }
    std::vector<std::size_t> all(result_.places.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    if (reach(strongest(all)) == Reach::forbidden) {
      const std::size_t most = options_.quick ? 1 : std::min(options_.places, all.size());
      for (std::size_t size = 1; size <= most && !stopped(); ++size) {
        std::vector<std::size_t> chosen;
        subsets(0, size, chosen);
      }
      if (options_.quick && result_.ways.empty()) leave_out(all);
    }
    finish();
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool stopped() {
    if (!result_.complete) return true;
    const std::atomic<bool>* stop = options_.limits.stop;
    if (stop != nullptr && stop->load()) {
      result_.reason = "interrupted";
    } else if (options_.tests != 0 && result_.judged >= options_.tests) {
      result_.reason = fmt::format("the limit is {}", base::counted(options_.tests, "test"));
    } else if (options_.limits.time.count() != 0 && Clock::now() - start_ >= options_.limits.time) {
      result_.reason = "out of time";
    } else {
      return false;
    }
    result_.complete = false;
    return true;
  }

  // What is left of the time.
  model::Limits limits() const {
    model::Limits left = options_.limits;
    if (left.time.count() == 0) return left;
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    left.time = std::max(left.time - used, std::chrono::milliseconds(1));
    return left;
  }

  const Alternative& at(const Change& change) const {
    return result_.places[change.place].alternatives[change.alternative];
  }

  Reach reach(const Changes& changes) {
    const auto [known, fresh] = known_.try_emplace(changes, Reach::unknown);
    if (!fresh) return known->second;
    ++result_.judged;
    const litmus::LitmusTest test = strengthened(test_, result_.places, changes);
    const model::Verdict verdict = judge_.judge(test, {.limits = limits(), .condition_only = !options_.flags});
    if (changes.empty()) result_.reason = verdict.reason;
    if (!options_.flags) return known->second = verdict.reach;
    if (!verdict.flags.empty()) return known->second = Reach::allowed;
    return known->second = verdict.complete ? Reach::forbidden : Reach::unknown;
  }

  Changes strongest(const std::vector<std::size_t>& places) const {
    Changes changes;
    for (std::size_t place : places) changes.push_back({place, result_.places[place].alternatives.size() - 1});
    return changes;
  }

  void subsets(std::size_t from, std::size_t left, std::vector<std::size_t>& chosen) {
    if (stopped()) return;
    if (left == 0) return levels(chosen);
    for (std::size_t place = from; place + left <= result_.places.size(); ++place) {
      chosen.push_back(place);
      subsets(place + 1, left - 1, chosen);
      chosen.pop_back();
    }
  }

  // All ways that change exactly these places.
  void levels(const std::vector<std::size_t>& chosen) {
    if (reach(strongest(chosen)) != Reach::forbidden) return;
    std::vector<Changes> candidates{{}};
    for (std::size_t place : chosen) {
      std::vector<Changes> more;
      for (const Changes& changes : candidates) {
        for (std::size_t i = 0; i < result_.places[place].alternatives.size(); ++i) {
          more.push_back(changes);
          more.back().push_back({place, i});
        }
      }
      candidates = std::move(more);
    }
    std::sort(candidates.begin(), candidates.end(),
              [&](const Changes& a, const Changes& b) { return std::pair(cost(a), a) < std::pair(cost(b), b); });
    for (const Changes& changes : candidates) {
      if (stopped()) return;
      const bool above = std::any_of(result_.ways.begin(), result_.ways.end(),
                                     [&](const Way& way) { return at_most(way.changes, changes); });
      const bool below =
          std::any_of(allowed_.begin(), allowed_.end(), [&](const Changes& known) { return at_most(changes, known); });
      if (above || below) continue;
      if (reach(changes) == Reach::forbidden) {
        result_.ways.push_back({changes, cost(changes), {}, {}});
      } else {
        allowed_.push_back(changes);
      }
    }
  }

  // One minimal set: what can be missed is left out, the strongest first, and what remains is weakened.
  void leave_out(const std::vector<std::size_t>& all) {
    Changes changes = strongest(all);
    std::vector<std::size_t> order = all;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      auto top = [&](std::size_t place) { return result_.places[place].alternatives.back().cost; };
      return std::pair(top(b), b) < std::pair(top(a), a);
    });
    for (std::size_t place : order) {
      Changes without = changes;
      std::erase_if(without, [&](const Change& change) { return change.place == place; });
      if (stopped()) return;
      if (reach(without) == Reach::forbidden) changes = std::move(without);
    }
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Changes weaker = changes;
      for (std::size_t level = 0; level < changes[i].alternative && !stopped(); ++level) {
        weaker[i].alternative = level;
        if (reach(weaker) != Reach::forbidden) continue;
        changes = weaker;
        break;
      }
    }
    result_.ways.push_back({changes, cost(changes), {}, {}});
  }

  std::size_t cost(const Changes& changes) const {
    std::size_t sum = 0;
    for (const Change& change : changes) sum += at(change).cost;
    return sum;
  }

  // Whether `b` makes every change of `a`, or a stronger one.
  bool at_most(const Changes& a, const Changes& b) const {
    return std::all_of(a.begin(), a.end(), [&](const Change& change) {
      return std::any_of(b.begin(), b.end(), [&](const Change& other) {
        return change.place == other.place && at_most_as_strong(at(change), at(other));
      });
    });
  }

  void finish() {
    for (Way& way : result_.ways) {
      way.test = strengthened(test_, result_.places, way.changes);
      if (options_.quick) continue;
      for (const Change& change : way.changes) add_weaker(way, change);
    }
    // A way with a weaker test that is forbidden is not minimal: the model has a stronger test allow more.
    std::erase_if(result_.ways, [](const Way& way) {
      return std::any_of(way.weaker.begin(), way.weaker.end(),
                         [](const WeakerTest& weaker) { return weaker.reach == Reach::forbidden; });
    });
    std::sort(result_.ways.begin(), result_.ways.end(), [](const Way& a, const Way& b) {
      return std::tuple(a.changes.size() + a.cost, a.changes) < std::tuple(b.changes.size() + b.cost, b.changes);
    });
  }

  void add_weaker(Way& way, const Change& change) {
    const std::vector<Alternative>& alternatives = result_.places[change.place].alternatives;
    const Alternative& own = alternatives[change.alternative];
    auto below = [&](std::size_t i, const Alternative& other) {
      return &alternatives[i] != &other && at_most_as_strong(alternatives[i], other);
    };
    bool lowest = true;
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      if (!below(i, own)) continue;
      lowest = false;
      bool next = true;
      for (std::size_t k = 0; k < alternatives.size(); ++k)
        next = next && !(below(k, own) && below(i, alternatives[k]));
      if (next) add_weaker(way, change, Change{change.place, i});
    }
    if (lowest) add_weaker(way, change, std::nullopt);
  }

  void add_weaker(Way& way, const Change& change, std::optional<Change> instead) {
    WeakerTest weaker;
    weaker.lifted = change;
    weaker.as_written = !instead;
    for (const Change& other : way.changes) {
      if (other != change) {
        weaker.changes.push_back(other);
      } else if (instead) {
        weaker.changes.push_back(*instead);
      }
    }
    weaker.reach = reach(weaker.changes);
    way.weaker.push_back(std::move(weaker));
  }

  const litmus::LitmusTest& test_;
  const FencesOptions& options_;
  const Clock::time_point start_ = Clock::now();
  model::BatchJudge judge_;
  Fences result_;
  std::map<Changes, Reach> known_;
  std::vector<Changes> allowed_;  // looked at, and not forbidden
};

}  // namespace

Fences find_fences(const litmus::LitmusTest& test, const model::Model& model, const FencesOptions& options) {
  return Search(test, model, options).run();
}

}  // namespace weakspot::workbench
