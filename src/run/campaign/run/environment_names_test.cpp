// SPDX-License-Identifier: MIT
#include "campaign/environment_names.h"

#include <gtest/gtest.h>

namespace weakspot::campaign::environment_names_test {
namespace {

TEST(EnvironmentNames, OnlyLongSettingsGetANumber) {
  EnvironmentNames names;
  codegen::TestEnvironment environment;
  EXPECT_EQ("basic", names.name(environment));
  environment.workgroup_size = 32;
  EXPECT_EQ("workgroup_size=32", names.name(environment));
  EXPECT_EQ("stress", names.name(codegen::find_preset("stress")->environment));
  EXPECT_TRUE(names.numbered().empty());
}

TEST(EnvironmentNames, ANumberStaysWithItsSettings) {
  EnvironmentNames names;
  codegen::TestEnvironment one, other;
  one.workgroup_size = other.workgroup_size = 32;
  one.memory_stride = 4;
  other.memory_stride = 8;
  EXPECT_EQ("env 1", names.name(one));
  EXPECT_EQ("env 2", names.name(other));
  EXPECT_EQ("env 1", names.name("workgroup_size=32,memory_stride=4"));
  ASSERT_EQ(2u, names.numbered().size());
  EXPECT_EQ("env 2", names.numbered()[1].name);
  EXPECT_EQ("workgroup_size=32,memory_stride=8", names.numbered()[1].settings);
}

}  // namespace
}  // namespace weakspot::campaign::environment_names_test
