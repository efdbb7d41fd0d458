// SPDX-License-Identifier: MIT
#include "workbench/suites.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "workbench/devices.h"

namespace weakspot::workbench::suites_test {
namespace {

using campaign::ConformanceSuite;
using campaign::MutantStatus;

backend::DeviceInfo cpu(codegen::CpuIsa isa, bool rcpc = false) {
  backend::DeviceInfo info;
  info.id = "cpu";
  info.target = codegen::Target::cpu;
  info.limits.cpu = {.isa = isa, .lse = true, .rcpc = rcpc};
  return info;
}

std::vector<std::string> unobservable(const std::string& name, const backend::DeviceInfo& info) {
  base::Result<ConformanceSuite> suite = load_suite(name, info);
  EXPECT_TRUE(suite.ok());
  EXPECT_TRUE(prune_unobservable(*suite, info).ok());
  std::vector<std::string> names;
  for (const campaign::SuiteTest& test : suite->tests) {
    for (const campaign::SuiteMutant& mutant : test.mutants) {
      if (mutant.status == MutantStatus::unobservable) names.push_back(mutant.test.name);
    }
  }
  return names;
}

TEST(Suites, TheProgramCarriesThoseOnDisk) {
  const base::Result<std::vector<std::string>> files =
      base::files_under((base::data_directory("configs") / "suites").string(), ".json");
  ASSERT_TRUE(files.ok());
  EXPECT_GE(files->size(), 3u);
  for (const std::string& file : *files) {
    EXPECT_EQ(carried_suite(std::filesystem::path(file).stem().string()), *base::read_file(file)) << file;
  }
  EXPECT_EQ(carried_suite("abacus"), std::nullopt);
}

TEST(Suites, TestsHaveFiles) {
  const auto generated = generated_suite("mc-mutants");
  ASSERT_TRUE(generated.ok());
  for (const campaign::SuiteTest& test : generated->tests) {
    EXPECT_EQ(test.place.file, "mc-mutants/" + test.test.name + ".litmus");
    EXPECT_EQ(test.place.line, 1u);
  }
}

TEST(Suites, ArmCanShowEveryMutantOfTheStudy) {
  EXPECT_TRUE(unobservable("mc-mutants", cpu(codegen::CpuIsa::aarch64)).empty());
}

TEST(Suites, X86ShowsStoreBufferingAndReversedCoherenceAlone) {
  const std::vector<std::string> names = unobservable("mc-mutants", cpu(codegen::CpuIsa::x86_64));
  EXPECT_EQ(22u, names.size());
  const auto has = [&](const char* name) { return std::find(names.begin(), names.end(), name) != names.end(); };
  EXPECT_TRUE(has("MP-relacq-nofence"));
  EXPECT_TRUE(has("SB-rmw-nofence"));  // locked instructions are fences
  for (const char* name : {"SB-CO-split", "R-CO-split", "CoRR-reversed", "CoWW-rmw-reversed.P0"}) {
    EXPECT_FALSE(has(name)) << name;
  }
}

TEST(Suites, WhatAcquireLoadsBecomeDecides) {
  const std::vector<std::string> with_ldar = {"SB+sc-order.acq.P0.1.P1.1", "SB+sc-order.rel.P0.0.P1.0",
                                              "R+sc-order.acq.P1.1", "R+sc-order.rel.P0.P1.0", "2+2W+sc-order.rel"};
  EXPECT_EQ(with_ldar, unobservable("opencl20", cpu(codegen::CpuIsa::aarch64, false)));
  const std::vector<std::string> with_ldapr = {"SB+sc-order.rel.P0.0.P1.0", "R+sc-order.rel.P0.P1.0",
                                               "2+2W+sc-order.rel"};
  EXPECT_EQ(with_ldapr, unobservable("opencl20", cpu(codegen::CpuIsa::aarch64, true)));
}

TEST(Suites, PlatformsOfGpusAllowEveryMutant) {
  for (const codegen::Target target :
       {codegen::Target::ptx, codegen::Target::spirv, codegen::Target::opencl, codegen::Target::wgsl}) {
    backend::DeviceInfo info;
    info.id = "cuda:0";
    info.target = target;
    EXPECT_EQ((std::vector<std::string>{}), unobservable("mc-mutants", info)) << static_cast<int>(target);
  }
}

// The program must be able to read the suites that it ships.
TEST(Suites, TheCuratedSuitesHaveAllTests) {
  for (const backend::DeviceInfo& info : {cpu(codegen::CpuIsa::aarch64), backend::DeviceInfo{.id = "cuda:0"}}) {
    const base::Result<ConformanceSuite> suite = load_suite("", info);
    ASSERT_TRUE(suite.ok()) << base::render(suite.errors());
    EXPECT_EQ(family_of(info), suite->family);
    EXPECT_FALSE(suite->measured_on.empty());
    EXPECT_EQ(20u, suite->tests.size());
    std::size_t mutants = 0;
    for (const campaign::SuiteTest& test : suite->tests) mutants += test.mutants.size();
    EXPECT_EQ(32u, mutants);
  }
}

}  // namespace
}  // namespace weakspot::workbench::suites_test
