// SPDX-License-Identifier: MIT
#include "workbench/model_choice.h"

#include <gtest/gtest.h>

namespace weakspot::workbench::model_choice_test {
namespace {

litmus::LitmusTest test_for(litmus::Arch arch) {
  litmus::LitmusTest test;
  test.arch = arch;
  return test;
}

backend::DeviceInfo cpu(codegen::CpuIsa isa) {
  backend::DeviceInfo info;
  info.target = codegen::Target::cpu;
  info.limits.cpu.isa = isa;
  return info;
}

TEST(ModelChoice, TheModelThatWasAskedForJudges) {
  const backend::DeviceInfo device = cpu(codegen::CpuIsa::x86_64);
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), nullptr, "sc"), "sc");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), &device, "my.cat"), "my.cat");
}

TEST(ModelChoice, ElseTheOneForTheTestsArchitecture) {
  EXPECT_EQ(judging_model(test_for(litmus::Arch::generic), nullptr, ""), "rel-acq");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::ptx), nullptr, ""), "ptx");
  EXPECT_EQ(judging_model(test_for(litmus::Arch::x86_64), nullptr, ""), "tso");
}

TEST(ModelChoice, OnlyProcessorsHaveAModelOfTheirHardware) {
  EXPECT_EQ(hardware_model(cpu(codegen::CpuIsa::aarch64)), "aarch64");
  EXPECT_EQ(hardware_model(cpu(codegen::CpuIsa::x86_64)), "tso");
  EXPECT_EQ(hardware_model(backend::DeviceInfo{}), std::nullopt);
}

TEST(ModelChoice, MutantsOfGenericTestsNeedScopes) {
  EXPECT_EQ(mutant_model(test_for(litmus::Arch::generic)), "ptx");
  EXPECT_EQ(mutant_model(test_for(litmus::Arch::c11)), "c11");
}

}  // namespace
}  // namespace weakspot::workbench::model_choice_test
