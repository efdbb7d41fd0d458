// SPDX-License-Identifier: MIT
#include "analysis/read_study.h"

#include <gtest/gtest.h>

#include "analysis/read/records.h"
#include "base/file.h"
#include "campaign/record_json.h"
#include "system/temporary_folder.h"
#if WEAKSPOT_HAS_SQLITE
#include "support/sqlite_database.h"
#endif

namespace weakspot::analysis {
namespace {

constexpr const char* kResults =
    R"({"0": {"A": {"seq": 1, "interleaved": 2, "weak": 3, "durationSeconds": 1},
              "B": {"seq": 1, "interleaved": 2, "weak": 0, "durationSeconds": 1}, "params": {}}})";

class ReadStudiesTest : public testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    EXPECT_TRUE(base::write_file(path.string(), text));
    return path.string();
  }

  base::TemporaryFolder folder_;
};

TEST_F(ReadStudiesTest, AFolderIsAStudyAndAFileADevice) {
  write("one/intel.json", kResults);
  write("one/amd.json", kResults);
  write("v1.5/intel.json", kResults);
  write("v1.5/README.md", "not results");
  const ReadStudies read = read_studies({folder_.path().string()});
  ASSERT_TRUE(read.errors.empty()) << base::render(read.errors);
  ASSERT_EQ(2, read.studies.size());
  EXPECT_EQ("one", read.studies[0].name());
  EXPECT_EQ("v1.5", read.studies[1].name());
  ASSERT_EQ(2, read.studies[0].devices().size());
  EXPECT_EQ("amd", read.studies[0].devices()[0].name);
  EXPECT_EQ(3, read.studies[0].cell(1, 0, 0)->weak);
}

TEST_F(ReadStudiesTest, GoodFilesAreReadBesideBadOnes) {
  write("s/good.json", kResults);
  const std::string cut = write("s/cut.json", std::string_view(kResults).substr(0, 40));
  const ReadStudies read = read_studies({folder_.path().string(), (folder_.path() / "none.json").string()});
  EXPECT_EQ(2, read.errors.size());
  EXPECT_TRUE(read.errors[0].file == cut);
  ASSERT_EQ(1, read.studies.size());
  EXPECT_EQ(1, read.studies[0].devices().size());
}

TEST_F(ReadStudiesTest, AFolderWithoutResultsIsAnError) {
  const ReadStudies read = read_studies({folder_.path().string()});
  ASSERT_EQ(1, read.errors.size());
  EXPECT_EQ("the folder has no results", read.errors[0].message);
}

TEST_F(ReadStudiesTest, StudiesAndDevicesOfOneNameAreTold) {
  const std::string platform = std::string(kResults).substr(0, std::string(kResults).size() - 1) +
                               R"(, "platformInfo": {"gpu": {"description": "same"}}})";
  const std::string a = write("s/x.json", platform), b = write("s/y.json", platform), c = write("t/s/x.json", kResults);
  const ReadStudies read = read_studies({a, c, b});
  ASSERT_EQ(2, read.studies.size());
  EXPECT_EQ("s", read.studies[0].name());
  EXPECT_EQ((folder_.path() / "t" / "s").string(), read.studies[1].name());
  EXPECT_EQ("same", read.studies[0].devices()[0].name);
  EXPECT_EQ("same (2)", read.studies[0].devices()[1].name);
}

campaign::RunRecord record(const char* test, const char* device, std::uint64_t matches) {
  campaign::RunRecord result;
  result.test = test;
  result.device = device;
  result.model = "sc";
  result.text = "weakspot MP\n";
  result.instances = 100;
  result.unfinished = 1;
  result.seconds = 0.5;
  result.status = campaign::RunState::finished;
  result.outcomes = {{"a", 99 - matches, stats::OutcomeClass::sequential, false, {}},
                     {"b", matches, stats::OutcomeClass::interleaved, true, {}}};
  return result;
}

TEST_F(ReadStudiesTest, RecordsOfRuns) {
  campaign::RunRecord refused = record("MP", "cpu", 0);
  refused.instances = 0;
  const std::vector<DeviceResults> devices = results_of(
      "r.jsonl",
      {record("CoRR-reversed", "cpu", 4), record("CoRR-reversed", "cpu", 5), record("MP", "gpu", 7), refused});
  ASSERT_EQ(2, devices.size());
  EXPECT_EQ("cpu", devices[0].device);
  ASSERT_EQ(1, devices[0].entries.size());
  ASSERT_EQ(1, devices[0].entries[0].cells.size());
  const Cell& cell = devices[0].entries[0].cells[0].cell;
  EXPECT_EQ(9, cell.sightings);  // the outcome satisfies the condition, though it is not weak
  EXPECT_EQ(200, cell.total());
  EXPECT_EQ(200, cell.instances);
  EXPECT_EQ(1, cell.seconds);
}

// Records of earlier versions join those of the same program under its present name.
TEST_F(ReadStudiesTest, RecordsWithFormerNames) {
  campaign::RunRecord former = record("MP-relacq-fence0", "cpu", 4);
  former.hash = "ad579bc58cccc415626d22e3a6945ea6";
  campaign::RunRecord present = record("MP-relacq-nofence.P1", "cpu", 5);
  present.hash = former.hash;
  campaign::RunRecord numbered = record("MP-relacq-fence0", "cpu", 6);  // mutate gave another program that name
  numbered.hash = "00";
  const std::vector<DeviceResults> devices = results_of("runs.jsonl", {former, present, numbered});
  ASSERT_EQ(1, devices.size());
  ASSERT_EQ(1, devices[0].entries.size());
  const std::vector<NamedCell>& cells = devices[0].entries[0].cells;
  ASSERT_EQ(2, cells.size());
  EXPECT_EQ("MP-relacq-nofence.P1", cells[0].test);
  EXPECT_EQ(9, cells[0].cell.sightings);
  EXPECT_EQ("MP-relacq-fence0", cells[1].test);
  EXPECT_EQ(6, cells[1].cell.sightings);
}

TEST_F(ReadStudiesTest, ABrokenRecordIsNamedByItsLine) {
  const std::string file = write("r.jsonl", "{\"format\": 1}\n");
  const ReadStudies read = read_studies({file});
  ASSERT_EQ(3, read.errors.size());  // the first missing members
  EXPECT_EQ("the record needs 'program', a string", read.errors[0].message);
  EXPECT_EQ(1, read.errors[0].position.line);
}

#if WEAKSPOT_HAS_SQLITE
TEST_F(ReadStudiesTest, RowsOfADatabaseAreDevices) {
  const std::string good = kResults;
  const support::SqliteDatabase database(
      "CREATE TABLE tuning_results (gpu_vendor TEXT, results TEXT);"
      "INSERT INTO tuning_results VALUES ('arm', '" +
          good + "'), ('arm', '" + good +
          "'), ('qualcomm', '{'), "
          "('intel', '{\"0\": {\"A\": {\"seq\": 1, \"interleaved\": 2, \"weak\": 3, \"durationSeconds\": 1}, \"B\": "
          "{\"seq\": 1, \"interleaved\": 2, \"weak\": 3, \"durationSeconds\": 1}}, \"1\": {\"C\": {\"seq\": 1, "
          "\"interleaved\": 2, \"weak\": 3, \"durationSeconds\": 1}}, \"platformInfo\": {\"gpu\": {\"description\": "
          "\"Iris\"}}}');",
      "android.db");
  const ReadStudies read = read_studies({database.path()});
  ASSERT_EQ(1, read.errors.size());
  EXPECT_NE(std::string::npos, read.errors[0].file.find("android.db (row 3)"));
  ASSERT_EQ(1, read.studies.size());
  EXPECT_EQ("android", read.studies[0].name());
  ASSERT_EQ(3, read.studies[0].devices().size());
  EXPECT_EQ("arm", read.studies[0].devices()[0].name);
  EXPECT_EQ("arm (2)", read.studies[0].devices()[1].name);
  EXPECT_EQ("Iris", read.studies[0].devices()[2].name);
  EXPECT_EQ("intel", read.studies[0].devices()[2].vendor);
  EXPECT_EQ(1, read.studies[0].results()[2].conformance.size());
}

TEST_F(ReadStudiesTest, ADatabaseOfSomethingElse) {
  const support::SqliteDatabase database("CREATE TABLE tuning_results (gpu_vendor TEXT);");
  const ReadStudies read = read_studies({database.path()});
  ASSERT_EQ(1, read.errors.size());
  EXPECT_EQ("table tuning_results has no column 'results'", read.errors[0].message);
}
#endif

}  // namespace
}  // namespace weakspot::analysis
