// SPDX-License-Identifier: MIT
#include "questions/model_choice.h"

#include <gtest/gtest.h>

namespace weakspot::questions::model_choice_test {
namespace {

litmus::LitmusTest test_for(litmus::Arch arch) {
  litmus::LitmusTest test;
  test.arch = arch;
  return test;
}

Platform cpu(codegen::CpuIsa isa) {
  Platform info;
  info.target = codegen::Target::cpu;
  info.limits.cpu.isa = isa;
  return info;
}

TEST(ModelChoice, TheModelThatWasAskedForJudges) {
  const Platform device = cpu(codegen::CpuIsa::x86_64);
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), nullptr, "sc"), "sc");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), &device, "my.cat"), "my.cat");
}

Platform gpu(codegen::Target target) {
  Platform info;
  info.target = target;
  return info;
}

TEST(ModelChoice, ElseTheOneOfThePlatform) {
  using litmus::Arch;
  struct Row {
    Platform device;
    const char* model;
  };
  const Row rows[] = {
      {gpu(codegen::Target::ptx), "ptx"},       {gpu(codegen::Target::spirv), "vulkan"},
      {gpu(codegen::Target::opencl), "opencl"}, {gpu(codegen::Target::wgsl), "webgpu"},
      {cpu(codegen::CpuIsa::x86_64), "tso"},    {cpu(codegen::CpuIsa::aarch64), "aarch64"},
  };
  for (const Row& row : rows) {
    for (Arch arch : {Arch::generic, Arch::ptx, Arch::vulkan, Arch::opencl, Arch::c11}) {
      EXPECT_EQ(judging_model(test_for(arch), &row.device, ""), row.model) << litmus::to_string(arch);
    }
  }
  EXPECT_EQ(judging_model(test_for(Arch::aarch64), &rows[5].device, ""), "aarch64");
  EXPECT_EQ(judging_model(test_for(Arch::x86_64), &rows[4].device, ""), "tso");
  // The dialect of 2015 has a model of its own on the platform that it is for.
  EXPECT_EQ(judging_model(test_for(Arch::ptx2015), &rows[0].device, ""), "ptx-2015");
  EXPECT_EQ(judging_model(test_for(Arch::ptx2015), &rows[2].device, ""), "opencl");
}

TEST(ModelChoice, WithoutADeviceTheOneForTheTestsArchitecture) {
  EXPECT_EQ(judging_model(test_for(litmus::Arch::generic), nullptr, ""), "rel-acq");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), nullptr, ""), "ptx");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::x86_64), nullptr, ""), "tso");
}

TEST(ModelChoice, OnlyProcessorsHaveAModelOfTheirHardware) {
  EXPECT_EQ(hardware_model(cpu(codegen::CpuIsa::aarch64)), "aarch64");
  EXPECT_EQ(hardware_model(cpu(codegen::CpuIsa::x86_64)), "tso");
  EXPECT_EQ(hardware_model(Platform{}), std::nullopt);
}

TEST(ModelChoice, MutantsOfGenericTestsNeedScopes) {
  EXPECT_EQ(mutant_model(test_for(litmus::Arch::generic)), "ptx");
  EXPECT_EQ(mutant_model(test_for(litmus::Arch::c11)), "c11");
}

}  // namespace
}  // namespace weakspot::questions::model_choice_test
