// SPDX-License-Identifier: MIT
#include "campaign/score_compare.h"

#include <gtest/gtest.h>

namespace weakspot::campaign {
namespace {

ScoredMutant killed(const std::string& name, std::uint64_t kills, double seconds) {
  return {name, "m", "basic", {kills, 1000, seconds, "", false}, seconds};
}

Score scored(std::vector<ScoredMutant> mutants) {
  Score score;
  score.mutants = std::move(mutants);
  return score;
}

// A number of mutants that all had the same number of kills in a second.
Score all_killed(int mutants, std::uint64_t kills, double seconds = 1) {
  Score score;
  for (int i = 0; i < mutants; ++i) score.mutants.push_back(killed("M" + std::to_string(i), kills, seconds));
  return score;
}

TEST(ScoreCompare, ComparesEachMutant) {
  struct Case {
    std::uint64_t before, now;
    Change change;
    bool weaker;
  };
  const Case cases[] = {
      {1000, 1000, Change::same, false}, {1000, 900, Change::same, false},  // less than the tolerance
      {1000, 400, Change::weaker, true}, {1000, 0, Change::lost, true},    {1000, 3000, Change::stronger, false},
      {0, 10, Change::gained, false},    {0, 0, Change::same, false},      {3, 1, Change::same, false},  // too few
      {3, 0, Change::same, false},       {20, 0, Change::lost, true},
  };
  for (const Case& c : cases) {
    const ScoreComparison comparison =
        compare_scores(scored({killed("A", c.before, 1)}), scored({killed("A", c.now, 1)}));
    EXPECT_EQ(c.change, comparison.mutants[0].change) << c.before << " " << c.now;
    EXPECT_EQ(c.weaker, comparison.is_weaker()) << c.before << " " << c.now;
  }
}

// A run of a second whose kills come in four parts, some of them far more often than others.
ScoredMutant uneven(const std::string& name, std::vector<std::uint64_t> kills) {
  ScoredMutant mutant = killed(name, 0, 1);
  for (const std::uint64_t part : kills) {
    mutant.slice.kills += part;
    mutant.slice.parts.push_back({part, 250});
  }
  return mutant;
}

TEST(ScoreCompare, RunsThatVaryAreNotWeakerByChance) {
  const Score even = scored({uneven("A", {100, 98, 103, 99}), uneven("B", {50, 52, 49, 49})});
  const Score less = scored({uneven("A", {25, 26, 24, 25}), uneven("B", {50, 49, 51, 50})});
  const ScoreComparison steady = compare_scores(even, less);
  EXPECT_EQ(Change::weaker, steady.mutants[0].change);
  EXPECT_EQ(Change::same, steady.mutants[1].change);
  // The same number of kills, but runs whose parts differ as much as the two runs do.
  const Score moody = scored({uneven("A", {220, 30, 100, 50}), uneven("B", {5, 120, 60, 15})});
  const Score other = scored({uneven("A", {10, 90, 30, 10}), uneven("B", {110, 20, 60, 10})});
  const ScoreComparison varied = compare_scores(moody, other);
  EXPECT_GT(varied.variation.relative, 0.2);
  EXPECT_EQ(Change::same, varied.mutants[0].change);
  EXPECT_FALSE(varied.is_weaker());
  EXPECT_TRUE(varied.mutants[0].ratio.contains(steady.mutants[0].ratio.high));
}

TEST(ScoreCompare, AnOlderScoreMayHaveFormerNames) {
  const ScoreComparison comparison = compare_scores(scored({killed("MP-relacq-fence0", 100, 1)}),
                                                    scored({killed("MP-relacq-nofence.P1", 100, 1)}), {});
  ASSERT_EQ(1u, comparison.mutants.size());
  EXPECT_EQ("MP-relacq-nofence.P1", comparison.mutants[0].test);
  EXPECT_EQ(Change::same, comparison.mutants[0].change);
}

TEST(ScoreCompare, TimesAreTakenIntoAccount) {
  const ScoreComparison comparison = compare_scores(scored({killed("A", 1000, 1)}), scored({killed("A", 100, 0.1)}));
  EXPECT_EQ(Change::same, comparison.mutants[0].change);
  EXPECT_TRUE(comparison.mutants[0].ratio.contains(1));
}

TEST(ScoreCompare, AMutantThatIsGoneMakesItWeaker) {
  EXPECT_TRUE(compare_scores(scored({killed("A", 10, 1)}), scored({})).is_weaker());
  EXPECT_FALSE(compare_scores(scored({killed("A", 0, 1)}), scored({})).is_weaker());
}

TEST(ScoreCompare, ManySmallLossesAreALoss) {
  struct Case {
    std::uint64_t before, now;
    bool weaker;
    double mean;
  };
  const Case cases[] = {
      {8, 3, true, 0.375}, {12, 0, true, 0.5 / 12},  // no kills count as half a kill
      {1, 0, true, 0.5},   {8, 8, false, 1},        {8, 6, false, 0.75}, {8, 5, false, 0.625}, {0, 3, false, 3.0 / 0.5},
  };
  for (const Case& c : cases) {
    const ScoreComparison comparison = compare_scores(all_killed(32, c.before), all_killed(32, c.now));
    for (const MutantChange& change : comparison.mutants) EXPECT_FALSE(change.is_worse()) << c.before << " " << c.now;
    EXPECT_EQ(c.weaker, comparison.is_weaker()) << c.before << " " << c.now;
    EXPECT_NEAR(c.mean, comparison.mean_ratio.value(), 1e-9);
  }
}

TEST(ScoreCompare, WithoutKillsThereIsNoRatio) {
  const ScoreComparison comparison = compare_scores(all_killed(32, 0), all_killed(32, 0));
  EXPECT_FALSE(comparison.mean_ratio.has_value());
  EXPECT_FALSE(comparison.is_weaker());
}

TEST(ScoreCompare, AllKillsTogetherTellMoreThanEachMutant) {
  // Too few mutants for a majority.
  const ScoreComparison comparison = compare_scores(all_killed(5, 6), all_killed(5, 0));
  for (const MutantChange& change : comparison.mutants) EXPECT_EQ(Change::same, change.change);
  EXPECT_TRUE(comparison.is_weaker_together);
  EXPECT_FALSE(comparison.most_are_slower);
  EXPECT_EQ(0, comparison.together.low);
  EXPECT_LT(comparison.together.high, 0.3);
}

TEST(ScoreCompare, TheTimesOfEachMutantCountTogetherToo) {
  // The same rates, with other times for each mutant.
  Score before, now;
  for (int i = 1; i <= 8; ++i) {
    before.mutants.push_back(killed("M" + std::to_string(i), static_cast<std::uint64_t>(100 * i), i));
    now.mutants.push_back(killed("M" + std::to_string(i), 100, 1));
  }
  const ScoreComparison comparison = compare_scores(before, now);
  EXPECT_TRUE(comparison.together.contains(1));
  EXPECT_FALSE(comparison.is_weaker());
  EXPECT_NEAR(1, comparison.mean_ratio.value(), 1e-9);
}

TEST(ScoreCompare, AFewSecondsWithoutKillsAreNoLoss) {
  // A kill per second before; a hundredth of a second now.
  const ScoreComparison comparison = compare_scores(all_killed(32, 10, 10), all_killed(32, 0, 0.01));
  EXPECT_FALSE(comparison.is_weaker());
}

TEST(ScoreCompare, MutantsThatAreKilledForTheFirstTimeWeighAgainstThoseThatNoLongerAre) {
  Score before, now;
  for (int i = 0; i < 60; ++i) {
    before.mutants.push_back(killed("M" + std::to_string(i), i < 30 ? 1 : 0, 1));
    now.mutants.push_back(killed("M" + std::to_string(i), i < 30 ? 0 : 1, 1));
  }
  const ScoreComparison comparison = compare_scores(before, now);
  EXPECT_FALSE(comparison.is_weaker());
  EXPECT_NEAR(1, comparison.mean_ratio.value(), 1e-9);
}

// One mutant whose kills per second change from one measurement to the next.
struct Moody final : Measurer, RunObserver {
  explicit Moody(std::vector<std::uint64_t> kills) : rates(std::move(kills)) {}
  Slice measure(const Cell&, double seconds, std::uint64_t) override {
    return {rates.at(calls++), 100000, seconds, "", false};
  }
  std::vector<std::uint64_t> rates;
  std::size_t calls = 0;
};

TEST(ScoreCompare, OnlyWhatStaysWeakerCounts) {
  struct Case {
    std::vector<std::uint64_t> kills;
    std::size_t measured;
    bool weaker;
  };
  const Case cases[] = {
      {{1000}, 1, false},         {{100, 1000}, 2, false}, {{100, 100, 1000}, 3, false},
      {{100, 100, 100}, 3, true}, {{0, 0, 0}, 3, true},
  };
  for (const Case& c : cases) {
    Moody device(c.kills);
    ScoreMeter meter({{"A"}, {"m"}, {codegen::TestEnvironment{}}, 1, 1}, device, device);
    Score now = meter.measure();
    const ScoreComparison comparison = compare_and_confirm(scored({killed("A", 1000, 1)}), now, meter);
    EXPECT_EQ(c.weaker, comparison.is_weaker()) << c.kills.size();
    EXPECT_EQ(c.measured, device.calls);
    EXPECT_EQ(c.kills.back(), now.mutants[0].slice.kills);
  }
}

TEST(ScoreCompare, AMutantThatIsNotInTheSuiteIsNotMeasuredAgain) {
  Moody device({1000});
  ScoreMeter meter({{"A"}, {"m"}, {codegen::TestEnvironment{}}, 1, 1}, device, device);
  Score now = meter.measure();
  EXPECT_TRUE(compare_and_confirm(scored({killed("A", 1000, 1), killed("B", 5, 1)}), now, meter).is_weaker());
  EXPECT_EQ(1u, device.calls);
}

}  // namespace
}  // namespace weakspot::campaign
