// SPDX-License-Identifier: MIT
// Whether random tests with loops always end, asked in two ways that share nothing but the progress models: stuck
// executions that the model `sc` allows, and cycles in the graph of interleavings.
//
// WEAKSPOT_ORACLE_TESTS=10000 in the environment asks for that many random tests.
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/library.h"
#include "model/progress/interleaving.h"
#include "model/progress/stuck.h"
#include "support/random_program.h"

namespace weakspot::model::progress_property_test {
namespace {

int number_of_questions() {
  const char* const asked = std::getenv("WEAKSPOT_ORACLE_TESTS");
  return asked == nullptr ? 300 : std::atoi(asked);
}

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

}  // namespace
}  // namespace weakspot::model::progress_property_test
