// SPDX-License-Identifier: MIT
#include "serve/page/run_stream.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weakspot::serve::run_stream_test {
namespace {

constexpr const char* kMp =
    R"(weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n)";

std::string order(const std::string& more) {
  return fmt::format(R"({{"test":"{}","device":"cpu:0","seconds":2{}}})", kMp, more);
}

std::string mistake(const std::string& body) {
  const base::Result<workbench::RunTestsRequest> read = read_order(body);
  return read ? "" : read.errors().front().message;
}

TEST(RunOrder, HasATestADeviceAndATime) {
  const base::Result<workbench::RunTestsRequest> read =
      read_order(order(R"(,"environment":"stress","model":"ptx","seed":7)"));
  ASSERT_TRUE(read.ok()) << base::render(read.errors());
  ASSERT_EQ(1u, read->given.size());
  EXPECT_EQ("MP", read->given[0].name);
  EXPECT_EQ(std::vector<std::string>{"cpu:0"}, read->devices);
  EXPECT_EQ(2, read->seconds);
  EXPECT_EQ(std::vector<std::string>{"stress"}, read->environments);
  EXPECT_EQ("ptx", read->model);
  EXPECT_EQ(7u, read->seed);
  EXPECT_EQ(1u, read_order(order(""))->seed);
}

TEST(RunOrder, NamesNoFilesOfTheMachine) {
  EXPECT_EQ("'model': expected a name", mistake(order(R"(,"model":"/etc/passwd")")));
  EXPECT_EQ("'device': expected an id such as cpu:0",
            mistake(fmt::format(R"({{"test":"{}","device":"../x","seconds":1}})", kMp)));
  EXPECT_NE("", mistake(order(R"(,"environment":"/etc/passwd")")));
  EXPECT_NE("", mistake(order(R"(,"environment":"@file")")));
}

TEST(RunOrder, MistakesAreReported) {
  EXPECT_NE("", mistake(""));
  EXPECT_NE("", mistake("[]"));
  EXPECT_NE("", mistake("{}"));
  EXPECT_NE("", mistake(order(R"(,"colour":"red")")));
  EXPECT_NE("", mistake(order(R"(,"seed":-1)")));
  EXPECT_NE("", mistake(fmt::format(R"({{"test":"{}","device":"cpu:0","seconds":1e9}})", kMp)));
  EXPECT_NE("", mistake(R"({"test":"","device":"cpu:0","seconds":1})"));
  // A mistake in the test has its place.
  const base::Result<workbench::RunTestsRequest> read =
      read_order(R"({"test":"weakspot T\n P0 ;\n st x 1 ;\nexists (x=1)\n","device":"cpu:0","seconds":1})");
  ASSERT_FALSE(read.ok());
  EXPECT_TRUE(base::render(read.errors()).starts_with("test:3:")) << base::render(read.errors());
}

}  // namespace
}  // namespace weakspot::serve::run_stream_test
