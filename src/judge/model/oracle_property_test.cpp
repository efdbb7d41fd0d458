// SPDX-License-Identifier: MIT
// Each model of models/, judged the fast way, against the slow obvious one: every candidate execution, and the model's
// text evaluated on tables of truth values. Outcomes, the number of allowed executions and the flags must be the same.
//
// WEAKSPOT_ORACLE_TESTS=10000 in the environment asks for that many random tests per model and kind, and prints what
// was tried.
#include <gtest/gtest.h>

#include <iostream>

#include "model/judge.h"
#include "model/library.h"
#include "support/judge_soon.h"
#include "support/languages.h"
#include "support/oracle.h"

namespace weakspot::model::oracle_property_test {
namespace {

struct OracleCase {
  std::string model;
  tests::Features features;
};

// Names the case in the test's name.
void PrintTo(const OracleCase& value, std::ostream* out) { *out << value.model << " on " << value.features.arch; }

// A row of a table of what was tried, if a number of tests was asked for.
void report(const OracleCase& tried, const char* kind, const tests::Tried& counts) {
  if (std::getenv("WEAKSPOT_ORACLE_TESTS") == nullptr) return;
  const std::string& arch = tried.features.arch;
  std::cout << fmt::format("| {} | {} | {} | {} | {} | {} |\n", tried.model, arch.empty() ? "generic" : arch, kind,
                           counts.cases, counts.skipped, counts.failed ? "some" : "none")
            << std::flush;
}

class OracleTest : public testing::TestWithParam<OracleCase> {
 protected:
  const base::Result<Model> model = load_model(GetParam().model);
  const tests::Oracle oracle{GetParam().model};

  void SetUp() override { ASSERT_TRUE(model.ok()) << base::render(model.errors()); }

  // Every candidate was looked at, and all is the same.
  void agree_on(const char* kind) const {
    const auto counts =
        tests::holds_for(GetParam().features, tests::number_of_random_tests(200), [&](const litmus::LitmusTest& test) {
          const tests::Opinion expected = oracle.ask(test);
          const Verdict verdict = tests::judge_soon(test, *model);
          RC_ASSERT(verdict.complete);
          RC_ASSERT(verdict.outcomes == expected.outcomes);
          RC_ASSERT(verdict.executions == expected.executions);
          RC_ASSERT(std::set<std::string>(verdict.flags.begin(), verdict.flags.end()) == expected.flags);
        });
    report(GetParam(), kind, counts);
  }

  // The oracle goes round a few times. Leaving rounds out must lose neither an outcome nor a flag; where no loop was
  // cut, it must find nothing new.
  void agree_on_loops() const {
    const auto counts =
        tests::holds_for(GetParam().features, tests::number_of_random_tests(100), [&](const litmus::LitmusTest& test) {
          const tests::Opinion expected = oracle.ask(test);
          const Verdict verdict = tests::judge_soon(test, *model);
          const std::set<std::string> flags(verdict.flags.begin(), verdict.flags.end());
          RC_ASSERT(std::includes(verdict.outcomes.begin(), verdict.outcomes.end(), expected.outcomes.begin(),
                                  expected.outcomes.end()));
          RC_ASSERT(std::includes(flags.begin(), flags.end(), expected.flags.begin(), expected.flags.end()));
          if (!verdict.complete) return;
          RC_ASSERT(verdict.outcomes == expected.outcomes);
          RC_ASSERT(flags == expected.flags);
        });
    report(GetParam(), "loops", counts);
  }
};

class OneSize : public OracleTest {};
class MixedSizes : public OracleTest {};
class Loops : public OracleTest {};

TEST_P(OneSize, AgreesWithTheJudge) { agree_on("one size"); }
TEST_P(MixedSizes, AgreesWithTheJudge) { agree_on("mixed sizes"); }
TEST_P(Loops, AgreesWithTheJudge) { agree_on_loops(); }

std::vector<OracleCase> cases(const std::function<tests::Features(tests::Features)>& kind) {
  std::vector<OracleCase> all;
  auto add = [&](const std::string& model, tests::Features features) {
    all.push_back({model, kind(std::move(features))});
  };
  for (const char* model : {"sc", "tso", "rmo", "sc-per-loc", "rel-acq", "webgpu"}) add(model, tests::neutral_words());
  add("tso", tests::x86_words());
  for (const char* model : {"c11", "c11-2011", "cpp20"}) add(model, tests::c_words());
  for (const char* model : {"opencl", "opencl-repaired"}) add(model, tests::opencl_words());
  for (const char* model : {"ptx", "ptx-strong", "ptx-tso", "ptx-aarch64"}) add(model, tests::ptx_words());
  add("ptx-2015", tests::ptx_2015_words());
  add("vulkan", tests::vulkan_words());
  add("amdgpu", tests::amdgpu_words());
  add("aarch64", tests::aarch64_words());
  add("riscv", tests::riscv_words());
  add("linux-kernel", tests::linux_words());
  return all;
}

tests::Features as_they_are(tests::Features features) { return features; }

// The class of x is Vulkan's default in memory that mixes sizes.
tests::Features in_parts(tests::Features features) {
  if (features.arch == "vulkan") {
    features.declarations = "sc1 t;";
    features.locations = {"x", "x", "t"};
  }
  return tests::in_parts(std::move(features));
}

INSTANTIATE_TEST_SUITE_P(Models, OneSize, testing::ValuesIn(cases(as_they_are)));
INSTANTIATE_TEST_SUITE_P(Models, MixedSizes, testing::ValuesIn(cases(in_parts)));
INSTANTIATE_TEST_SUITE_P(Models, Loops, testing::ValuesIn(cases(tests::waiting)));

// Words that a model is not written for, or that few tests use.
INSTANTIATE_TEST_SUITE_P(
    Further, OneSize,
    testing::Values(OracleCase{"ptx", tests::ptx_proxy_words()}, OracleCase{"ptx-strong", tests::ptx_proxy_words()},
                    OracleCase{"ptx", tests::ptx_async_words()}, OracleCase{"ptx", tests::ptx_mbarrier_words()},
                    OracleCase{"ptx", tests::ptx_product_words()}, OracleCase{"ptx", tests::ptx_tensor_words()},
                    OracleCase{"ptx", tests::ptx_tensor_commit_words()}, OracleCase{"sc", tests::ptx_tensor_words()},
                    OracleCase{"ptx", tests::ptx_drop_words()}, OracleCase{"ptx", tests::ptx_barrier_words()},
                    OracleCase{"sc", tests::ptx_barrier_words()}, OracleCase{"sc", tests::ptx_product_words()},
                    OracleCase{"sc", tests::ptx_mbarrier_words()}, OracleCase{"aarch64", tests::neutral_words()},
                    OracleCase{"riscv", tests::neutral_words()}));

// A new model gets random tests as well.
TEST(OracleCases, HaveEveryModel) {
  std::set<std::string> tried;
  for (const OracleCase& one : cases(as_they_are)) tried.insert(one.model);
  const base::Result<std::vector<ModelEntry>> models = list_models();
  ASSERT_TRUE(models.ok());
  for (const ModelEntry& entry : *models) EXPECT_TRUE(tried.contains(entry.name)) << entry.name;
}

}  // namespace
}  // namespace weakspot::model::oracle_property_test
