// SPDX-License-Identifier: MIT
// The corpus and the default judge of every platform.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/file.h"
#include "codegen/as_emitted.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "model/judge.h"
#include "model/library.h"
#include "questions/model_choice.h"

namespace weakspot::questions::corpus_judging_test {
namespace {

using codegen::CpuIsa;
using codegen::Target;
using litmus::Expectation;
using litmus::LitmusTest;
using model::Verdict;

const std::vector<LitmusTest>& corpus() {
  static const std::vector<LitmusTest> tests = [] {
    const std::string index = (base::data_directory("corpus") / "@all").string();
    base::Result<std::vector<LitmusTest>> read = litmus::read_test_file(index);
    EXPECT_TRUE(read.ok()) << base::render(read.errors());
    return read ? std::move(*read) : std::vector<LitmusTest>();
  }();
  return tests;
}

const model::Model& model_named(const std::string& name) {
  static std::map<std::string, model::Model> models;
  const auto found = models.find(name);
  return found != models.end() ? found->second : models.emplace(name, *model::load_model(name)).first->second;
}

Platform device(Target target, CpuIsa isa = CpuIsa::aarch64) {
  Platform info;
  info.target = target;
  info.limits.ptx_arch = 90;
  info.limits.cpu = {isa, true, true};
  return info;
}

// By the default judge, in the form that it judges.
Verdict::Reach reach(const LitmusTest& test, const Platform& info) {
  const std::string name = judging_model(test, &info, "");
  return model::judge(form_for_model(test, &info, name), model_named(name), {.condition_only = true}).reach;
}

bool runs_on(const LitmusTest& test, const Platform& info) {
  return codegen::TestProgram::compile(test, {}, info.target, info.limits).ok();
}

TEST(CorpusJudging, TheDefaultJudgeIsThePlatforms) {
  const std::pair<Platform, const char*> platforms[] = {
      {device(Target::ptx), "ptx"},     {device(Target::spirv), "vulkan"}, {device(Target::opencl), "opencl"},
      {device(Target::wgsl), "webgpu"}, {device(Target::cpu), "aarch64"},  {device(Target::cpu, CpuIsa::x86_64), "tso"},
  };
  for (const auto& [info, name] : platforms) {
    for (const LitmusTest& test : corpus()) {
      const bool old = info.target == Target::ptx && test.arch == litmus::Arch::ptx2015;
      EXPECT_EQ(judging_model(test, &info, ""), old ? "ptx-2015" : name) << test.name;
    }
  }
}

// Synchronisation of a workgroup orders nothing between workgroups.
TEST(CorpusJudging, NarrowScopesBetweenWorkgroupsAreNotAccused) {
  const std::set<std::string> names = {
      "MP-wg-diff-wg",
      "MP-wg+dev-diff-wg",
      "ISA2-wg+wg",
      "MP+fence.acqrel.wg+fence.acqrel.wg-diff-wg",
      "MP+fence.sc.wg+fence.sc.wg-diff-wg",
      "MP+fence.acqrel.wg+fence.acqrel.dev-diff-wg",
  };
  const Platform cuda = device(Target::ptx);
  std::size_t found = 0;
  for (const LitmusTest& test : corpus()) {
    if (!names.contains(test.name)) continue;
    ++found;
    EXPECT_EQ(reach(test, cuda), Verdict::Reach::allowed) << test.name;
  }
  EXPECT_EQ(found, names.size());
}

// Every test that can run on a platform and that the platform's model forbids as written is forbidden in the form that
// is judged: what is emitted is never weaker than the test.
TEST(CorpusJudging, WhatThePlatformsModelForbidsIsForbiddenThere) {
  Platform inline_ptx = device(Target::opencl);
  inline_ptx.limits.opencl.mapping = codegen::OpenclMapping::inline_ptx;
  const Platform platforms[] = {device(Target::ptx), device(Target::spirv), device(Target::opencl),
                                inline_ptx,          device(Target::wgsl),  device(Target::cpu, CpuIsa::x86_64)};
  std::map<std::string, std::size_t> forbidden;
  for (const Platform& info : platforms) {
    for (const LitmusTest& test : corpus()) {
      if (!runs_on(test, info)) continue;
      const std::string name = judging_model(test, &info, "");
      const auto expected = test.expectations.find(name);
      if (expected == test.expectations.end() || expected->second == Expectation::allowed) continue;
      EXPECT_EQ(reach(test, info), Verdict::Reach::forbidden) << test.name << " by " << name;
      ++forbidden[name];
    }
  }
  for (const auto& [name, count] : forbidden) RecordProperty(name, std::to_string(count));
  EXPECT_GE(forbidden["ptx"], 100u);
  EXPECT_GE(forbidden["tso"], 100u);
}

// Outcomes that PTX forbids and that rel-acq, which is blind to sequential consistency, cumulativity and dependencies,
// would let pass.
TEST(CorpusJudging, WhatRelAcqDoesNotSeeIsForbiddenOnCuda) {
  const Platform cuda = device(Target::ptx);
  std::size_t found = 0;
  for (const LitmusTest& test : corpus()) {
    const auto by_ptx = test.expectations.find("ptx");
    if (test.arch != litmus::Arch::generic || by_ptx == test.expectations.end()) continue;
    if (by_ptx->second == Expectation::allowed) continue;
    const Verdict::Reach blind = model::judge(test, model_named("rel-acq"), {.condition_only = true}).reach;
    if (blind != Verdict::Reach::allowed) continue;
    ++found;
    EXPECT_EQ(reach(test, cuda), Verdict::Reach::forbidden) << test.name;
  }
  EXPECT_EQ(found, 48u);
}

// For PTX inside OpenCL C, the judge is opencl and the promise is PTX's, which must be at least as strong.
TEST(CorpusJudging, InlinePtxKeepsWhatOpenclPromises) {
  Platform info = device(Target::opencl);
  info.limits.opencl.mapping = codegen::OpenclMapping::inline_ptx;
  std::size_t compared = 0;
  for (const LitmusTest& test : corpus()) {
    if (!runs_on(test, info)) continue;
    const Verdict promised = model::judge(form_for_model(test, &info, "opencl"), model_named("opencl"));
    if (!promised.flags.empty() || !promised.complete) continue;
    const LitmusTest code = codegen::as_emitted(test, Target::ptx, info.limits);
    for (const litmus::Outcome& outcome : model::judge(code, model_named("ptx")).outcomes) {
      EXPECT_TRUE(promised.outcomes.contains(outcome)) << test.name;
    }
    ++compared;
  }
  EXPECT_GT(compared, 100u);
}

}  // namespace
}  // namespace weakspot::questions::corpus_judging_test
