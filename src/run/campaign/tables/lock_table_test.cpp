// SPDX-License-Identifier: MIT
#include "campaign/lock_table.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace weakspot::campaign {
namespace {

using codegen::LockFences;
using codegen::LockKind;

std::unique_ptr<backend::Device> cpu_with_two_cores() {
  const std::vector<std::string_view> families = backend::device_families();
  if (std::find(families.begin(), families.end(), "cpu") == families.end()) return nullptr;
  auto opened = backend::open_device("cpu");
  if (!opened || (*opened)->info().multiprocessors < 2) return nullptr;
  return *std::move(opened);
}

// Everything that is asserted holds on every machine, loaded or not.
TEST(MeasureLock, FullyFencedLocksNeverFail) {
  const auto cpu = cpu_with_two_cores();
  if (!cpu) GTEST_SKIP() << "needs the CPU device and two cores";
  for (const LockKind kind : codegen::kLockKinds) {
    if (kind == LockKind::none) continue;
    LockRequest request;
    request.kind = kind;
    request.seconds = 0.05;
    request.contenders = 2;
    request.sections = 1000;
    const LockRow row = measure_lock(*cpu, request);
    EXPECT_EQ("", row.problem);
    EXPECT_EQ(0u, row.counts.failed_runs) << to_string(kind);
    EXPECT_EQ(0u, row.counts.lost_updates) << to_string(kind);
    EXPECT_EQ(2u, row.contenders);
    if (row.counts.unfinished == 0) {
      EXPECT_EQ(2000 * row.counts.runs, row.counts.sections) << to_string(kind);
      EXPECT_EQ("holds", verdict_word(row));
    }
  }
}

// Without a lock, increments are lost on every machine; without fences, on one whose stores go out of order. A busy
// machine may run the threads one after the other, so there are several attempts.
TEST(MeasureLock, BrokenLocksFail) {
  const auto cpu = cpu_with_two_cores();
  if (!cpu) GTEST_SKIP() << "needs the CPU device and two cores";
  std::vector<LockKind> broken = {LockKind::none};
  if (codegen::kNativeIsa == codegen::CpuIsa::aarch64) broken.push_back(LockKind::compare_and_swap);
  for (const LockKind kind : broken) {
    LockRequest request;
    request.kind = kind;
    request.fences = LockFences::none;
    request.seconds = 0.2;
    LockRow row;
    for (int attempt = 0; attempt < 20 && row.counts.failed_runs == 0; ++attempt) row = measure_lock(*cpu, request);
    EXPECT_NE(0u, row.counts.failed_runs) << to_string(kind);
    EXPECT_GE(row.counts.lost_updates, row.counts.failed_runs);
    EXPECT_LE(row.counts.failed_runs, row.counts.runs);
    EXPECT_EQ("FAILED", verdict_word(row));
  }
}

TEST(MeasureLock, EndsOnDevicesThatDoNothing) {
  auto opened = backend::open_device("testing:one");
  ASSERT_TRUE(opened.ok());
  LockRequest request;
  request.seconds = 0.05;
  EXPECT_EQ("unfinished", verdict_word(measure_lock(**opened, request)));
  auto lost = backend::open_device("testing:lost");
  ASSERT_TRUE(lost.ok());
  const LockRow row = measure_lock(**lost, request);
  EXPECT_EQ("failed", verdict_word(row));
  EXPECT_EQ("the device fell off the bus", row.problem);
}

LockTable small_table() {
  LockTable table{"cpu", "a <CPU>", "Linux", {}};
  LockRow row;
  row.kind = LockKind::exchange;
  row.fences = LockFences::acquire;
  row.contenders = 2;
  row.sections = 10;
  row.counts = {.runs = 4, .unfinished = 1, .failed_runs = 3, .lost_updates = 5, .sections = 90};
  row.seconds = 0.5;
  row.explained_by =
      AssumptionRun{.test = "exch-sl", .model = "aarch64", .allowed = true, .instances = 100, .observed = 7};
  table.rows.push_back(row);
  table.rows.push_back({.kind = LockKind::none, .problem = "no <fences>"});
  return table;
}

TEST(LockTable, AsJson) {
  const base::JsonValue json = to_json(small_table());
  const base::JsonValue& first = json.at(std::size_t{0});
  EXPECT_EQ("exchange", first.at("lock").text());
  EXPECT_EQ("half", first.at("fences").text());
  EXPECT_EQ("acquire", first.at("side").text());
  EXPECT_EQ(4, first.at("runs").integer());
  EXPECT_EQ(3, first.at("failed_runs").integer());
  EXPECT_EQ(5, first.at("lost_updates").integer());
  EXPECT_EQ("exch-sl", first.at("explained_by").text());
  EXPECT_EQ(7, first.at("explanation").at("observed").integer());
  EXPECT_EQ("unavailable", json.at(1).at("verdict").text());
  EXPECT_TRUE(json.at(1).at("explained_by").is(base::JsonValue::Kind::null));
}

TEST(LockTable, AsHtmlEscapes) {
  const std::string html = to_html(small_table());
  EXPECT_NE(std::string::npos, html.find("a &lt;CPU&gt;"));
  EXPECT_NE(std::string::npos, html.find("no &lt;fences&gt;"));
  EXPECT_NE(std::string::npos, html.find("acquire only"));
}

}  // namespace
}  // namespace weakspot::campaign
