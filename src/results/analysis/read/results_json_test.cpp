// SPDX-License-Identifier: MIT
#include "analysis/read/results_json.h"

#include <gtest/gtest.h>

#include "analysis/figures/bad_cells.h"

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

TEST(ResultsJson, ErrorsHaveTheirPlaces) {
  struct Case {
    const char* text;
    const char* errors;
  };
  const Case cases[] = {
      {"[1]", "d.json:1:1: error: expected the results of a device: an object, found an array\n"},
      {"{}", "d.json: error: the file has no environments: expected keys that are numbers\n"},
      {R"({"a": 1})", "d.json: error: the file has no environments: expected keys that are numbers\n"},
      {R"({"3": 1})", "d.json:1:7: error: expected an environment: an object, found 1\n"},
      {R"({"3": {"MP": "x"}})", "d.json:1:14: error: expected a cell: an object, found a string\n"},
      {R"({"3": {"MP": {"seq": 1, "interleaved": 0, "durationSeconds": 1}}})",
       "d.json:1:14: error: a cell needs 'weak', an integer from 0 to 9007199254740992\n"},
      {R"({"3": {"MP": {"seq": -1, "interleaved": 1.5, "weak": "2", "durationSeconds": null}}})",
       "d.json:1:22: error: 'seq': expected an integer from 0 to 9007199254740992, found -1\n"
       "d.json:1:41: error: 'interleaved': expected an integer from 0 to 9007199254740992, found 1.5\n"
       "d.json:1:54: error: 'weak': expected an integer from 0 to 9007199254740992, found a string\n"
       "d.json:1:78: error: 'durationSeconds': expected 0 or from 1e-9 to 1e9 seconds, found null\n"},
      {R"({"3": {"MP": {"seq": 9007199254740993, "interleaved": 0, "weak": 0, "durationSeconds": 1e-300}}})",
       "d.json:1:22: error: 'seq': expected an integer from 0 to 9007199254740992, found 9007199254740993\n"
       "d.json:1:88: error: 'durationSeconds': expected 0 or from 1e-9 to 1e9 seconds, found 1e-300\n"},
      {R"({"3": {}, "3": {}})", "d.json:1:11: error: duplicate key '3'\n"},
      {"{\n\"3\": {\"MP\": {\"seq\": 1, \"inter", "d.json:2:24: error: unterminated string\n"},
      {"{\"3\": {\"MP\": {\"seq\": 1, weak: 2}, \"SB\": 1}}",
       "d.json:1:25: error: expected a key in double quotes, found 'w'\n"},
      {"", "d.json:1:1: error: expected a value, found the end\n"},
  };
  for (const Case& c : cases) EXPECT_EQ(c.errors, errors_of(c.text)) << c.text;
}

TEST(ResultsJson, StopsAfterManyErrors) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"" + std::to_string(i) + "\": 1, ";
  const base::Result<DeviceResults> results = read_results_json("d.json", text + "\"x\": 1}", "d");
  ASSERT_FALSE(results);
  EXPECT_EQ(51, results.errors().size());
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

TEST(BadCells, FollowsFromParametersAndTheCommonIterations) {
  EXPECT_EQ(std::vector<BadCell>{}, bad(device("MP", {5120, 5120, 5120}, 2)));
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "1", "MP", 5120, 5119}}), bad(device("MP", {5120, 5119, 5120}, 2)));
  // One instance per iteration, whatever the workgroups.
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "2", "MP Single Instance", 300, 255}}),
            bad(device("MP Single Instance", {300, 300, 255}, 35)));
}

TEST(BadCells, SaysNothingWithoutAMajorityOrParameters) {
  EXPECT_EQ(std::vector<BadCell>{}, bad(device("MP", {512, 1024, 1536}, 2)));
  DeviceResults without = device("MP", {512, 512, 511}, 2);
  for (Entry& entry : without.entries) entry.parameters.clear();
  EXPECT_EQ(std::vector<BadCell>{}, bad(std::move(without)));
}

TEST(BadCells, TrustsTheFileThatSaysItsInstances) {
  DeviceResults results = device("MP", {10}, 1);
  results.entries[0].cells[0].cell.instances = 12;
  EXPECT_EQ((std::vector<BadCell>{{"s", "f.json", "0", "MP", 12, 10}}), bad(std::move(results)));
}

}  // namespace
}  // namespace weakspot::analysis
