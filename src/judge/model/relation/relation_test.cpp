// SPDX-License-Identifier: MIT
#include "model/relation/relation.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "base/rng.h"

namespace weakspot::model::relation_test {
namespace {

// The obvious versions: sets of pairs.
using Pairs = std::set<std::pair<EventId, EventId>>;

Pairs pairs_of(const Relation& relation) {
  Pairs pairs;
  relation.for_each([&](EventId from, EventId to) { pairs.emplace(from, to); });
  return pairs;
}

Pairs compose(const Pairs& a, const Pairs& b) {
  Pairs result;
  for (auto [x, y] : a) {
    for (auto [y2, z] : b) {
      if (y == y2) result.emplace(x, z);
    }
  }
  return result;
}

Pairs closure(Pairs relation) {
  for (;;) {
    Pairs more = compose(relation, relation);
    more.insert(relation.begin(), relation.end());
    if (more.size() == relation.size()) return relation;
    relation = std::move(more);
  }
}

Relation random_relation(base::Rng& rng, std::size_t events, std::size_t pairs) {
  Relation relation(events);
  for (std::size_t i = 0; i < pairs; ++i) {
    relation.insert(static_cast<EventId>(rng.below(events)), static_cast<EventId>(rng.below(events)));
  }
  return relation;
}

EventSet random_set(base::Rng& rng, std::size_t events) {
  EventSet set(events);
  for (EventId i = 0; i < events; ++i) {
    if (rng.percent(40)) set.insert(i);
  }
  return set;
}

// Every size class of the kernels: lanes of 16, 32 and 64 bits, tables, and several words per row.
class RelationOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(RelationOracle, AgreesWithSetsOfPairs) {
  const std::size_t n = GetParam();
  base::Rng rng(n);
  for (int round = 0; round < (n < 64 ? 25 : 6); ++round) {
    const Relation a = random_relation(rng, n, rng.below(n * 4 + 1));
    const Relation b = random_relation(rng, n, rng.below(n * 4 + 1));
    const Pairs pa = pairs_of(a);
    const Pairs pb = pairs_of(b);
    EXPECT_EQ(a.count(), pa.size());
    EXPECT_EQ(a.empty(), pa.empty());

    Relation composed;
    composed.assign_composition(a, b);
    EXPECT_EQ(pairs_of(composed), compose(pa, pb));

    if (n <= 20 || round == 0) {
      Relation closed = a;
      closed.close();
      const Pairs expected = closure(pa);
      EXPECT_EQ(pairs_of(closed), expected);
      const bool acyclic = std::none_of(expected.begin(), expected.end(), [](auto p) { return p.first == p.second; });
      EXPECT_EQ(a.is_acyclic(), acyclic);
      EXPECT_EQ(closed.is_irreflexive(), acyclic);
      EXPECT_EQ(find_cycle(a).empty(), acyclic);
      Relation star = a;
      star.close(true);
      Relation identity = Relation::identity(EventSet::all(n));
      EXPECT_EQ(star, identity |= closed);
    }

    Relation inverse;
    inverse.assign_inverse(a);
    for (auto [x, y] : pa) EXPECT_TRUE(inverse.has(y, x));
    EXPECT_EQ(inverse.count(), pa.size());

    Relation complement;
    complement.assign_complement(a);
    EXPECT_EQ(complement.count(), n * n - pa.size());
    Relation both = complement;
    EXPECT_TRUE((both &= a).empty());

    Relation difference = a;
    difference -= b;
    Relation united = a;
    united |= b;
    for (auto [x, y] : pa) EXPECT_EQ(difference.has(x, y), !pb.contains({x, y}));
    EXPECT_EQ(united.count(), difference.count() + pb.size());

    const EventSet from = random_set(rng, n);
    const EventSet to = random_set(rng, n);
    Relation restricted = a;
    restricted.restrict_domain(from);
    restricted.restrict_range(to);
    Relation product = Relation::product(from, to);
    EXPECT_EQ(restricted, product &= a);
    EXPECT_EQ(restricted.domain().count() > 0, !restricted.empty());
    EventSet domain = restricted.domain();
    EXPECT_TRUE((domain -= from).empty());
    EventSet range = restricted.range();
    EXPECT_TRUE((range -= to).empty());
    EXPECT_EQ(from.complement().count(), n - from.count());
  }
}

TEST_P(RelationOracle, WitnessesHold) {
  const std::size_t n = GetParam();
  base::Rng rng(n + 1000);
  for (int round = 0; round < 30; ++round) {
    const Relation a = random_relation(rng, n, n + rng.below(n));
    const std::vector<EventId> cycle = find_cycle(a);
    for (std::size_t i = 0; i < cycle.size(); ++i) EXPECT_TRUE(a.has(cycle[i], cycle[(i + 1) % cycle.size()]));
    // No shorter one: no power of the relation below the cycle's length has a reflexive pair.
    if (!cycle.empty() && n <= 33) {
      Relation power = a;
      for (std::size_t length = 1; length < cycle.size(); ++length) {
        EXPECT_TRUE(power.is_irreflexive());
        Relation next;
        next.assign_composition(power, a);
        power = next;
      }
      EXPECT_FALSE(power.is_irreflexive());
    }
    Relation closed = a;
    closed.close();
    const auto from = static_cast<EventId>(rng.below(n));
    const auto to = static_cast<EventId>(rng.below(n));
    const std::vector<EventId> path = find_path(a, from, to);
    EXPECT_EQ(path.empty(), !closed.has(from, to));
    for (std::size_t i = 0; i + 1 < path.size(); ++i) EXPECT_TRUE(a.has(path[i], path[i + 1]));
    if (!path.empty()) {
      EXPECT_EQ(path.front(), from);
      EXPECT_EQ(path.back(), to);
    }
    const auto pair = find_pair(a);
    EXPECT_EQ(pair.has_value(), !a.empty());
    if (pair) {
      EXPECT_TRUE(a.has(pair->first, pair->second));
    }
    EXPECT_EQ(find_reflexive(a).has_value(), !a.is_irreflexive());
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RelationOracle, testing::Values(1, 5, 12, 16, 17, 31, 32, 33, 63, 64, 65, 128, 130));

TEST(Relation, NoEvents) {
  Relation empty(0);
  EXPECT_TRUE(empty.empty());
  EXPECT_TRUE(empty.is_acyclic());
  empty.close(true);
  EXPECT_TRUE(empty.empty());
  EXPECT_TRUE(EventSet::all(0).empty());
}

TEST(Relation, DenseCompositionByTables) {
  base::Rng rng(3);
  for (std::size_t n = 16; n <= 32; ++n) {
    const Relation a = random_relation(rng, n, n * n / 2);
    const Relation b = random_relation(rng, n, n * n / 8);
    Relation composed;
    composed.assign_composition(a, b);
    EXPECT_EQ(pairs_of(composed), compose(pairs_of(a), pairs_of(b)));
  }
}

}  // namespace
}  // namespace weakspot::model::relation_test
