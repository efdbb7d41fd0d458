// SPDX-License-Identifier: MIT
#include "questions/change_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <span>

#include "base/plural.h"
#include "base/sort.h"
#include "base/wording.h"

namespace weakspot::questions {
namespace {

using Reach = model::Verdict::Reach;

class ChangeSearch {
 public:
  ChangeSearch(Changeable& what, const SearchOptions& options) : what_(what), options_(options) {}

  SearchResult run() {
    if (options_.known) known_.emplace(Changes(), Reach::allowed);
    result_.reach = reach({});
    if (result_.reach != Reach::allowed) {
      result_.complete = result_.reach == Reach::forbidden;
      return std::move(result_);
    }
    const Changes strongest = all_strongest();
    if (options_.quick) {
      add_single(strongest);
      add_alone();
      if (result_.found.empty()) add_below(strongest);
    } else {
      find_all(strongest);
      add_alone();
    }
    finish();
    if (!result_.reason.empty()) result_.reason = base::worded(std::move(result_.reason));
    return std::move(result_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool stopped() {
    if (!result_.complete) return true;
    const std::atomic<bool>* stop = options_.limits.stop;
    if (stop != nullptr && stop->load()) {
      result_.reason = "interrupted";
    } else if (options_.most != 0 && result_.judged >= options_.most) {
      result_.reason = fmt::format("the limit is {}", base::counted(options_.most, "test"));
    } else if (options_.limits.time.count() != 0 && Clock::now() - start_ >= options_.limits.time) {
      result_.reason = "out of time";
    } else {
      return false;
    }
    result_.complete = false;
    return true;
  }

  // The time that is left, as limits.
  model::Limits limits() const {
    model::Limits left = options_.limits;
    if (left.time.count() == 0) return left;
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    // The proof that a way is minimal may take a little more.
    left.time = std::max({left.time - used, left.time / 10, std::chrono::milliseconds(1)});
    return left;
  }

  bool at_most_as_strong(std::size_t place, std::size_t a, std::size_t b) const {
    return what_.at_most_as_strong({place, a}, {place, b});
  }

  // The verdict that follows from the tests judged so far, if any.
  std::optional<Reach> known(const Changes& changes) const {
    if (const auto own = known_.find(changes); own != known_.end()) return own->second;
    // All ways are promised to be minimal by the judge's own word; an explanation is not.
    if (!options_.quick) return std::nullopt;
    for (const auto& [other, reach] : known_) {
      if (reach == Reach::allowed && at_most(changes, other)) return reach;
      if (reach == Reach::forbidden && at_most(other, changes)) return reach;
    }
    return std::nullopt;
  }

  Reach reach(const Changes& changes) {
    if (const std::optional<Reach> reach = known(changes)) return *reach;
    ++result_.judged;
    const Changeable::Judgement judgement = what_.judge(changes, limits());
    if (changes.empty()) result_.reason = judgement.reason;
    if (judgement.reach == Reach::unknown) unknown_ = judgement.reason;
    return known_[changes] = judgement.reach;
  }

  Changes all_strongest() const {
    Changes changes;
    for (std::size_t place = 0; place < what_.place_count(); ++place) {
      if (!what_.is_alone(place)) changes.push_back({place, what_.alternative_count(place) - 1});
    }
    return changes;
  }

  // The changes that are tried without others.
  void add_alone() {
    for (std::size_t place = 0; place < what_.place_count() && !stopped(); ++place) {
      const Changes changes{{place, 0}};
      if (what_.is_alone(place) && reach(changes) == Reach::forbidden) {
        result_.found.push_back({changes, cost(changes), {}});
      }
    }
  }

  // All ways with one change of these. Where they do not forbid the outcome together, none of them does.
  void add_single(const Changes& changes) {
    if (changes.size() == 1) add_below(changes);
    if (changes.size() < 2 || stopped() || reach(changes) == Reach::allowed) return;
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2);
    add_single(Changes(changes.begin(), middle));
    add_single(Changes(middle, changes.end()));
  }

  // All minimal ways below `top`. Each way that is found splits what is left to look at: a set that is not above it has
  // some place weaker than the way has it.
  void find_all(const Changes& top) {
    std::vector<Changes> open{top};
    while (!open.empty() && !stopped()) {
      const Changes cap = std::move(open.back());
      open.pop_back();
      const bool known =
          std::any_of(allowed_.begin(), allowed_.end(), [&](const Changes& other) { return at_most(cap, other); });
      if (known) continue;
      const auto way = std::find_if(result_.found.begin(), result_.found.end(),
                                    [&](const FoundChanges& other) { return at_most(other.changes, cap); });
      if (way != result_.found.end()) {
        split(cap, way->changes, open);
      } else if (add_below(cap)) {
        open.push_back(cap);
      } else {
        allowed_.push_back(cap);
      }
    }
  }

  // The greatest sets below `cap` that are not above `way`, which is below it.
  void split(const Changes& cap, const Changes& way, std::vector<Changes>& open) const {
    for (const Change& change : way) {
      const auto in_cap =
          std::find_if(cap.begin(), cap.end(), [&](const Change& other) { return other.place == change.place; });
      std::vector<std::size_t> weaker;
      for (std::size_t i = 0; i < what_.alternative_count(change.place); ++i) {
        if (at_most_as_strong(change.place, i, in_cap->alternative) &&
            !at_most_as_strong(change.place, change.alternative, i)) {
          weaker.push_back(i);
        }
      }
      std::vector<std::size_t> greatest;
      std::copy_if(weaker.begin(), weaker.end(), std::back_inserter(greatest), [&](std::size_t i) {
        return std::none_of(weaker.begin(), weaker.end(),
                            [&](std::size_t k) { return k != i && at_most_as_strong(change.place, i, k); });
      });
      Changes without = cap;
      without.erase(without.begin() + (in_cap - cap.begin()));
      if (greatest.empty()) open.push_back(std::move(without));
      for (std::size_t i : greatest) {
        Changes other = cap;
        other[static_cast<std::size_t>(in_cap - cap.begin())].alternative = i;
        open.push_back(std::move(other));
      }
    }
  }

  // Adds a minimal way below `cap`, if there is one: what can be missed is left out, the strongest first, and what
  // remains is weakened as far as it can be.
  bool add_below(Changes changes) {
    if (reach(changes) != Reach::forbidden) return false;
    std::vector<std::size_t> order;
    for (const Change& change : changes) order.push_back(change.place);
    base::sort(order, [&](std::size_t a, std::size_t b) {
      auto top = [&](std::size_t place) { return what_.cost({place, what_.alternative_count(place) - 1}); };
      return std::pair(top(b), b) < std::pair(top(a), a);
    });
    for (std::size_t next = 0; next < order.size(); ++next) {
      next += leave_out(changes, std::span(order).subspan(next));
      if (stopped()) {
        result_.sufficient = changes;
        return false;
      }
      if (next < order.size()) weaken(changes, order[next]);
    }
    result_.found.push_back({changes, cost(changes), {}});
    return true;
  }

  // Leaves out as many of the first of these places as the outcome stays forbidden without; how many that is. One more
  // cannot be left out, so that looking at halves finds the same as looking at one after the other.
  std::size_t leave_out(Changes& changes, std::span<const std::size_t> places) {
    auto without = [&](std::size_t count) {
      const std::span<const std::size_t> left_out = places.first(count);
      Changes rest;
      std::copy_if(changes.begin(), changes.end(), std::back_inserter(rest), [&](const Change& change) {
        return std::find(left_out.begin(), left_out.end(), change.place) == left_out.end();
      });
      return rest;
    };
    std::size_t least = 0;
    std::size_t most = places.size();
    while (least < most && !stopped()) {
      const std::size_t middle = options_.quick || options_.halves ? (least + most + 1) / 2 : least + 1;
      if (reach(without(middle)) == Reach::forbidden) {
        least = middle;
      } else {
        most = middle - 1;
      }
    }
    changes = without(least);
    return least;
  }

  // Takes the first alternative of the place, no stronger than the one in `changes`, that forbids the outcome.
  void weaken(Changes& changes, std::size_t place) {
    Change& own =
        *std::find_if(changes.begin(), changes.end(), [&](const Change& change) { return change.place == place; });
    std::vector<std::size_t> open;  // the last one forbids it
    for (std::size_t i = 0; i <= own.alternative; ++i) {
      if (at_most_as_strong(place, i, own.alternative)) open.push_back(i);
    }
    while (open.size() > 1) {
      const std::size_t middle = options_.quick ? (open.size() - 1) / 2 : 0;
      own.alternative = open[middle];
      if (reach(changes) == Reach::forbidden) {
        open.resize(middle + 1);
        continue;
      }
      const std::size_t allowing = own.alternative;
      const std::size_t forbidding = open.back();
      std::erase_if(open, [&](std::size_t i) {
        return i == allowing || (options_.quick && i != forbidding && at_most_as_strong(place, i, allowing));
      });
    }
    own.alternative = open.back();
  }

  std::size_t cost(const Changes& changes) const {
    std::size_t sum = 0;
    for (const Change& change : changes) sum += what_.cost(change);
    return sum;
  }

  // Whether `b` makes every change of `a`, or a stronger one.
  bool at_most(const Changes& a, const Changes& b) const {
    return std::all_of(a.begin(), a.end(), [&](const Change& change) {
      return std::any_of(b.begin(), b.end(), [&](const Change& other) {
        return change.place == other.place && what_.at_most_as_strong(change, other);
      });
    });
  }

  void finish() {
    if (!unknown_.empty() && result_.complete) {
      result_.complete = false;
      result_.reason = fmt::format("verdicts are unknown: {}", unknown_);
    }
    std::erase_if(result_.found,
                  [&](const FoundChanges& way) { return !options_.quick && way.changes.size() > options_.places; });
    for (FoundChanges& way : result_.found) {
      if (options_.quick) continue;
      for (const Change& change : way.changes) add_weaker(way, change);
    }
    // A set with a weaker one that suffices is not minimal: a stronger form allows more.
    std::erase_if(result_.found, [](const FoundChanges& way) {
      return std::any_of(way.weaker.begin(), way.weaker.end(),
                         [](const WeakerChanges& weaker) { return weaker.reach == Reach::forbidden; });
    });
    base::sort(result_.found, [](const FoundChanges& a, const FoundChanges& b) {
      return std::tuple(a.changes.size() + a.cost, a.changes) < std::tuple(b.changes.size() + b.cost, b.changes);
    });
  }

  void add_weaker(FoundChanges& way, const Change& change) {
    auto below = [&](std::size_t i, std::size_t other) {
      return i != other && at_most_as_strong(change.place, i, other);
    };
    const std::size_t own = change.alternative;
    const std::size_t count = what_.alternative_count(change.place);
    bool lowest = true;
    for (std::size_t i = 0; i < count; ++i) {
      if (!below(i, own)) continue;
      lowest = false;
      bool next = true;
      for (std::size_t k = 0; k < count; ++k) next = next && !(below(k, own) && below(i, k));
      if (next) add_weaker(way, change, Change{change.place, i});
    }
    if (lowest) add_weaker(way, change, std::nullopt);
  }

  void add_weaker(FoundChanges& way, const Change& change, std::optional<Change> instead) {
    WeakerChanges weaker;
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

  Changeable& what_;
  const SearchOptions& options_;
  const Clock::time_point start_ = Clock::now();
  SearchResult result_;
  std::map<Changes, Reach> known_;
  std::string unknown_;           // why some verdict is
  std::vector<Changes> allowed_;  // looked at, and not forbidden
};

}  // namespace

SearchResult search_changes(Changeable& what, const SearchOptions& options) {
  return ChangeSearch(what, options).run();
}

}  // namespace weakspot::questions
