// SPDX-License-Identifier: MIT
// Each model of models/, judged the fast way, against the slow obvious one: every candidate execution, and the model's
// text evaluated on sets of pairs. Outcomes, the number of allowed executions and the flags must be the same.
//
// WEAKSPOT_ORACLE_TESTS=10000 in the environment asks for that many random tests per model.
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/file.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/naive_cat.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

struct OracleCase {
  std::string model;
  tests::Features features;
};

// Names the case in the test's name.
void PrintTo(const OracleCase& value, std::ostream* out) { *out << value.model << " on " << value.features.arch; }

int number_of_tests() {
  const char* const asked = std::getenv("WEAKSPOT_ORACLE_TESTS");
  return asked == nullptr ? 200 : std::atoi(asked);
}

class Oracle : public testing::TestWithParam<OracleCase> {};

TEST_P(Oracle, AgreesWithTheJudge) {
  const OracleCase& wanted = GetParam();
  const base::Result<Model> model = load_model(wanted.model);
  ASSERT_TRUE(model.ok()) << base::render(model.errors());
  const std::string path = (base::data_directory("models") / (wanted.model + ".cat")).string();
  const tests::NaiveCat naive(*base::read_file(path));
  tests::holds_for(wanted.features, number_of_tests(), [&](const litmus::LitmusTest& test) {
    std::set<std::string> flags;
    const tests::Summary expected = tests::all_executions(
        test, [&](const tests::Execution& x) { return naive.allows(x, flags); }, model->partial_coherence());
    const Verdict verdict = judge(test, *model);
    RC_ASSERT(verdict.complete);
    RC_ASSERT(verdict.outcomes == expected.outcomes);
    RC_ASSERT(verdict.executions == expected.executions);
    RC_ASSERT(std::set<std::string>(verdict.flags.begin(), verdict.flags.end()) == flags);
  });
}

using Words = std::vector<std::string>;

// ---- what is said in each language ----

tests::Features neutral() {
  return {.fences = 3,
          .loads = {"", "", ".acq", ".sc", ".na"},
          .stores = {"", "", ".rel", ".sc", ".na"},
          .atomics = {"", ".acq", ".rel", ".acqrel", ".sc"},
          .fence_words = {"fence.sc", "fence.rel", "fence.acq", "fence.acqrel.wg", "membar", "bar", "bar"}};
}

tests::Features ptx_2015() {
  return {.fences = 3,
          .arch = "ptx-2015",
          .loads = {".na", ".na.vol"},
          .stores = {".na", ".na.vol"},
          .fence_words = {"membar.wg", "membar", "membar.sys", "fence.sc.wg"}};
}

// Partial coherence has many more orders, and each sequentially consistent fence multiplies them.
tests::Features ptx() {
  return {.writes = 3,
          .reads = 4,
          .fences = 3,
          .arch = "ptx",
          .loads = {".na", "", ".wg", ".acq", ".acq.wg", ".na.vol"},
          .stores = {".na", "", ".wg", ".rel", ".rel.wg", ".sys"},
          .atomics = {"", ".wg", ".acq", ".rel.wg", ".acqrel"},
          .fence_words = {"fence.sc", "fence.sc.wg", "fence.acqrel", "fence.acqrel.wg", "membar", "bar", "bar.arrive"}};
}

tests::Features ptx_proxies() {
  return {.writes = 3,
          .reads = 3,
          .fences = 3,
          .control = false,
          .arch = "ptx",
          .loads = {".na", "", ".acq"},
          .stores = {".na", "", ".rel"},
          .fence_words = {"fence.proxy.texture", "fence.proxy.alias", "fence.acqrel", "fence.sc", "bar"},
          .declarations = "a aliases x; t @ texture aliases x;",
          .locations = {"x", "a", "t", "y"}};
}

tests::Features opencl() {
  tests::Features features = neutral();
  features.arch = "opencl";
  features.loads = {"", ".na", ".wg", ".acq", ".acq.wg", ".sc"};
  features.stores = {"", ".na", ".wg", ".rel", ".rel.wg", ".sc"};
  features.atomics = {"", ".wg", ".acqrel", ".acqrel.wg", ".sc"};
  features.fence_words = {"fence.sc", "fence.rel.wg", "fence.acq", "fence.acqrel", "bar"};
  return features;
}

tests::Features with_arch(tests::Features features, const std::string& arch) {
  features.arch = arch;
  return features;
}

tests::Features aarch64() {
  return {.fences = 3,
          .arch = "aarch64",
          .loads = {"", "", ".acq", ".acqpc"},
          .stores = {"", "", ".rel"},
          .atomics = {"", ".acq", ".rel", ".acqrel"},
          .fence_words = {"dmb.sy", "dmb.ld", "dmb.ishst", "dsb.sy", "isb"}};
}

// Storage classes, availability and visibility; memory without a class is in none.
tests::Features vulkan() {
  return {.writes = 3,
          .reads = 3,
          .fences = 3,
          .arch = "vulkan",
          .loads = {".na", ".na.nonpriv", ".na.nonpriv.vis.wg", "", ".wg", ".acq.semsc0", ".acq.vis.semsc0.semsc1"},
          .stores = {".na", ".na.nonpriv", ".na.nonpriv.av.wg", "", ".wg", ".rel.semsc0", ".rel.av.semsc0.semsc1"},
          .atomics = {"", ".acq.semsc0", ".rel.av.semsc0", ".acqrel.av.vis.semsc0"},
          .fence_words = {"fence.acqrel.av.vis.semsc0", "fence.rel.wg.semsc0", "fence.acq.semsc1", "bar",
                          "bar.acqrel.av.vis.semsc0"},
          .declarations = "sc0 s; sc1 t;",
          .locations = {"s", "s", "t", "x"}};
}

tests::Features x86() {
  return {.fences = 3, .arch = "x86-64", .fence_words = {"mfence", "sfence", "lfence", "fence.sc"}};
}

// Parts of x, with less of everything: a part more multiplies the executions.
tests::Features few_mixed(tests::Features features) {
  features.mixed = features.vectors = true;
  features.instructions = 3;
  features.writes = 3;
  features.reads = 3;
  return features;
}

tests::Features mixed_vulkan() {
  tests::Features features = few_mixed(vulkan());
  features.declarations = "sc1 t;";
  features.locations = {"x", "x", "t"};
  return features;
}

INSTANTIATE_TEST_SUITE_P(
    MixedSizes, Oracle,
    testing::Values(OracleCase{"sc", few_mixed(neutral())}, OracleCase{"sc-per-loc", few_mixed(neutral())},
                    OracleCase{"rel-acq", few_mixed(neutral())}, OracleCase{"tso", few_mixed(x86())},
                    OracleCase{"rmo", few_mixed(neutral())}, OracleCase{"c11", few_mixed(with_arch(neutral(), "c"))},
                    OracleCase{"opencl", few_mixed(opencl())}, OracleCase{"ptx", few_mixed(ptx())},
                    OracleCase{"ptx-2015", few_mixed(ptx_2015())}, OracleCase{"webgpu", few_mixed(neutral())},
                    OracleCase{"aarch64", few_mixed(aarch64())}, OracleCase{"vulkan", mixed_vulkan()}));

INSTANTIATE_TEST_SUITE_P(Models, Oracle,
                         testing::Values(OracleCase{"sc", neutral()}, OracleCase{"sc-per-loc", neutral()},
                                         OracleCase{"rel-acq", neutral()}, OracleCase{"tso", x86()},
                                         OracleCase{"rmo", neutral()}, OracleCase{"c11", with_arch(neutral(), "c")},
                                         OracleCase{"c11-2011", with_arch(neutral(), "c")},
                                         OracleCase{"opencl-repaired", opencl()}, OracleCase{"opencl", opencl()},
                                         OracleCase{"ptx", ptx()}, OracleCase{"ptx", ptx_proxies()},
                                         OracleCase{"ptx-2015", ptx_2015()}, OracleCase{"webgpu", neutral()},
                                         OracleCase{"aarch64", aarch64()}, OracleCase{"aarch64", neutral()},
                                         OracleCase{"tso", neutral()}, OracleCase{"vulkan", vulkan()}));

}  // namespace
}  // namespace weakspot::model
