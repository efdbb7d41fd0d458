// SPDX-License-Identifier: MIT
#include "workbench/assumptions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "litmus/dialect.h"
#include "workbench/corpus.h"
#include "workbench/experiment/platform_form.h"
#include "workbench/inputs.h"
#include "workbench/locks.h"

namespace weakspot::workbench {
namespace {

litmus::LitmusTest corpus_test(const std::string& name) {
  TestInputs inputs = load_tests({name.find('/') == std::string::npos ? "assumptions/" + name : name});
  EXPECT_TRUE(inputs.errors.empty()) << base::render(inputs.errors);
  return inputs.tests.at(0).test;
}

TEST(Assumptions, EveryTestOfTheCorpusIsInTheCatalogueOrRepairsOneThatIs) {
  const auto tests = list_corpus({"assumptions"});
  ASSERT_TRUE(tests.ok());
  const std::vector<std::string> catalogue = catalogued_tests();
  std::size_t idioms = 0;
  for (const CorpusTest& test : *tests) {
    const std::string name = test.name.substr(test.name.find('/') + 1);
    const std::string idiom = name.substr(0, name.find('+'));
    EXPECT_NE(catalogue.end(), std::find(catalogue.begin(), catalogue.end(), idiom)) << test.name;
    idioms += idiom == name ? 1 : 0;
  }
  EXPECT_EQ(catalogue.size(), idioms);
}

TEST(PlatformForm, KeepsWhatTheDeviceUnderstands) {
  const litmus::LitmusTest test = corpus_test("cas-sl+membar.gls");
  backend::DeviceInfo device;
  EXPECT_EQ(test, platform_form(test, device));
  device.target = codegen::Target::cpu;
  EXPECT_EQ(test, platform_form(test, device));
  device.target = codegen::Target::spirv;
  const litmus::LitmusTest generic = corpus_test("classic/MP");
  EXPECT_EQ(generic, platform_form(generic, device));
}

TEST(PlatformForm, OpenclAndVulkanGetAtomicsAndFences) {
  const litmus::LitmusTest test = corpus_test("cas-sl+membar.gls");
  backend::DeviceInfo device;
  const auto text = [&] {
    const auto printed = litmus::print(platform_form(test, device), litmus::Dialect::canonical);
    EXPECT_TRUE(printed.ok());
    return printed ? *printed : "";
  };
  device.target = codegen::Target::spirv;
  EXPECT_NE(std::string::npos, text().find("fence.acqrel"));
  EXPECT_EQ(std::string::npos, text().find("membar "));
  EXPECT_EQ(std::string::npos, text().find(".cg"));
  EXPECT_EQ(std::string::npos, text().find(".na"));
  device.target = codegen::Target::opencl;
  EXPECT_NE(std::string::npos, text().find("fence.sc"));
  device.limits.opencl.mapping = codegen::OpenclMapping::legacy;
  EXPECT_NE(std::string::npos, text().find("fence.acqrel"));
}

class Quiet final : public RunWatch {};

TEST(Assumptions, OnADeviceThatShowsEverything) {
  AssumptionsRequest request;
  request.device = "testing:all";
  request.seconds = 0.002;
  Quiet watch;
  const auto executor = campaign::in_process_executor();
  const auto result = assumptions(request, *executor, watch);
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(Ending::finding, result->ending);
  for (const campaign::Assumption& assumption : result->table.assumptions) {
    EXPECT_EQ("", assumption.run.problem) << assumption.run.test;
    EXPECT_NE(0u, assumption.run.observed) << assumption.run.test;
    if (assumption.run.test != "cas-sl") continue;
    ASSERT_TRUE(assumption.repaired.has_value());
    EXPECT_EQ("cas-sl+membar.gls", assumption.repaired->test);
    EXPECT_EQ(std::optional(true), assumption.run.allowed);
    EXPECT_TRUE(assumption.repaired->is_violation());
  }
}

// A bench whose locks fail without all of their fences.
class FakeBench final : public campaign::LockBench {
 public:
  campaign::LockRow measure(const std::string&, const campaign::LockRequest& request) override {
    campaign::LockRow row;
    row.kind = request.kind;
    row.fences = request.fences;
    row.counts = {.runs = 2, .failed_runs = request.fences == codegen::LockFences::full ? 0u : 1u, .lost_updates = 1};
    return row;
  }
};

TEST(Locks, FailuresAreExplainedByTestsWithTheSameFences) {
  LocksRequest request;
  request.device = "testing:all";
  request.locks = {"no-lock", "cas", "deque"};
  request.seconds = 0.002;
  Quiet watch;
  FakeBench bench;
  const auto executor = campaign::in_process_executor();
  const auto result = locks(request, bench, *executor, watch, [](const campaign::LockRow&) {});
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(Ending::fine, result->ending);
  std::vector<std::string> tests;
  for (const campaign::LockRow& row : result->table.rows) {
    tests.push_back(row.explained_by ? row.explained_by->test : "-");
  }
  ASSERT_EQ(9u, tests.size());
  EXPECT_EQ((std::vector<std::string>{"-", "-", "cas-sl+po+membar.gl", "cas-sl+membar.gl+po", "cas-sl"}),
            (std::vector<std::string>(tests.begin(), tests.begin() + 5)));
  EXPECT_EQ("-", tests[5]);
  EXPECT_EQ("dlb", tests[6].substr(0, 3));
}

TEST(Locks, UnknownLocksAreBadInput) {
  const auto emitted = emit_locks({"csa"}, codegen::Target::ptx);
  EXPECT_EQ(
      "error: unknown lock 'csa'; expected one of no-lock, tas, ttas, cas, exchange, ticket, mcs, prefix-sum, deque; "
      "did "
      "you mean 'cas'?\n",
      base::render(emitted.errors()));
}

}  // namespace
}  // namespace weakspot::workbench
