// SPDX-License-Identifier: MIT
#include "campaign/tune.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "base/source.h"
#include "campaign/recorded.h"
#include "campaign/tune_journal.h"

namespace weakspot::campaign {
namespace {

// So many environments that differ in one parameter, and tests whose rates fall off around the one that is best for
// each.
RecordedTable table(std::size_t environments, std::vector<std::size_t> best) {
  RecordedTable table;
  for (std::size_t e = 0; e < environments; ++e) {
    codegen::TestEnvironment environment;
    environment.testing_workgroups = static_cast<int>(e + 2);
    table.environments.push_back(environment);
  }
  for (std::size_t t = 0; t < best.size(); ++t) {
    table.tests.push_back("test " + std::to_string(t));
    std::vector<Slice> row;
    for (std::size_t e = 0; e < environments; ++e) {
      const double distance = std::abs(static_cast<double>(e) - static_cast<double>(best[t]));
      const double rate = 2000 / (1 + distance);
      row.push_back({static_cast<std::uint64_t>(rate), 1000000, 1, "", false});
    }
    table.cells.push_back(std::move(row));
  }
  return table;
}

TuneOptions options(Strategy strategy, double budget, std::uint64_t seed = 1) {
  return {.strategy = strategy, .budget = budget, .evaluation = 1, .least = 0.01, .seed = seed};
}

TuneResult search(const RecordedTable& recorded, const TuneOptions& how) {
  const auto measurer = recorded_measurer(recorded);
  const auto space = listed_space(recorded.environments);
  return tune(recorded.tests.size(), *space, *measurer, how);
}

TEST(Tune, EveryStrategyFindsTheBestOfAList) {
  const RecordedTable recorded = table(60, {7, 31, 50});
  for (const Strategy strategy : {Strategy::random, Strategy::peeking, Strategy::adaptive}) {
    const TuneResult result = search(recorded, options(strategy, 1e6));
    ASSERT_EQ(3u, result.tests.size());
    EXPECT_EQ(7u, result.tests[0].best->environment) << to_string(strategy);
    EXPECT_EQ(31u, result.tests[1].best->environment) << to_string(strategy);
    EXPECT_EQ(50u, result.tests[2].best->environment) << to_string(strategy);
    EXPECT_FALSE(result.is_interrupted);
  }
}

TEST(Tune, RacingFindsTheSameInAThirdOfTheTimeOfPeeking) {
  const RecordedTable recorded = table(60, {7, 31, 50});
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const double random = search(recorded, options(Strategy::random, 1e6, seed)).seconds;
    const double peeking = search(recorded, options(Strategy::peeking, 1e6, seed)).seconds;
    EXPECT_NEAR(180, random, 1e-6);
    EXPECT_LT(peeking, random);
    const TuneResult adaptive = search(recorded, options(Strategy::adaptive, peeking / 3, seed));
    EXPECT_EQ(7u, adaptive.tests[0].best->environment) << "seed " << seed;
    EXPECT_EQ(31u, adaptive.tests[1].best->environment) << "seed " << seed;
    EXPECT_EQ(50u, adaptive.tests[2].best->environment) << "seed " << seed;
  }
}

// An environment that is good for one test is good for its neighbours, up to a factor. One more test was never seen
// anywhere.
TEST(Tune, KinTellWhereToLookAndSilenceDoesNotTakeAllTheTime) {
  RecordedTable recorded = table(60, {20, 20, 20, 20, 20});
  for (Slice& cell : recorded.cells[3]) cell.kills /= 100;
  for (Slice& cell : recorded.cells[4]) cell.kills = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const TuneResult result = search(recorded, options(Strategy::adaptive, 20, seed));
    for (std::size_t test = 0; test < 4; ++test) {
      EXPECT_EQ(20u, result.tests[test].best->environment) << "test " << test << ", seed " << seed;
    }
    EXPECT_EQ(0u, result.tests[4].best->sum.kills);
    EXPECT_LT(result.tests[4].seconds, 10);
    EXPECT_LT(result.tests[0].seconds, result.tests[3].seconds);
  }
}

TEST(Tune, TheBudgetIsKept) {
  const RecordedTable recorded = table(60, {7, 31});
  for (const Strategy strategy : {Strategy::random, Strategy::peeking, Strategy::adaptive}) {
    const TuneResult result = search(recorded, options(strategy, 1));
    EXPECT_GE(result.seconds, 1);
    EXPECT_LT(result.seconds, 2);
  }
}

TEST(Tune, ASeedRepeats) {
  const RecordedTable recorded = table(40, {3, 30});
  const TuneResult once = search(recorded, options(Strategy::adaptive, 5, 9));
  const TuneResult again = search(recorded, options(Strategy::adaptive, 5, 9));
  EXPECT_EQ(once.slices, again.slices);
  EXPECT_EQ(once.tests[0].best, again.tests[0].best);
  EXPECT_EQ(once.tests[1].best, again.tests[1].best);
}

TEST(Tune, WhatCannotRunAnywhereEnds) {
  RecordedTable recorded = table(10, {3});
  for (Slice& cell : recorded.cells[0]) cell = {};
  for (const Strategy strategy : {Strategy::random, Strategy::peeking, Strategy::adaptive}) {
    const TuneResult result = search(recorded, options(strategy, 10));
    EXPECT_FALSE(result.tests[0].best.has_value());
    EXPECT_EQ("this cell was not recorded", result.tests[0].problem);
  }
}

TEST(Tune, LuckHasToRepeatItself) {
  // One environment in five is twice as good as any other the first time; else the rate depends on one parameter.
  struct Device final : Measurer {
    std::set<std::string> met;
    Slice measure(const Cell& cell, double seconds, std::uint64_t) override {
      const std::string text = codegen::to_text(cell.environment);
      const bool lucky = met.insert(text).second && text.size() % 5 == 0;
      const double rate = lucky ? 2.2e6 : 1e4 * (1 + cell.environment.occupancy_percent);
      return {static_cast<std::uint64_t>(rate * seconds), 1000000, seconds, "", false};
    }
  };
  for (const std::uint64_t seed : {1, 2, 3}) {
    Device device;
    const auto space = parameter_space(SpaceFor::gpu, {});
    TuneOptions how = options(Strategy::adaptive, 20, seed);
    how.jitter = 0.05;
    const TuneResult result = tune(1, *space, device, how);
    ASSERT_TRUE(result.tests[0].best.has_value());
    EXPECT_GE(result.tests[0].best->slice_rates.size(), 3u) << "seed " << seed;
    EXPECT_GT(space->at(result.tests[0].best->environment).occupancy_percent, 75) << "seed " << seed;
  }
}

TEST(Tune, AnEndlessSpaceIsSearchedUntilTheBudgetIsSpent) {
  // A device whose rate depends on one parameter.
  struct Device final : Measurer {
    Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
      base::Rng rng(seed);
      const double rate = cell.environment.memory_stride == 16 ? 1e5 : 1e2;
      return {poisson(rng, rate * seconds), 1000, seconds, "", false};
    }
  };
  for (const SpaceFor machine : {SpaceFor::gpu, SpaceFor::cpu}) {
    Device device;
    const auto space = parameter_space(machine, {codegen::TestEnvironment{}});
    const TuneResult result = tune(2, *space, device, options(Strategy::adaptive, 20));
    EXPECT_EQ(16, space->at(result.tests[0].best->environment).memory_stride);
    EXPECT_EQ(16, space->at(result.tests[1].best->environment).memory_stride);
    EXPECT_GE(result.seconds, 20);
  }
}

TEST(Tune, ADriftIsFlagged) {
  struct Drifting final : Measurer {
    Slice measure(const Cell&, double seconds, std::uint64_t) override {
      ++calls;
      return {calls < 60 ? 1000u : 100u, 10000, seconds, "", false};
    }
    int calls = 0;
  };
  Drifting device;
  const auto space = listed_space({codegen::TestEnvironment{}});
  TuneOptions how = options(Strategy::random, 1e6);
  how.evaluation = 1;
  EXPECT_FALSE(tune(1, *space, device, how).tests[0].is_stable.has_value());  // too few slices to tell
  // The same environment again and again, as the best one is while a search goes on.
  struct Again final : EnvironmentSpace {
    const codegen::TestEnvironment& at(std::size_t) const override { return environment; }
    std::optional<std::size_t> draw(const Tried&, base::Rng&) override { return 0; }
    std::optional<std::size_t> vary(std::size_t, const Tried&, base::Rng&) override { return 0; }
    std::optional<std::size_t> cross(std::size_t, std::size_t, const Tried&, base::Rng&) override { return 0; }
    codegen::TestEnvironment environment;
  } again;
  Drifting other;
  EXPECT_EQ(false, tune(1, again, other, options(Strategy::random, 10)).tests[0].is_stable);
}

// A measurer whose rate falls to `later` halfway through the checks; `steps` and `checks` count slices.
struct Checked final : Measurer {
  explicit Checked(double rate, double later) : rates{rate, later} {}
  Slice measure(const Cell&, double seconds, std::uint64_t seed) override {
    ++steps;
    return draw(rates[0], seconds, seed);
  }
  Slice check(const Cell&, double seconds, std::uint64_t seed) override {
    ++checks;
    return draw(rates[checks > 60 ? 1 : 0], seconds, seed);
  }
  static Slice draw(double rate, double seconds, std::uint64_t seed) {
    base::Rng rng(seed);
    return {poisson(rng, rate * seconds), 100000, seconds, "", false};
  }
  double rates[2];
  int steps = 0, checks = 0;
};

TEST(Tune, WhatWasFoundIsCheckedAtTheEnd) {
  struct Case {
    double rate, later;
    std::optional<bool> stable;
  };
  const Case cases[] = {{1e5, 1e5, true}, {1e5, 2e4, false}, {20, 20, std::nullopt}};
  for (const Case& c : cases) {
    Checked device(c.rate, c.later);
    const auto space = parameter_space(SpaceFor::gpu, {});
    TuneOptions how = options(Strategy::adaptive, 20);
    how.checks = 60;
    const TuneResult result = tune(2, *space, device, how);
    EXPECT_EQ(c.stable, result.tests[0].is_stable) << c.rate << " " << c.later;
    EXPECT_EQ(c.stable, result.tests[1].is_stable) << c.rate << " " << c.later;
    EXPECT_EQ(c.stable ? 120 : 0, device.checks);
    EXPECT_LT(result.seconds, 20.1);
  }
}

TEST(Tune, ChecksThatDoNotFitTheBudgetAreLeftOut) {
  Checked device(1e5, 1e5);
  const auto space = parameter_space(SpaceFor::gpu, {});
  TuneOptions how = options(Strategy::adaptive, 8);  // 0.8 for checks, of which each test needs 0.6
  how.checks = 60;
  const TuneResult result = tune(2, *space, device, how);
  EXPECT_EQ(60, device.checks);
  EXPECT_EQ(true, result.tests[0].is_stable);
  EXPECT_FALSE(result.tests[1].is_stable.has_value());
}

// Lost in the slices of these numbers.
struct Losing final : Measurer {
  Losing(Measurer& measurer, std::set<int> slices) : inner(measurer), lost(std::move(slices)) {}
  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    if (lost.contains(++calls)) return {0, 0, 0, "it fell off the bus", true};
    return inner.measure(cell, seconds, seed);
  }
  Measurer& inner;
  std::set<int> lost;
  int calls = 0;
};

TEST(Tune, ALostDeviceIsGivenUp) {
  const RecordedTable recorded = table(40, {3, 30});
  const auto measurer = recorded_measurer(recorded);
  for (const Strategy strategy : {Strategy::random, Strategy::peeking, Strategy::adaptive}) {
    Losing dying(*measurer, {5, 7, 8, 9});
    const auto space = listed_space(recorded.environments);
    const TuneResult result = tune(2, *space, dying, options(strategy, 1e6));
    EXPECT_EQ(9, dying.calls) << to_string(strategy);
    EXPECT_EQ("it fell off the bus", result.lost);
    EXPECT_FALSE(result.is_interrupted);
    EXPECT_TRUE(result.tests[0].best.has_value());
    // Lost slices cost what was asked for.
    const double asked = strategy == Strategy::adaptive ? 0.01 : 0.1;
    EXPECT_NEAR(9 * asked, result.seconds, 1e-9) << to_string(strategy);
  }
  Losing shaky(*measurer, {2, 3, 5, 6});
  const auto space = listed_space(recorded.environments);
  EXPECT_EQ("", tune(2, *space, shaky, options(Strategy::adaptive, 2)).lost);
}

// Fails after a number of slices, like a process that is killed.
struct Mortal final : Measurer {
  Mortal(Measurer& measurer, int slices) : inner(measurer), left(slices) {}
  Slice measure(const Cell& cell, double seconds, std::uint64_t seed) override {
    if (left-- <= 0) throw 0;
    return inner.measure(cell, seconds, seed);
  }
  Measurer& inner;
  int left;
};

TEST(Journal, AKilledSearchEndsAsIfNothingHadHappened) {
  const RecordedTable recorded = table(40, {3, 30});
  const TuneOptions how = options(Strategy::adaptive, 4, 3);
  const TuneResult whole = search(recorded, how);
  const std::string path = testing::TempDir() + "tune_test.journal";
  for (const int killed_after : {0, 1, 17, 40}) {
    std::filesystem::remove(path);
    const auto measurer = recorded_measurer(recorded);
    {
      Mortal mortal(*measurer, killed_after);
      auto journal = open_journal(path, "purpose", mortal);
      ASSERT_TRUE(journal.ok());
      const auto space = listed_space(recorded.environments);
      EXPECT_THROW(tune(2, *space, **journal, how), int);
    }
    // Killed in the middle of a line.
    std::FILE* file = std::fopen(path.c_str(), "a");
    std::fputs("{\"test\":0,\"envi", file);
    std::fclose(file);
    auto journal = open_journal(path, "purpose", *measurer);
    ASSERT_TRUE(journal.ok());
    const auto space = listed_space(recorded.environments);
    const TuneResult result = tune(2, *space, **journal, how);
    EXPECT_EQ(static_cast<std::size_t>(killed_after), (*journal)->replayed());
    EXPECT_TRUE((*journal)->status().ok());
    EXPECT_EQ(whole.slices, result.slices);
    EXPECT_EQ(whole.seconds, result.seconds);
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(whole.tests[i].best, result.tests[i].best);
  }
  std::filesystem::remove(path);
}

TEST(Journal, WhatWasLostForGoodIsMeasuredAgain) {
  const RecordedTable recorded = table(40, {3, 30});
  const TuneOptions how = options(Strategy::adaptive, 4, 3);
  const auto measurer = recorded_measurer(recorded);
  const auto space = listed_space(recorded.environments);
  Losing once(*measurer, {7});  // a loss that the device got over is a step
  const TuneResult whole = tune(2, *space, once, how);
  const std::string path = testing::TempDir() + "tune_test_lost.journal";
  std::filesystem::remove(path);
  {
    Losing dying(*measurer, {7, 21, 22, 23});
    auto journal = open_journal(path, "purpose", dying);
    ASSERT_TRUE(journal.ok());
    const auto again = listed_space(recorded.environments);
    EXPECT_EQ("it fell off the bus", tune(2, *again, **journal, how).lost);
  }
  auto journal = open_journal(path, "purpose", *measurer);
  ASSERT_TRUE(journal.ok());
  const auto again = listed_space(recorded.environments);
  const TuneResult result = tune(2, *again, **journal, how);
  EXPECT_EQ(20u, (*journal)->replayed());
  EXPECT_TRUE((*journal)->status().ok());
  EXPECT_EQ(whole.slices, result.slices);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(whole.tests[i].best, result.tests[i].best);
  std::filesystem::remove(path);
}

TEST(Journal, WhatWasInterruptedIsMeasuredAgain) {
  struct Interrupted final : Measurer {
    Slice measure(const Cell&, double seconds, std::uint64_t) override {
      return ++calls < 4 ? Slice{5, 10, seconds, "", false} : Slice{1, 10, seconds / 2, "interrupted", false, true};
    }
    int calls = 0;
  } device;
  const std::string path = testing::TempDir() + "tune_test_interrupted.journal";
  std::filesystem::remove(path);
  auto journal = open_journal(path, "purpose", device);
  ASSERT_TRUE(journal.ok());
  const auto space = parameter_space(SpaceFor::gpu, {});
  const TuneResult result = tune(1, *space, **journal, options(Strategy::random, 10));
  EXPECT_TRUE(result.is_interrupted);
  EXPECT_EQ(4, device.calls);
  const auto text = base::read_file(path);
  EXPECT_EQ(4, std::count(text->begin(), text->end(), '\n'));  // the purpose and three slices
  std::filesystem::remove(path);
}

TEST(Journal, ALongerSearchGoesOnBehindTheChecks) {
  const std::string path = testing::TempDir() + "tune_test_checks.journal";
  std::filesystem::remove(path);
  struct Round {
    double budget;
    bool measures;
  };
  int steps = 0;
  for (const Round round : {Round{20, true}, {20, false}, {30, true}, {30, false}}) {
    Checked device(1e5, 1e5);
    auto journal = open_journal(path, "purpose", device);
    ASSERT_TRUE(journal.ok());
    TuneOptions how = options(Strategy::adaptive, round.budget);
    how.checks = 60;
    const auto space = parameter_space(SpaceFor::gpu, {});
    const TuneResult result = tune(1, *space, **journal, how);
    EXPECT_TRUE((*journal)->status().ok());
    EXPECT_EQ(true, result.tests[0].is_stable);
    EXPECT_EQ(round.measures ? 60 : 0, device.checks) << round.budget;
    EXPECT_EQ(round.measures, device.steps != 0) << round.budget;
    if (round.measures) {
      EXPECT_EQ(static_cast<std::size_t>(steps), (*journal)->replayed());
    }
    steps += device.steps;

    // The result equals that of an uninterrupted search.
    Checked other(1e5, 1e5);
    const auto fresh = parameter_space(SpaceFor::gpu, {});
    const TuneResult whole = tune(1, *fresh, other, how);
    EXPECT_EQ(whole.tests[0].best, result.tests[0].best);
    EXPECT_EQ(whole.slices, result.slices);
  }
  std::filesystem::remove(path);
}

TEST(Journal, AnotherSearchsJournalIsRefused) {
  const RecordedTable recorded = table(5, {3});
  const auto measurer = recorded_measurer(recorded);
  const std::string path = testing::TempDir() + "tune_test_other.journal";
  std::filesystem::remove(path);
  ASSERT_TRUE(open_journal(path, "one purpose", *measurer).ok());
  const auto other = open_journal(path, "another purpose", *measurer);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ("the file is the journal of another search; remove it, or name another --out",
            other.errors().front().message);
  std::filesystem::remove(path);
}

TEST(Recorded, ReadsTheFormOfTheStudy) {
  const auto read =
      read_recorded(base::Source("file.json",
                                 R"({"0": {"A": {"seq": 5, "interleaved": 3, "weak": 2, "durationSeconds": 0.5},
           "params": {"testingWorkgroups": 551, "memStride": 5}},
          "1": {"B": {"seq": 1, "interleaved": 1, "weak": 0, "durationSeconds": 1},
           "params": {"testingWorkgroups": 2}},
          "randomSeed": "webgpu"})"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ((std::vector<std::string>{"A", "B"}), read->tests);
  ASSERT_EQ(2u, read->environments.size());
  EXPECT_EQ(551, read->environments[0].testing_workgroups);
  EXPECT_EQ(5, read->environments[0].memory_stride);
  EXPECT_EQ((Slice{2, 10, 0.5, "", false}), read->cells[0][0]);
  EXPECT_EQ(Slice{}, read->cells[0][1]);
  EXPECT_EQ(Slice{}, read->cells[1][0]);
}

TEST(Recorded, ErrorsSayWhatIsWrong) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "expected an object of environments"},
      {"{}", "the file has no environments: expected keys that are numbers"},
      {R"({"0": {"A": {"seq": 1, "weak": 0, "durationSeconds": 1}, "params": {}}})",
       "a cell needs 'interleaved', an integer from 0 to 1152921504606846976"},
      {R"({"0": {"params": {"memStride": 9999}}})", "'memStride' takes 1 to 1024"},
  };
  for (const Case& c : cases) {
    const auto read = read_recorded(base::Source("file.json", c.text));
    ASSERT_FALSE(read.ok()) << c.text;
    EXPECT_EQ(c.message, read.errors().front().message);
  }
}

TEST(Recorded, SlicesAreAPoissonProcess) {
  base::Rng rng(5);
  for (const double mean : {0.5, 8.0, 200.0}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < 20000; ++i) {
      const auto events = static_cast<double>(poisson(rng, mean));
      sum += events;
      squares += events * events;
    }
    const double average = sum / 20000;
    EXPECT_NEAR(mean, average, 0.05 * mean);
    EXPECT_NEAR(mean, squares / 20000 - average * average, 0.1 * mean);
  }
  EXPECT_EQ(0u, poisson(rng, 0));
}

}  // namespace
}  // namespace weakspot::campaign
