#include "campaign/score.h"

#include <gtest/gtest.h>

namespace weakspot::campaign {
namespace {

ScoredMutant mutant(const char* name, const char* mutator, std::uint64_t kills, double seconds) {
  return {name, mutator, "basic", {kills, 1000, seconds, "", false}, 3 * seconds};
}

Score score(std::vector<ScoredMutant> mutants) {
  Score score;
  score.device = "cpu";
  score.environments = 3;
  score.mutants = std::move(mutants);
  return score;
}

TEST(Score, CountsByMutator) {
  const Score s = score({mutant("A", "m1", 10, 1), mutant("B", "m2", 0, 1), mutant("C", "m1", 30, 1)});
  EXPECT_EQ(2u, s.killed());
  EXPECT_DOUBLE_EQ(2.0 / 3, s.mutation_score());
  EXPECT_DOUBLE_EQ(40.0 / 3, s.mean_death_rate());
  const std::vector<MutatorScore> rows = by_mutator(s);
  ASSERT_EQ(2u, rows.size());
  EXPECT_EQ("m1", rows[0].mutator);
  EXPECT_EQ(2u, rows[0].killed);
  EXPECT_DOUBLE_EQ(20, rows[0].mean_death_rate);
  EXPECT_EQ(0u, rows[1].killed);
}

TEST(Score, ReadsBackWhatItWrote) {
  const Score s = score({mutant("A", "m1", 10, 1), mutant("B", "m2", 0, 0)});
  const auto read = score_from_json(base::Source("s.json", to_json(s)));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(s.mutants, read->mutants);
  EXPECT_EQ(s.environments, read->environments);
  EXPECT_FALSE(score_from_json(base::Source("s.json", "{}")).ok());
}

TEST(Score, ComparesEachMutant) {
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
        compare_scores(score({mutant("A", "m", c.before, 1)}), score({mutant("A", "m", c.now, 1)}));
    EXPECT_EQ(c.change, comparison.mutants[0].change) << c.before << " " << c.now;
    EXPECT_EQ(c.weaker, comparison.is_weaker) << c.before << " " << c.now;
  }
}

TEST(Score, TimesAreTakenIntoAccount) {
  const ScoreComparison comparison =
      compare_scores(score({mutant("A", "m", 1000, 1)}), score({mutant("A", "m", 100, 0.1)}));
  EXPECT_EQ(Change::same, comparison.mutants[0].change);
  EXPECT_TRUE(comparison.mutants[0].ratio.contains(1));
}

TEST(Score, AMutantThatIsGoneMakesItWeaker) {
  EXPECT_TRUE(compare_scores(score({mutant("A", "m", 10, 1)}), score({})).is_weaker);
  EXPECT_FALSE(compare_scores(score({mutant("A", "m", 0, 1)}), score({})).is_weaker);
}

TEST(Score, ManySmallLossesAreALoss) {
  std::vector<ScoredMutant> before, now;
  for (int i = 0; i < 32; ++i) {
    const std::string name = "M" + std::to_string(i);
    before.push_back(mutant(name.c_str(), "m", 8, 1));
    now.push_back(mutant(name.c_str(), "m", 3, 1));
  }
  const ScoreComparison comparison = compare_scores(score(before), score(now));
  for (const MutantChange& change : comparison.mutants) EXPECT_EQ(Change::same, change.change);
  EXPECT_TRUE(comparison.is_weaker);
  EXPECT_NEAR(0.375, comparison.mean_ratio, 1e-9);
}

}  // namespace
}  // namespace weakspot::campaign
