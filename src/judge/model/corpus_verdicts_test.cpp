// SPDX-License-Identifier: MIT
// The corpus says of each test which models allow its outcome; the verdicts were found by another program. Ours must
// agree, and the models must include each other as they should.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/file.h"
#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"
#include "support/sanitized.h"

namespace weakspot::model::corpus_verdicts_test {
namespace {

std::vector<litmus::LitmusTest> corpus() {
  const std::string index = (base::data_directory("corpus") / "@all").string();
  base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_test_file(index);
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests ? std::move(*tests) : std::vector<litmus::LitmusTest>();
}

// Every model of the program by name.
std::map<std::string, Model> all_models() {
  std::map<std::string, Model> models;
  base::Result<std::vector<ModelEntry>> entries = list_models();
  EXPECT_TRUE(entries.ok()) << base::render(entries.errors());
  for (const ModelEntry& entry : *entries) models.emplace(entry.name, *load_model(entry.name));
  return models;
}

TEST(CorpusVerdicts, AreWhatTheTestsExpect) {
  const std::map<std::string, Model> models = all_models();
  std::size_t compared = 0;
  for (const litmus::LitmusTest& test : corpus()) {
    for (const auto& [name, expectation] : test.expectations) {
      const auto model = models.find(name);
      if (model == models.end()) continue;
      const Verdict verdict = judge(test, model->second, {.condition_only = true});
      const Verdict::Reach expected =
          expectation == litmus::Expectation::allowed ? Verdict::Reach::allowed : Verdict::Reach::forbidden;
      EXPECT_EQ(verdict.reach, expected) << test.name << " by " << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 2500u);
}

// In these models a non-atomic read that races may read nothing at all: a program with a race is undefined, and the
// outcomes of its consistent executions say little.
bool reads_only_what_is_visible(std::string_view model) { return model == "opencl" || model == "c11-2011"; }

// A model named first allows no outcome that the second forbids.
TEST(CorpusVerdicts, ModelsIncludeEachOther) {
  const std::map<std::string, Model> models = all_models();
  const std::pair<const char*, const char*> inclusions[] = {
      {"sc", "tso"},
      {"tso", "rmo"},
      {"sc", "sc-per-loc"},
      {"rel-acq", "sc-per-loc"},
      {"sc", "rel-acq"},
      {"sc", "c11"},
      {"sc", "aarch64"},
      {"sc", "ptx"},
      {"sc", "ptx-2015"},
      {"sc", "opencl"},
      {"sc", "webgpu"},
      {"sc", "vulkan"},
      {"sc", "opencl-repaired"},
      {"sc", "ptx-strong"},
      {"sc", "c11-2011"},
      {"c11", "cpp20"},
      {"ptx-strong", "ptx"},
      {"ptx-tso", "ptx"},
      {"ptx-aarch64", "ptx"},
      {"sc", "ptx-tso"},
      {"sc", "ptx-aarch64"},
      {"sc", "amdgpu"},
      {"sc", "riscv"},
      {"sc", "linux-kernel"},
  };
  std::size_t number = 0;
  for (const litmus::LitmusTest& test : corpus()) {
    if (number++ % tests::kSampleStep != 0) continue;
    std::map<std::string, litmus::OutcomeSet> outcomes;
    std::map<std::string, bool> defined;
    for (const auto& [name, model] : models) {
      Verdict verdict = judge(test, model);
      outcomes[name] = std::move(verdict.outcomes);
      defined[name] = verdict.flags.empty();
    }
    for (const auto& [strong, weak] : inclusions) {
      if (reads_only_what_is_visible(weak) && !defined[weak]) continue;
      EXPECT_TRUE(
          std::includes(outcomes[weak].begin(), outcomes[weak].end(), outcomes[strong].begin(), outcomes[strong].end()))
          << test.name << ": " << strong << " allows an outcome that " << weak << " forbids";
    }
  }
}

TEST(Library, NamesItsModels) {
  base::Result<std::vector<ModelEntry>> entries = list_models();
  ASSERT_TRUE(entries.ok()) << base::render(entries.errors());
  EXPECT_EQ(entries->front().name, "sc");
  for (const ModelEntry& entry : *entries) EXPECT_FALSE(entry.description.empty()) << entry.name;
  for (litmus::Arch arch : {litmus::Arch::generic, litmus::Arch::ptx2015, litmus::Arch::ptx, litmus::Arch::opencl,
                            litmus::Arch::c11, litmus::Arch::vulkan, litmus::Arch::aarch64, litmus::Arch::x86_64,
                            litmus::Arch::riscv, litmus::Arch::linux_kernel}) {
    EXPECT_TRUE(load_model(default_model(arch)).ok()) << litmus::to_string(arch);
  }
  EXPECT_EQ(base::render(load_model("no-such-model").errors()),
            "error: there is no model 'no-such-model'; 'weakspot models' lists them\n");
}

}  // namespace
}  // namespace weakspot::model::corpus_verdicts_test
