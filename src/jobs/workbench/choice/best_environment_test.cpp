// SPDX-License-Identifier: MIT
#include "workbench/choice/best_environment.h"

#include <gtest/gtest.h>

#include "workbench/inputs.h"

namespace weakspot::workbench::best_environment_test {
namespace {

litmus::LitmusTest test_named(const std::string& name) {
  TestInputs inputs = load_tests({name});
  EXPECT_EQ(1u, inputs.tests.size()) << name;
  return std::move(inputs.tests.front().test);
}

backend::DeviceInfo arm() {
  backend::DeviceInfo info;
  info.id = "cpu";
  info.target = codegen::Target::cpu;
  info.limits.cpu = {.isa = codegen::CpuIsa::aarch64, .lse = true, .rcpc = true};
  return info;
}

TEST(Shape, IsThatOfTheAccesses) {
  EXPECT_EQ("R0 R1|W1 W0", shape_of(test_named("MP")));
  EXPECT_EQ(shape_of(test_named("MP")), shape_of(test_named("MP+rel+acq")));
  EXPECT_EQ("W0 R1|W1 R0", shape_of(test_named("SB")));
  EXPECT_NE(shape_of(test_named("SB")), shape_of(test_named("R")));
  EXPECT_EQ(shape_of(test_named("IRIW")), shape_of(test_named("IRIW")));
}

TEST(BestEnvironment, ComesFromATestOfTheSameShape) {
  const base::Result<BestEnvironments> known = BestEnvironments::of(arm());
  ASSERT_TRUE(known.ok());
  const auto mp = known->choose(test_named("MP")), sb = known->choose(test_named("SB"));
  ASSERT_TRUE(mp && sb);
  EXPECT_EQ("best known on cpu-aarch64 for a test of this shape, MP-relacq-nofence", mp->why);
  EXPECT_EQ("best known on cpu-aarch64 for a test of this shape, SB-CO-split", sb->why);
  EXPECT_NE(mp->environment, codegen::TestEnvironment());
}

TEST(BestEnvironment, IsTheBestForMostWhereNoTestHasTheShape) {
  const base::Result<BestEnvironments> known = BestEnvironments::of(arm());
  ASSERT_TRUE(known.ok());
  const auto iriw = known->choose(test_named("IRIW"));
  ASSERT_TRUE(iriw);
  EXPECT_EQ("best known on cpu-aarch64 for most tests; none has this shape", iriw->why);
}

TEST(BestEnvironment, IsNotKnownForOtherDevices) {
  backend::DeviceInfo other = arm();
  other.id = "opencl:0";
  other.name = "a device that nobody measured";
  other.target = codegen::Target::opencl;
  const base::Result<BestEnvironments> known = BestEnvironments::of(other);
  ASSERT_TRUE(known.ok());
  EXPECT_FALSE(known->choose(test_named("MP")));
}

}  // namespace
}  // namespace weakspot::workbench::best_environment_test
