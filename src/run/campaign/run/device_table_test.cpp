// SPDX-License-Identifier: MIT
#include "campaign/device_table.h"

#include <gtest/gtest.h>

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

RunRecord record(const std::string& test, const std::string& device, std::vector<OutcomeCount> outcomes) {
  RunRecord made;
  made.test = test;
  made.hash = test + "-hash";
  made.device = device;
  made.outcomes = std::move(outcomes);
  for (const OutcomeCount& outcome : made.outcomes) made.instances += outcome.count;
  made.seconds = 0.5;
  made.status = RunState::finished;
  return made;
}

const OutcomeCount kNone{"x=0;", 10, OutcomeClass::sequential, false, {}};
const OutcomeCount kWeak{"x=1;", 3, OutcomeClass::weak, true, {}};
const OutcomeCount kForbidden{"x=1;", 2, OutcomeClass::forbidden, true, {}};

RunRecord refused(const std::string& test, const std::string& device) {
  RunRecord made = record(test, device, {});
  made.seconds = 0;
  made.status = RunState::refused;
  made.message = "the device has no clusters";
  return made;
}

TEST(DeviceTable, ARowPerOutcomeAndAColumnPerDevice) {
  const DeviceTable table = device_table({{{record("MP", "a", {kWeak})}},
                                          {{record("MP", "b", {kNone}), record("MP", "b", {kNone})}},
                                          {{refused("MP", "c")}}});
  EXPECT_EQ("MP", table.test);
  ASSERT_EQ(3u, table.columns.size());
  EXPECT_EQ("weak", table.columns[0].verdict);
  EXPECT_EQ(6.0, table.columns[0].rate(3));
  EXPECT_EQ(20u, table.columns[1].instances);
  EXPECT_EQ(1.0, table.columns[1].seconds);
  EXPECT_FALSE(table.columns[2].ran);
  EXPECT_EQ("refused", table.columns[2].verdict);
  EXPECT_EQ(0, table.columns[2].rate(0));
  ASSERT_EQ(2u, table.rows.size());
  EXPECT_EQ("x=0;", table.rows[0].outcome);
  EXPECT_EQ((std::vector<std::uint64_t>{0, 20, 0}), table.rows[0].counts);
  EXPECT_EQ("x=1;", table.rows[1].outcome);
  EXPECT_TRUE(table.rows[1].matches);
  EXPECT_EQ((std::vector<std::uint64_t>{3, 0, 0}), table.rows[1].counts);
}

TEST(DeviceTable, SaysWhereJudgesDiffer) {
  const DeviceTable table = device_table({{{record("MP", "a", {kWeak})}}, {{record("MP", "b", {kForbidden})}}});
  ASSERT_EQ(1u, table.rows.size());
  EXPECT_EQ("weak/FORBIDDEN", table.rows[0].classes);
}

TEST(DeviceTable, OnePerTestOfSeveralDevices) {
  const std::vector<RunRecord> records = {record("MP", "a", {kNone}),   record("SB", "a", {kNone}),
                                          record("SB", "b", {kWeak}),   record("MP", "b", {kWeak}),
                                          record("lone", "a", {kNone}), record("MP", "a", {kNone})};
  const std::vector<DeviceTable> tables = device_tables(group_records(records));
  ASSERT_EQ(2u, tables.size());
  EXPECT_EQ("MP", tables[0].test);
  EXPECT_EQ((std::vector<std::uint64_t>{20, 0}), tables[0].rows[0].counts);
  EXPECT_EQ("SB", tables[1].test);
  EXPECT_EQ((std::vector<std::uint64_t>{0, 3}), tables[1].rows[1].counts);
}

}  // namespace
}  // namespace weakspot::campaign
