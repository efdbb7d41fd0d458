#include "analysis/results_json.h"

#include <gtest/gtest.h>

#include "analysis/checksum.h"

namespace weakspot::analysis {
namespace {

std::string errors_of(std::string_view text) {
  const base::Result<DeviceResults> results = read_results_json("d.json", text, "d");
  if (results) return "";
  std::string lines;
  for (const base::Diagnostic& error : results.errors()) {
    const std::string rendered = base::render(error);
    lines += rendered.substr(0, rendered.find('\n') + 1);
  }
  return lines;
}

TEST(ResultsJson, ReadsCellsAndParameters) {
  const base::Result<DeviceResults> results = read_results_json("pte/intel.json", R"({
    "7": {"MP": {"seq": 5, "interleaved": 3, "weak": 2, "durationSeconds": 0.5, "more": {"a": [1]}},
          "SB": {"weak": 0, "durationSeconds": 1, "seq": 9, "interleaved": 1},
          "params": {"testingWorkgroups": 2, "shift": -3}},
    "randomSeed": "webgpu", "other": {"0": {"1": {"2": 3}}}})",
                                                                "intel");
  ASSERT_TRUE(results) << base::render(results.errors());
  EXPECT_EQ("intel", results->device);
  EXPECT_EQ("intel", results->vendor);
  Cell mp, sb;
  mp.sequential = 5;
  mp.interleaved = 3;
  mp.weak = mp.sightings = 2;
  mp.seconds = 0.5;
  sb.sequential = 9;
  sb.interleaved = 1;
  sb.seconds = 1;
  const Entry expected{"7", {{"testingWorkgroups", 2}, {"shift", -3}}, {{"MP", mp}, {"SB", sb}}};
  EXPECT_EQ(std::vector<Entry>{expected}, results->entries);
  EXPECT_TRUE(results->conformance.empty());
}

TEST(ResultsJson, NamesTheDeviceAndPartsConformanceByThePlatform) {
  const std::string cell = R"({"seq": 1, "interleaved": 0, "weak": 1, "durationSeconds": 1})";
  const std::string text = R"({"0": {"A": )" + cell + R"(, "B": )" + cell + R"(, "params": {}}, "1": {"C": )" + cell +
                           R"(, "params": {}}, "platformInfo": {"gpu": {"vendor": "acme", "architecture": "old",
                           "device": "", "description": "Acme 9"}, "browser": {"vendor": "b"}}})";
  const base::Result<DeviceResults> results = read_results_json("x.json", text, "x");
  ASSERT_TRUE(results) << base::render(results.errors());
  EXPECT_EQ("Acme 9", results->device);
  EXPECT_EQ("acme", results->vendor);
  ASSERT_EQ(1, results->entries.size());
  ASSERT_EQ(1, results->conformance.size());
  EXPECT_EQ("C", results->conformance[0].cells[0].test);
}

TEST(ResultsJson, ErrorsNameFileKeyAndCell) {
  struct Case {
    const char* text;
    const char* errors;
  };
  const Case cases[] = {
      {"[1]", "d.json: error: expected an object of environments\n"},
      {"{}", "d.json: error: there is no environment: expected keys that are numbers\n"},
      {R"({"a": 1})", "d.json: error: there is no environment: expected keys that are numbers\n"},
      {R"({"3": 1})", "d.json: error: key \"3\": expected an object of tests, not a number\n"},
      {R"({"3": [1]})", "d.json: error: key \"3\": expected an object of tests, not an array\n"},
      {R"({"3": {"MP": "x"}})", "d.json: error: key \"3\", test \"MP\": expected an object of counts, not a string\n"},
      {R"({"3": {"MP": {"seq": 1, "interleaved": 0, "durationSeconds": 1}}})",
       "d.json: error: key \"3\", test \"MP\": there is no 'weak'\n"},
      {R"({"3": {"MP": {"seq": -1, "interleaved": 1.5, "weak": "2", "durationSeconds": null}}})",
       "d.json: error: key \"3\", test \"MP\": 'seq': expected a number, not a negative one\n"
       "d.json: error: key \"3\", test \"MP\": 'interleaved': expected a whole number, not 1.5\n"
       "d.json: error: key \"3\", test \"MP\": 'weak': expected a number, not a string\n"
       "d.json: error: key \"3\", test \"MP\": 'durationSeconds': expected a number, not null\n"},
      {R"({"3": {"MP": {"seq": {"a": 1}, "interleaved": 0, "weak": 0, "durationSeconds": 1}}})",
       "d.json: error: key \"3\", test \"MP\": 'seq': expected a number, not an object\n"},
      {R"({"3": {"MP": {"seq": 9007199254740993, "interleaved": 0, "weak": 0, "durationSeconds": 1e-300}}})",
       "d.json: error: key \"3\", test \"MP\": 'seq': expected at most 9007199254740992\n"
       "d.json: error: key \"3\", test \"MP\": 'durationSeconds': expected 0 or from 1e-9 to 1e9, not 1e-300\n"},
      {R"({"3": {}, "3": {}})", "d.json: error: key \"3\": this key is there twice\n"},
      {"{\n\"3\": {\"MP\": {\"seq\": 1, \"inter",
       "d.json:2:30: error: key \"3\", test \"MP\": the text ends in the middle\n"},
      {"{\"3\": {\"MP\": {\"seq\": 1, weak: 2}, \"SB\": 1}}",
       "d.json:1:25: error: key \"3\", test \"MP\": this is no JSON\n"},
      {"", "d.json:1:1: error: the text ends in the middle\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(c.errors, errors_of(c.text)) << c.text;
}

TEST(ResultsJson, StopsAfterManyErrors) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"" + std::to_string(i) + "\": 1, ";
  const base::Result<DeviceResults> results = read_results_json("d.json", text + "\"x\": 1}", "d");
  ASSERT_FALSE(results);
  EXPECT_EQ(20, results.errors().size());
}

DeviceResults device(const std::string& test, std::vector<std::uint64_t> totals, double workgroups) {
  DeviceResults results;
  results.file = "f.json";
  results.device = "d";
  for (std::size_t i = 0; i < totals.size(); ++i) {
    Cell cell;
    cell.sequential = totals[i];
    results.entries.push_back({std::to_string(i), {{"testingWorkgroups", workgroups}}, {{test, cell}}});
  }
  return results;
}

std::vector<BadCell> bad(DeviceResults results) {
  std::vector<DeviceResults> devices;
  devices.push_back(std::move(results));
  return bad_cells(Study("s", std::move(devices)));
}

TEST(Checksum, FollowsFromParametersAndTheCommonIterations) {
  EXPECT_EQ(std::vector<BadCell>{}, bad(device("MP", {5120, 5120, 5120}, 2)));
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "1", "MP", 5120, 5119}}), bad(device("MP", {5120, 5119, 5120}, 2)));
  // One instance per iteration, whatever the workgroups.
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "2", "MP Single Instance", 300, 255}}),
            bad(device("MP Single Instance", {300, 300, 255}, 35)));
}

TEST(Checksum, SaysNothingWithoutAMajorityOrParameters) {
  EXPECT_EQ(std::vector<BadCell>{}, bad(device("MP", {512, 1024, 1536}, 2)));
  DeviceResults without = device("MP", {512, 512, 511}, 2);
  for (Entry& entry : without.entries) entry.parameters.clear();
  EXPECT_EQ(std::vector<BadCell>{}, bad(std::move(without)));
}

TEST(Checksum, TrustsTheFileThatSaysItsInstances) {
  DeviceResults results = device("MP", {10}, 1);
  results.entries[0].cells[0].cell.instances = 12;
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "0", "MP", 12, 10}}), bad(std::move(results)));
}

}  // namespace
}  // namespace weakspot::analysis
