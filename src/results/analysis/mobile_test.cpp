// SPDX-License-Identifier: MIT
// Results without times, as the mobile part of GPUHarbor's study has them, and that study's own tables where its
// database and its files of correlations stand beside the project.
#include <gtest/gtest.h>

#include <map>

#include "analysis/figure.h"
#include "analysis/figures/bad_cells.h"
#include "analysis/read/results_json.h"
#include "analysis/read_study.h"
#include "support/shared_data.h"
#if WEAKSPOT_HAS_SQLITE
#include "support/sqlite_database.h"
#endif

namespace weakspot::analysis {
namespace {

std::vector<std::vector<Value>> rows_of_table(const Figure& figure, std::string_view name) {
  for (const Table& one : figure.tables) {
    if (one.name == name) return one.rows;
  }
  return {};
}

TEST(ResultsWithoutTimes, AreReadIfNoCellHasOne) {
  const base::Result<DeviceResults> read =
      read_results_json("m.json", R"({"0": {"A": {"seq": 3, "interleaved": 1, "weak": 2}}})", "m");
  ASSERT_TRUE(read) << base::render(read.errors());
  EXPECT_EQ(0, read->entries[0].cells[0].cell.seconds);
  EXPECT_EQ(6, read->entries[0].cells[0].cell.total());
  const base::Result<DeviceResults> mixed =
      read_results_json("m.json",
                        "{\"0\": {\"A\": {\"seq\": 3, \"interleaved\": 1, \"weak\": 2, \"durationSeconds\": 1},\n"
                        "\"B\": {\"seq\": 3, \"interleaved\": 1, \"weak\": 2}}}",
                        "m");
  ASSERT_FALSE(mixed);
  EXPECT_EQ(2, mixed.errors()[0].position.line);
}

#if WEAKSPOT_HAS_SQLITE
class MobileTest : public testing::Test {
 protected:
  static std::string row(const char* vendor, const char* device, int weak_in_second) {
    const std::string cell = R"({"seq": 900, "interleaved": 98, "weak": 2})";
    return std::string("('") + vendor + R"(', '{"0": {"Message Passing Default": )" + cell + R"(, "Read Default": )" +
           R"({"seq": 500, "interleaved": 0, "weak": 0}, "params": {"memStride": 4}}, "1": {)" +
           R"("Message Passing Default": {"seq": 90, "interleaved": 10, "weak": )" + std::to_string(weak_in_second) +
           R"(}, "Read Default": {"seq": 250, "interleaved": 0, "weak": 0}, "params": {"memStride": 1}}, )" +
           R"("platformInfo": {"gpu": {"vendor": "x", "description": ")" + device + R"("}}}'))";
  }

  const support::SqliteDatabase database_{
      "CREATE TABLE tuning_results (gpu_vendor TEXT, results TEXT);"
      "INSERT INTO tuning_results VALUES " +
          row("arm", "Mali", 100) + ", " + row("arm", "Mali", 0) + ", " + row("nvidia", "Tegra", 0) + ";",
      "mobile.db"};
  const ReadStudies read_ = read_studies({database_.path()});
};

TEST_F(MobileTest, RatesArePerInstance) {
  ASSERT_TRUE(read_.errors.empty()) << base::render(read_.errors);
  ASSERT_EQ(1, read_.studies.size());
  const Study& study = read_.studies[0];
  EXPECT_FALSE(study.has_times());
  EXPECT_EQ("Mali (2)", study.devices()[1].name);
  EXPECT_EQ(0.5, rate_of(study, *study.cell(0, 1, 0)));
  const Figure mutation = mutation_figure(read_.studies, {});
  const std::vector<Value> score = rows_of_table(mutation, "mutation").at(0);
  EXPECT_EQ((std::vector<Value>{"mobile", std::uint64_t{3}, std::uint64_t{6}, 50.0, Value()}), score);
  EXPECT_TRUE(rows_of_table(merge_figure(read_.studies, {}), "merge").empty());
  EXPECT_TRUE(bad_cells(study).empty());
}

TEST_F(MobileTest, Devices) {
  const Figure figure = device_figure(read_.studies, {});
  const auto count = [](std::uint64_t number) { return Value(number); };
  EXPECT_EQ((std::vector<std::vector<Value>>{{"mobile", "arm", count(2), count(1), count(3800), count(104), Value()},
                                             {"mobile", "nvidia", count(1), count(1), count(1850), count(2), Value()},
                                             {"mobile", "all", count(3), count(2), count(5650), count(106), Value()}}),
            rows_of_table(figure, "totals"));
  const std::vector<std::vector<Value>> overview = rows_of_table(figure, "device_rates_overview");
  ASSERT_EQ(3, overview.size());
  EXPECT_EQ((std::vector<Value>{"mobile", "arm", "Mali", 50.0, 0.0}), overview[0]);
  const std::vector<Value> best = rows_of_table(figure, "device_rates").at(0);
  EXPECT_EQ(Value("1"), best[7]);
  EXPECT_LT(std::get<double>(best[5]), 50);
  EXPECT_GT(std::get<double>(best[6]), 50);
}

class PublishedMobile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = support::shared_data("gpuharbor");
    if (folder_.empty()) GTEST_SKIP() << "the measurements of the GPUHarbor study are not beside the source tree";
  }

  ReadStudies read(const char* name) const {
    ReadStudies read = read_studies({(folder_ / name).string()});
    EXPECT_TRUE(read.errors.empty()) << base::render(read.errors);
    return read;
  }

  std::filesystem::path folder_;
};

TEST_F(PublishedMobile, FirstTable) {
  const ReadStudies study = read("vulkan.db");
  std::map<std::string, std::pair<double, double>> found;
  for (const std::vector<Value>& row : rows_of_table(device_figure(study.studies, {}), "totals")) {
    found[full_text(row[1])] = {static_cast<double>(std::get<std::uint64_t>(row[4])),
                                static_cast<double>(std::get<std::uint64_t>(row[5]))};
  }
  const auto expect = [&](const char* vendor, double millions, double weak, double digits) {
    EXPECT_NEAR(millions, found[vendor].first / 1e6, 0.05) << vendor;
    EXPECT_NEAR(weak, found[vendor].second, digits) << vendor;
  };
  expect("arm", 51.6, 18200, 50);
  expect("qualcomm", 17.6, 27200, 50);
  expect("PowerVR", 6.1, 0, 0);
  expect("nvidia", 49.6, 454, 0);
}

TEST_F(PublishedMobile, SecondTable) {
  struct Row {
    const char* device;
    double mp, lb, sb, s, r, w;
  };
  constexpr Row kRows[] = {{"Adreno 610", 0, 0, 0, 0, 0, 0},
                           {"Adreno 640", 0, 2.04, 1.45, 1.65, 0, 2.21},
                           {"Adreno 642L", 0.04, 5.75, 5.81, 3.81, 0, 6.38},
                           {"Adreno 660", 0.12, 8.5, 14.37, 5.69, 0, 11.5},
                           {"Mali G71", 0.04, 0, 0, 0, 0, 0},
                           {"Mali G78", 1.56, 0, 0, 0, 0, 0},
                           {"PowerVR GE8320", 0, 0, 0, 0, 0, 0},
                           {"Tegra X1", 0.01, 0.05, 0.02, 0.01, 0.01, 0.05}};
  const ReadStudies study = read("vulkan.db");
  std::map<std::string, double> found;
  for (const std::vector<Value>& row : rows_of_table(device_figure(study.studies, {}), "device_rates")) {
    found[full_text(row[2]) + ' ' + full_text(row[3])] = std::get<double>(row[4]);
  }
  for (const Row& row : kRows) {
    const std::string device(row.device);
    constexpr double kRounding = 0.00501;
    EXPECT_NEAR(row.mp, found[device + " Message Passing Default"], kRounding) << device;
    EXPECT_NEAR(row.lb, found[device + " Load Buffer Default"], kRounding) << device;
    EXPECT_NEAR(row.sb, found[device + " Store Buffer Default"], kRounding) << device;
    EXPECT_NEAR(row.s, found[device + " Store Default"], kRounding) << device;
    EXPECT_NEAR(row.r, found[device + " Read Default"], kRounding) << device;
    EXPECT_NEAR(row.w, found[device + " 2+2 Write Default"], kRounding) << device;
  }
}

TEST_F(PublishedMobile, BugsAndTheirMutants) {
  const ReadStudies study = read("corr-analysis");
  const std::vector<std::vector<Value>> rows = rows_of_table(correlation_figure(study.studies, {}), "bug_correlation");
  ASSERT_EQ(3, rows.size());  // files in the order of their names: Mali G71, Mali G78, Tegra X1
  EXPECT_NEAR(0.732, std::get<double>(rows[0][4]), 0.0005);
  EXPECT_NEAR(0.759, std::get<double>(rows[1][4]), 0.0005);
  EXPECT_NEAR(0.832, std::get<double>(rows[2][4]), 0.0005);
}
#endif

}  // namespace
}  // namespace weakspot::analysis
