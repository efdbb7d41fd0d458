// SPDX-License-Identifier: MIT
// Whether random tests with loops always end, asked in two ways that share nothing but the progress models: stuck
// executions that the model `sc` allows, and cycles in the graph of interleavings.
//
// WEAKSPOT_ORACLE_TESTS=10000 in the environment asks for that many random tests.
#include <gtest/gtest.h>

#include "litmus/instruction.h"
#include "model/library.h"
#include "model/progress/interleaving.h"
#include "model/progress/recurrence.h"
#include "model/progress/stuck.h"
#include "support/oracle.h"
#include "support/random_program.h"

namespace weakspot::model::progress_property_test {
namespace {

int number_of_questions() { return tests::number_of_random_tests(300); }

TEST(ProgressProperty, StuckExecutionsAreCyclesOfInterleavings) {
  const base::Result<Model> sc = load_model("sc");
  ASSERT_TRUE(sc.ok()) << base::render(sc.errors());
  const tests::Features features{.threads = 3, .writes = 4, .reads = 5, .loops = true, .fence_words = {"fence.sc"}};
  tests::holds_for(features, number_of_questions(), [&](const litmus::LitmusTest& test) {
    const Progress progress =
        *rc::gen::elementOf(std::vector<Progress>(kProgressModels.begin(), kProgressModels.end()));
    RC_LOG() << to_string(progress);
    Allowance unlimited;
    const InterleavingResult runs = find_endless_run(test, progress, unlimited);
    const StuckResult stuck = find_stuck(test, *sc, progress, {}, unlimited);
    RC_CLASSIFY(runs.story.has_value(), "endless");
    RC_CLASSIFY(!runs.complete, "not interleaved");
    if (stuck.story && runs.complete) RC_ASSERT(runs.story);
    if (runs.story && stuck.complete && !stuck.bounded) RC_ASSERT(stuck.story);
  });
}

// A test that is shown to end has no run that does not, in an interleaving or by a model of coherence alone.
TEST(ProgressProperty, WhatCannotRecurEnds) {
  const base::Result<Model> coherence = load_model("sc-per-loc");
  ASSERT_TRUE(coherence.ok()) << base::render(coherence.errors());
  const tests::Features features{.threads = 2,
                                 .instructions = 2,
                                 .writes = 5,
                                 .reads = 5,
                                 .control = false,
                                 .loops = true,
                                 .fence_words = {"fence.sc"}};
  int shown = 0;
  tests::holds_for(features, number_of_questions(), [&](const litmus::LitmusTest& test) {
    const Progress progress =
        *rc::gen::elementOf(std::vector<Progress>(kProgressModels.begin(), kProgressModels.end()));
    RC_LOG() << to_string(progress);
    Allowance unlimited;
    if (!is_coherent(test) || !nothing_recurs(test, progress, unlimited)) return;
    ++shown;
    RC_ASSERT(!find_endless_run(test, progress, unlimited).story);
    RC_ASSERT(!find_stuck(test, *coherence, progress, {}, unlimited).story);
  });
  EXPECT_GT(shown, 0);
}

}  // namespace
}  // namespace weakspot::model::progress_property_test
