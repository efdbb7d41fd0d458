// SPDX-License-Identifier: MIT
#include "litmus/text/builder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weakspot::litmus::builder_test {
namespace {

// More names than NameTable walks through.
TEST(NameTable, NumbersNamesInTheOrderTheyCome) {
  NameTable table;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::string name = fmt::format("name{}", i);
    EXPECT_EQ(table.find(name), std::nullopt);
    EXPECT_EQ(table.add(name), i);
  }
  for (std::uint32_t i = 0; i < 40; ++i) EXPECT_EQ(table.find(fmt::format("name{}", i)), i);
  EXPECT_EQ(table.find("name"), std::nullopt);
  EXPECT_EQ(table.find("name40"), std::nullopt);
}

TEST(TestBuilder, RegistersBelongToTheirThread) {
  TestBuilder builder;
  const RegisterId first = builder.reg(ThreadId{1}, "r0");
  EXPECT_EQ(builder.reg(ThreadId{1}, "r0"), first);
  EXPECT_EQ(builder.find_register(ThreadId{0}, "r0"), std::nullopt);
  EXPECT_EQ(builder.find_register(ThreadId{7}, "r0"), std::nullopt);
  EXPECT_EQ(builder.reg(ThreadId{1}, "r1"), RegisterId{1});
  EXPECT_EQ(builder.test.threads.size(), 2u);
}

}  // namespace
}  // namespace weakspot::litmus::builder_test
