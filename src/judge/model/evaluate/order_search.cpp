// SPDX-License-Identifier: MIT
#include "model/evaluate/order_search.h"

#include <algorithm>

namespace weakspot::model {
namespace {

// Looking through more clauses takes longer than the guesses that they save.
constexpr std::size_t kMostClauses = 256;

using Pairs = std::vector<std::pair<EventId, EventId>>;

bool contains_all(const Relation& relation, const Pairs& pairs) {
  return std::all_of(pairs.begin(), pairs.end(),
                     [&](const auto& pair) { return relation.has(pair.first, pair.second); });
}

void insert_all(Relation& relation, const Pairs& pairs) {
  for (const auto& [a, b] : pairs) relation.insert(a, b);
}

}  // namespace

void OrderSearch::begin(const Frame& frame, std::vector<std::vector<EventId>> parts) {
  events_ = frame.size();
  parts_ = std::move(parts);
  part_of_.assign(events_, 0);
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    for (EventId event : parts_[i]) part_of_[event] = i;
  }
  clauses_.clear();
  clauses_.reserve(kMostClauses);  // so that pointers to them stay valid
  bytes_ = 0;
}

// Starts on another candidate.
void OrderSearch::choose_active(const Relation& rf, const Relation& co) {
  here_.clear();
  active_.clear();
  for (const Clause& clause : clauses_) {
    if (contains_all(rf, clause.rf) && contains_all(co, clause.co)) active_.push_back(&clause);
  }
}

bool OrderSearch::forced(const Relation& rf, const Relation& co, Relation& order) {
  order.resize(events_);
  choose_active(rf, co);
  return propagate(order);
}

bool OrderSearch::find(const Candidate& candidate, const Relation& contains, OrderChecks& checks,
                       Allowance& allowance) {
  candidate_ = &candidate;
  checks_ = &checks;
  allowance_ = &allowance;
  choose_active(*candidate.rf, *candidate.co);
  Relation order(events_);
  for (const std::vector<EventId>& part : parts_) {
    for (EventId a : part) {
      for (EventId b : part) {
        if (contains.has(a, b) && !add(order, a, b)) return false;
      }
    }
  }
  return search(order);
}

bool OrderSearch::add(Relation& order, EventId before, EventId after) const {
  if (order.has(before, after)) return true;
  if (before == after || order.has(after, before)) return false;
  const std::size_t words = order.words_per_row();
  const std::uint64_t* later = order.row(after);
  for (EventId event : parts_[part_of_[before]]) {
    if (event != before && !order.has(event, before)) continue;
    std::uint64_t* row = order.row(event);
    for (std::size_t i = 0; i < words; ++i) row[i] |= later[i];
    order.insert(event, after);
  }
  return true;
}

// A clause of which all pairs but one are there forces that one the other way round.
bool OrderSearch::propagate(Relation& order) const {
  for (bool changed = true; changed;) {
    changed = false;
    auto apply = [&](const Clause& clause) {
      const Pair* last = nullptr;
      for (const Pair& pair : clause.order) {
        if (order.has(pair.first, pair.second)) continue;
        if (last != nullptr || order.has(pair.second, pair.first)) return true;
        last = &pair;
      }
      changed = true;
      return last != nullptr && add(order, last->second, last->first);
    };
    for (const Clause* clause : active_) {
      if (!apply(*clause)) return false;
    }
    for (const Clause& clause : here_) {
      if (!apply(clause)) return false;
    }
  }
  return true;
}

// Returns a clause that neither holds already nor forces anything; null if there is none.
const OrderSearch::Clause* OrderSearch::open_clause(const Relation& order) const {
  auto open = [&](const Clause& clause) {
    return std::none_of(clause.order.begin(), clause.order.end(),
                        [&](const Pair& pair) { return order.has(pair.second, pair.first); });
  };
  for (const Clause* clause : active_) {
    if (open(*clause)) return clause;
  }
  const auto found = std::find_if(here_.begin(), here_.end(), open);
  return found == here_.end() ? nullptr : &*found;
}

// Decides an open clause by trying one of its pairs reversed, then as it is. Once no clause is open, guesses a total
// order; if that fails, learns a clause from it and goes on.
bool OrderSearch::search(Relation& order) {
  Relation total(events_);
  while (!allowance_->spend()) {
    if (!propagate(order)) return false;
    if (const Clause* clause = open_clause(order)) {
      const auto undecided = std::find_if(clause->order.begin(), clause->order.end(),
                                          [&](const Pair& pair) { return !order.has(pair.first, pair.second); });
      const Pair pair = *undecided;
      Relation other = order;
      if (add(other, pair.second, pair.first) && search(other)) return true;
      if (!add(order, pair.first, pair.second)) return false;
      continue;
    }
    extend(order, total);
    if (checks_->passes(total)) return true;
    if (allowance_->used_up() || !learn(order, total)) return false;
  }
  return false;
}

// The order that passed last, as far as possible.
void OrderSearch::extend(const Relation& order, Relation& total) {
  total.clear();
  for (std::vector<EventId>& part : parts_) {
    free_.swap(part);
    part.clear();
    while (!free_.empty()) {
      const auto first = std::find_if(free_.begin(), free_.end(), [&](EventId event) {
        return std::none_of(free_.begin(), free_.end(), [&](EventId other) { return order.has(other, event); });
      });
      const EventId event = *first;
      free_.erase(first);
      for (EventId earlier : part) total.insert(earlier, event);
      part.push_back(event);
    }
  }
}

OrderSearch::Pairs OrderSearch::pairs_of(const Relation& relation) const {
  Pairs pairs;
  relation.for_each([&](EventId a, EventId b) { pairs.emplace_back(a, b); });
  return pairs;
}

// A few of the pairs on which it still fails. It must fail on all of them, and never pass again as pairs are added.
template <typename Fails>
OrderSearch::Pairs OrderSearch::find_core(const Pairs& pairs, const Fails& fails) {
  Pairs core;
  Pairs tried;
  std::size_t end = pairs.size();
  auto fails_on = [&](std::size_t count) {
    tried = core;
    tried.insert(tried.end(), pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count));
    return fails(tried);
  };
  while (!allowance_->spend() && end > 0 && !fails_on(0)) {
    // Fails on `high` and not on `low`.
    std::size_t low = 0;
    std::size_t high = end;
    while (high - low > 1 && !allowance_->spend()) {
      const std::size_t middle = low + (high - low) / 2;
      (fails_on(middle) ? high : low) = middle;
    }
    core.push_back(pairs[high - 1]);
    end = high - 1;
  }
  return core;
}

bool OrderSearch::learn(const Relation& order, const Relation& total) {
  if (checks_->fails(order)) return false;
  Clause clause;
  if (!checks_->fails(total)) {
    // The bounds of this model are too weak: only this order is known to fail.
    clause.order = pairs_of(total);
  } else {
    Relation rest = total;
    rest -= order;
    clause.order = find_core(pairs_of(rest), [&](const Pairs& tried) {
      Relation with = order;
      insert_all(with, tried);
      return checks_->fails(with);
    });
    const Pairs blamed = clause.order;
    const Pairs needed = find_core(pairs_of(order), [&](const Pairs& tried) {
      Relation with(events_);
      insert_all(with, blamed);
      insert_all(with, tried);
      return checks_->fails(with);
    });
    clause.order.insert(clause.order.end(), needed.begin(), needed.end());
  }
  if (!allowance_->used_up()) generalise(std::move(clause));
  return true;
}

// Finds what the clause needs of rf and co, and keeps it for other candidates. Checks that want more coherence are not
// asked there: what only they forbid is kept for the candidate at hand.
void OrderSearch::generalise(Clause clause) {
  Relation order(events_);
  insert_all(order, clause.order);
  const bool general = clauses_.size() < kMostClauses && checks_->fails_within(*candidate_->rf, *candidate_->co, order);
  if (!general) {
    checks_->restore();
    here_.push_back(std::move(clause));
    return;
  }
  clause.co = find_core(pairs_of(*candidate_->co), [&](const Pairs& tried) {
    Relation co(events_);
    insert_all(co, tried);
    return checks_->fails_within(*candidate_->rf, co, order);
  });
  Relation co(events_);
  insert_all(co, clause.co);
  clause.rf = find_core(pairs_of(*candidate_->rf), [&](const Pairs& tried) {
    Relation rf(events_);
    insert_all(rf, tried);
    return checks_->fails_within(rf, co, order);
  });
  checks_->restore();
  if (allowance_->used_up()) return;
  bytes_ += sizeof(Clause) + (clause.rf.size() + clause.co.size() + clause.order.size()) * sizeof(Pair);
  active_.push_back(&clauses_.emplace_back(std::move(clause)));
}

}  // namespace weakspot::model
