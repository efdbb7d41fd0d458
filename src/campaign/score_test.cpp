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

}  // namespace
}  // namespace weakspot::campaign
