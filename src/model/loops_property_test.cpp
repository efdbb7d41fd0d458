// SPDX-License-Identifier: MIT
// Loops that wait, against the brute-force oracle, which goes round them a few times: leaving rounds out must lose
// neither an outcome nor a flag, and must find nothing new.
//
// WEAKSPOT_ORACLE_TESTS=10000 in the environment asks for that many random tests per model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/file.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/naive_cat.h"
#include "support/random_program.h"

namespace weakspot::model::loops_property_test {
namespace {

struct LoopCase {
  std::string model;
  tests::Features features;
};

void PrintTo(const LoopCase& value, std::ostream* out) { *out << value.model << " on " << value.features.arch; }

int number_of_loops() {
  const char* const asked = std::getenv("WEAKSPOT_ORACLE_TESTS");
  return asked == nullptr ? 100 : std::atoi(asked);
}

// A test of the oracle with more takes seconds.
constexpr int kMostExecutions = 1'000;
constexpr std::size_t kMostCombinations = 2'000;

class Loops : public testing::TestWithParam<LoopCase> {};

TEST_P(Loops, AgreeWithTheOracle) {
  const LoopCase& wanted = GetParam();
  const base::Result<Model> model = load_model(wanted.model);
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  const std::string path = (base::data_directory("models") / (wanted.model + ".cat")).string();
  const tests::NaiveCat naive(*base::read_file(path));
  tests::holds_for(wanted.features, number_of_loops(), [&](const litmus::LitmusTest& test) {
    std::set<std::string> flags;
    int executions = 0;
    const auto allows = [&](const tests::Execution& x) {
      if (++executions > kMostExecutions) throw tests::TooLarge();
      return naive.allows(x, flags);
    };
    const tests::Summary expected = tests::all_executions(test, allows, model->partial_coherence(), kMostCombinations);
    const Verdict verdict = judge(test, *model);
    const std::set<std::string> found(verdict.flags.begin(), verdict.flags.end());
    RC_ASSERT(std::includes(verdict.outcomes.begin(), verdict.outcomes.end(), expected.outcomes.begin(),
                            expected.outcomes.end()));
    RC_ASSERT(std::includes(found.begin(), found.end(), flags.begin(), flags.end()));
    RC_CLASSIFY(verdict.complete, "complete");
    if (!verdict.complete) return;
    RC_ASSERT(verdict.outcomes == expected.outcomes);
    RC_ASSERT(found == flags);
  });
}

tests::Features waiting(tests::Features features) {
  features.threads = 2;
  features.instructions = 2;
  features.writes = 3;
  features.reads = 3;
  features.fences = 2;
  features.loops = true;
  return features;
}

tests::Features generic_words() {
  return waiting({.loads = {"", ".acq", ".na"},
                  .stores = {"", ".rel", ".na"},
                  .atomics = {"", ".acq", ".acqrel", ".sc"},
                  .fence_words = {"fence.sc", "fence.rel", "fence.acq"}});
}

tests::Features arch_words(const std::string& arch) {
  tests::Features features = generic_words();
  features.arch = arch;
  return features;
}

tests::Features ptx_words() {
  return waiting({.arch = "ptx",
                  .loads = {".na", "", ".acq", ".acq.wg"},
                  .stores = {".na", "", ".rel", ".rel.wg"},
                  .atomics = {"", ".wg", ".acq", ".acqrel"},
                  .fence_words = {"fence.sc", "fence.acqrel", "fence.acqrel.wg"}});
}

tests::Features aarch64_words() {
  return waiting({.arch = "aarch64",
                  .loads = {"", ".acq"},
                  .stores = {"", ".rel"},
                  .atomics = {"", ".acq", ".acqrel"},
                  .fence_words = {"dmb.sy", "dmb.ld", "isb"}});
}

tests::Features vulkan_words() {
  return waiting({.arch = "vulkan",
                  .loads = {".na", ".na.nonpriv", "", ".wg", ".acq.semsc0"},
                  .stores = {".na", ".na.nonpriv", "", ".wg", ".rel.semsc0"},
                  .atomics = {"", ".acq.semsc0", ".acqrel.av.vis.semsc0"},
                  .fence_words = {"fence.acqrel.av.vis.semsc0", "fence.acq.semsc0"},
                  .declarations = "sc0 s; sc0 t;",
                  .locations = {"s", "s", "t"}});
}

INSTANTIATE_TEST_SUITE_P(Models, Loops,
                         testing::Values(LoopCase{"sc", generic_words()}, LoopCase{"sc-per-loc", generic_words()},
                                         LoopCase{"rel-acq", generic_words()}, LoopCase{"tso", generic_words()},
                                         LoopCase{"rmo", generic_words()}, LoopCase{"c11", arch_words("c")},
                                         LoopCase{"opencl", arch_words("opencl")}, LoopCase{"ptx", ptx_words()},
                                         LoopCase{"webgpu", generic_words()}, LoopCase{"aarch64", aarch64_words()},
                                         LoopCase{"vulkan", vulkan_words()}));

}  // namespace
}  // namespace weakspot::model::loops_property_test
