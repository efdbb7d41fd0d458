// SPDX-License-Identifier: MIT
#include "cli/display/ticker.h"

#include <gtest/gtest.h>

#include <regex>

namespace weakspot::cli::ticker_test {
namespace {

// The time left that a line announces, in seconds; -1: none.
double announced(const std::string& text) {
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(R"(, (?:(\d+) min )?(\d+) s left)"))) return -1;
  return (found[1].matched ? 60 * std::stod(found[1]) : 0) + std::stod(found[2]);
}

TEST(JobProgress, WhatWasPreparedDoesNotCount) {
  JobProgress job("tune");
  EXPECT_EQ("tune: preparing, 9 s", job.text(8.6));
  constexpr int kRuns = 120;
  constexpr double kBegin = 8.6, kEach = 0.1;
  for (int run = 0; run < kRuns; ++run) {
    const double now = kBegin + run * kEach;
    job.started("MP", now);
    const double left = announced(job.text(now));
    const double truth = (kRuns - run) * kEach;
    if (run < 10) {
      EXPECT_EQ(-1, left);
    } else if (run > 10) {
      EXPECT_NEAR(truth, left, 1) << job.text(now);
    }
    job.advanced((run + 1.0) / kRuns, now + kEach);
  }
  EXPECT_EQ("tune 100 %, 0 s left   120 runs in 21 s, MP", job.text(20.6));
}

TEST(JobProgress, SlicesOfAJournalTakeNoTime) {
  JobProgress job("tune");
  for (int i = 1; i <= 50; ++i) job.advanced(0.01 * i, 0.001 * i);
  job.started("MP", 2);
  job.advanced(0.75, 32);
  EXPECT_EQ("tune  75 %, 30 s left   1 run in 32 s, MP", job.text(32));
}

TEST(JobProgress, ASecondLookBeginsAgain) {
  JobProgress job("score");
  job.started("MP", 0);
  job.advanced(1, 1000);
  job.advanced(0.5, 1000);
  job.advanced(0.75, 1010);
  EXPECT_EQ("score  75 %, 10 s left   1 run in 16 min 50 s, MP", job.text(1010));
}

TEST(JobProgress, ALongRunMovesToo) {
  JobProgress job("score");
  job.will_run(0.5);
  job.started("MP", 0);
  EXPECT_EQ("score   0 %   1 run in 1 s, MP", job.text(1));
  job.run_advanced(0.5);
  EXPECT_EQ("score  25 %, 30 s left   1 run in 10 s, MP", job.text(10));
  job.advanced(0.5, 20);
  EXPECT_EQ("score  50 %, 20 s left   1 run in 20 s, MP", job.text(20));
}

TEST(JobProgress, ABudgetIsKeptByTheClock) {
  JobProgress job("conform cpu", 20);
  job.started("MP", 4);
  EXPECT_EQ("conform cpu  25 %, 15 s left   1 run in 5 s, MP", job.text(5));
  EXPECT_EQ("conform cpu 100 %, 0 s left   1 run in 25 s, MP", job.text(25));
}

}  // namespace
}  // namespace weakspot::cli::ticker_test
