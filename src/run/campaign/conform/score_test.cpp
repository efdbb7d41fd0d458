// SPDX-License-Identifier: MIT
#include "campaign/score.h"

#include <gtest/gtest.h>

#include <set>

#include "base/source.h"

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
  Score s = score({mutant("A", "m1", 10, 1), mutant("B", "m2", 0, 0)});
  s.mutants[0].model = "ptx";
  s.mutants[0].slice.parts = {{3, 400}, {7, 600}};
  const auto read = score_from_json(base::Source("s.json", to_json(s)));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(s.mutants, read->mutants);
  EXPECT_EQ(s.environments, read->environments);
  EXPECT_FALSE(score_from_json(base::Source("s.json", "{}")).ok());
}

// A rate by mutant; it may be lost in slices of some numbers, and the user may lose patience after some.
struct Steady final : Measurer, RunObserver {
  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    ++calls;
    seeds.push_back(seed);
    if (lost.contains(calls)) return {0, 0, 0, "it hung", true};
    return {rates[cell.test], 1000, seconds, "", false};
  }
  bool cancelled() override { return calls >= patience; }
  void advanced(double part) override { parts.push_back(part); }

  std::vector<std::uint64_t> rates{10, 20, 30};
  std::set<int> lost;
  int patience = 1000, calls = 0;
  std::vector<std::uint64_t> seeds;
  std::vector<double> parts;
};

ScoreSetup three_mutants() {
  codegen::TestEnvironment other;
  other.testing_workgroups = 7;
  return {{"A", "B", "C"}, {"m", "m", "m"}, {codegen::TestEnvironment{}, other}, 1, 100};
}

TEST(ScoreMeter, MeasuresEachMutantInEachEnvironment) {
  Steady device;
  ScoreMeter meter(three_mutants(), device, device);
  const Score s = meter.measure();
  EXPECT_TRUE(meter.is_whole());
  EXPECT_EQ(6, device.calls);
  ASSERT_EQ(3u, s.mutants.size());
  EXPECT_EQ(20u, s.mutants[1].slice.kills);
  EXPECT_DOUBLE_EQ(2, s.mutants[1].seconds);
  ASSERT_EQ(6u, device.parts.size());
  EXPECT_DOUBLE_EQ(1.0 / 6, device.parts.front());
  EXPECT_DOUBLE_EQ(1, device.parts.back());
}

TEST(ScoreMeter, ALostSliceIsMeasuredAgainAndALostDeviceGivenUp) {
  Steady shaky;
  shaky.lost = {1, 2, 4, 5};
  ScoreMeter meter(three_mutants(), shaky, shaky);
  EXPECT_EQ(3u, meter.measure().killed());
  EXPECT_TRUE(meter.is_whole());

  Steady dying;
  dying.lost = {4, 5, 6};
  ScoreMeter other(three_mutants(), dying, dying);
  const Score s = other.measure();
  EXPECT_TRUE(other.is_lost());
  EXPECT_EQ("it hung", other.problem());
  EXPECT_EQ(6, dying.calls);
  EXPECT_EQ(10u, s.mutants[0].slice.kills);  // measurements before the loss are kept
  EXPECT_EQ("not measured", s.mutants[2].slice.problem);
}

TEST(ScoreMeter, AnInterruptedScoreIsNotWhole) {
  Steady device;
  device.patience = 3;
  ScoreMeter meter(three_mutants(), device, device);
  const Score s = meter.measure();
  EXPECT_TRUE(meter.is_interrupted());
  EXPECT_FALSE(meter.is_lost());
  EXPECT_EQ(3, device.calls);
  EXPECT_EQ("not measured", s.mutants[2].slice.problem);
}

TEST(ScoreMeter, MeasuresSomeAgainWithNewDraws) {
  Steady device;
  ScoreMeter meter(three_mutants(), device, device);
  Score s = meter.measure();
  device.rates = {11, 21, 31};
  meter.measure_again({1}, s);
  EXPECT_EQ((std::vector<std::uint64_t>{100, 101, 100, 101, 100, 101, 102, 102, 102, 103, 103, 103}), device.seeds);
  EXPECT_EQ(10u, s.mutants[0].slice.kills);
  EXPECT_EQ(21u, s.mutants[1].slice.kills);
  EXPECT_EQ(30u, s.mutants[2].slice.kills);
}

}  // namespace
}  // namespace weakspot::campaign
