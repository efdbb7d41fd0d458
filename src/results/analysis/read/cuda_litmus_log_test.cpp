// SPDX-License-Identifier: MIT
#include "analysis/read/cuda_litmus_log.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::analysis {
namespace {

constexpr const char* kLog =
    "Compiling mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-RELAXED runner\n"
    "Iteration: 0\n"
    "  Test mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-RELAXED weak: 12, total: 1000, rate: 48 per second\n"
    "  Test mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-ACQ_REL weak: 0, total: 2000, rate: 0 per second\n"
    "Iteration: 1\r\n"
    "  Test mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-RELAXED weak: 3, total: 500, rate: 1 per second\r\n";

base::Result<DeviceResults> read(const std::string& text) {
  return read_cuda_litmus_log(base::Source("a100.txt", text), "a100");
}

TEST(CudaLitmusLog, AnIterationIsAnEnvironment) {
  const base::Result<DeviceResults> results = read(kLog);
  ASSERT_TRUE(results) << base::render(results.errors());
  EXPECT_EQ(results->device, "a100");
  ASSERT_EQ(results->entries.size(), 2);
  EXPECT_EQ(results->entries[0].key, "0");
  ASSERT_EQ(results->entries[0].cells.size(), 2);
  const NamedCell& relaxed = results->entries[0].cells[0];
  EXPECT_EQ(relaxed.test, "mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-RELAXED");
  EXPECT_EQ(relaxed.cell.sightings, 12);
  EXPECT_EQ(relaxed.cell.unknown, 988);
  EXPECT_EQ(relaxed.cell.seconds, 0.25);
  EXPECT_EQ(results->entries[0].cells[1].cell.seconds, 0);
  EXPECT_EQ(results->entries[1].cells[0].cell.seconds, 3);
}

TEST(CudaLitmusLog, LogsMayFollowEachOther) {
  const base::Result<DeviceResults> results = read(std::string(kLog) + kLog);
  ASSERT_TRUE(results);
  ASSERT_EQ(results->entries.size(), 4);
  EXPECT_EQ(results->entries[2].key, "2.0");
}

TEST(CudaLitmusLog, OnlyRelaxedVariantsAreKnownToBeAllowed) {
  const TestRole relaxed = role_of("mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-RELAXED", NameStyle::cuda_litmus);
  EXPECT_EQ(relaxed.kind, TestKind::mutant);
  EXPECT_EQ(relaxed.family, "mp");
  EXPECT_EQ(role_of("mp-TB_0_1-SCOPE_DEVICE-NO_FENCE-ACQ_REL", NameStyle::cuda_litmus).kind, TestKind::other);
}

TEST(CudaLitmusLog, ItsLinesTellItsKind) {
  EXPECT_TRUE(looks_like_cuda_litmus_log(kLog));
  EXPECT_FALSE(looks_like_cuda_litmus_log("{\"0\": {}}"));
}

TEST(CudaLitmusLog, MistakesAreNamed) {
  auto message = [](const std::string& text) { return read(text).errors()[0].message; };
  EXPECT_EQ(message(""), "the log has no iterations");
  EXPECT_EQ(message("Iteration: one\n"), "expected a number after 'Iteration:'");
  EXPECT_EQ(message("Test a weak: 1, total: 2, rate: 3 per second\n"), "expected 'Iteration: N' before the first test");
  for (const char* line :
       {"Test a weak: 3, total: 2, rate: 3 per second", "Test a weak: x", "Test a weak: -1, total: 2",
        "Test a weak: 1, total: 2, rate: 99999999999999999999 per second"}) {
    EXPECT_EQ(message(std::string("Iteration: 0\n") + line),
              "expected 'Test NAME weak: N, total: N, rate: N per second'");
  }
  const std::string twice = "Test a weak: 1, total: 2, rate: 3 per second\n";
  EXPECT_EQ(message("Iteration: 0\n" + twice + twice), "test 'a' ran twice in this iteration");
}

}  // namespace
}  // namespace weakspot::analysis
