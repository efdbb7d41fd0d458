// SPDX-License-Identifier: MIT
// The errors of the readers of files for values out of range: the file, the place in it, and what was expected.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/source.h"
#include "campaign/conformance_suite.h"
#include "campaign/record_json.h"
#include "campaign/recorded.h"
#include "campaign/score_compare.h"
#include "campaign/tune_journal.h"
#include "system/temporary_folder.h"

namespace weakspot::campaign::reader_errors_test {
namespace {

constexpr const char* kCount = "expected an integer from 0 to 1152921504606846976";
constexpr const char* kTime = "expected 0 or from 1e-9 to 1e9 seconds";

struct Change {
  std::string key, value, problem;
};

// The text with another value for the first `"key":...`.
std::string changed(std::string text, const std::string& key, const std::string& value) {
  const std::string name = fmt::format("\"{}\":", key);
  const std::size_t at = text.find(name);
  EXPECT_NE(std::string::npos, at) << key;
  const std::size_t begin = at + name.size();
  return text.replace(begin, text.find_first_of(",}]", begin) - begin, value);
}

// The first line of what a reader says.
template <typename Result>
std::string said(const Result& result) {
  const std::string text = result ? "" : base::render(result.errors());
  return text.substr(0, text.find('\n'));
}

// The beginning of an error about the value of `key` in a text of one line.
std::string place(const std::string& file, const std::string& text, const std::string& key, int line = 1) {
  const std::string name = fmt::format("\"{}\":", key);
  const std::size_t column = text.find_first_not_of(' ', text.find(name) + name.size());
  return fmt::format("{}:{}:{}: error: ", file, line, column + 1);
}

TEST(ReaderErrors, Recorded) {
  const std::string good = R"({"0":{"A":{"seq":1,"interleaved":1,"weak":1,"durationSeconds":1},"params":{}}})";
  ASSERT_TRUE(read_recorded(base::Source("t.json", good)).ok());
  const Change cases[] = {
      {"weak", "-1", fmt::format("'weak': {}, found -1", kCount)},
      {"seq", "1e30", fmt::format("'seq': {}, found 1e30", kCount)},
      {"interleaved", "1.5", fmt::format("'interleaved': {}, found 1.5", kCount)},
      {"durationSeconds", "1e-300", fmt::format("'durationSeconds': {}, found 1e-300", kTime)},
      {"durationSeconds", "-2", fmt::format("'durationSeconds': {}, found -2", kTime)},
  };
  for (const Change& c : cases) {
    const std::string wrong = changed(good, c.key, c.value);
    EXPECT_EQ(place("t.json", wrong, c.key) + c.problem, said(read_recorded(base::Source("t.json", wrong))));
  }
  const std::pair<const char*, const char*> others[] = {
      {R"({"3":null})", "t.json:1:6: error: expected an environment: an object, found null"},
      {R"({"3":{}})", "t.json:1:6: error: an environment needs 'params', an object"},
      {R"({"3":{"params":{},"A":7}})", "t.json:1:23: error: expected a cell: an object, found 7"},
      {R"({"3":{"params":{}},"3":{"params":{}}})", "t.json:1:20: error: duplicate key '3'"},
      {R"({"3":{"params":{},"A":{},"A":{}}})", "t.json:1:26: error: duplicate key 'A'"},
      {R"({"3":{"params":{"workgroup_size":0}}})", "t.json:1:34: error: 'workgroup_size' takes 1 to 1024"},
  };
  for (const auto& [text, problem] : others) EXPECT_EQ(problem, said(read_recorded(base::Source("t.json", text))));
}

TEST(ReaderErrors, RecordedCellsGiveNoMoreThanCanBeCounted) {
  const std::string fast = R"({"0":{"A":{"seq":0,"interleaved":0,"weak":1e15,"durationSeconds":1e-9},"params":{}}})";
  const auto table = read_recorded(base::Source("t.json", fast));
  ASSERT_TRUE(table.ok());
  const Slice slice = recorded_measurer(*table)->measure({0, {}}, 1e6, 1);
  EXPECT_EQ(std::uint64_t{1} << 60, slice.kills);
  EXPECT_GT(slice.rate().interval.high, slice.rate().value);
}

TEST(ReaderErrors, Scores) {
  Score score;
  score.device = "cpu";
  score.environments = 1;
  score.mutants = {{"A", "m", "basic", {10, 100, 1, "", false}, 1}};
  const std::string good = to_json(score);
  ASSERT_TRUE(score_from_json(base::Source("s.json", good)).ok());
  const auto message = [](const std::string& text) {
    const auto read = score_from_json(base::Source("s.json", text));
    return read ? "" : base::messages(read.errors());
  };
  const Change cases[] = {
      {"seconds", "-1", fmt::format("'seconds': {}, found -1", kTime)},
      {"kills", "-3", fmt::format("'kills': {}, found -3", kCount)},
      {"kills", "1.7", fmt::format("'kills': {}, found 1.7", kCount)},
      {"seconds", "0", "the score has no measurements, so nothing can be compared with it"},
  };
  for (const Change& c : cases) EXPECT_EQ(c.problem, message(changed(good, c.key, c.value)));
  // Many kills are only many.
  const auto many = score_from_json(base::Source("s.json", changed(good, "kills", "1e14")));
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(100'000'000'000'000u, many->mutants[0].slice.kills);
  EXPECT_FALSE(compare_scores(*many, *many).is_weaker());
  const std::pair<const char*, const char*> tests[] = {
      {"[]", "the score has no tests, so nothing can be compared with it"},
      {"null", "'tests': expected an array, found null"},
      {"{}", "'tests': expected an array, found an object"},
  };
  const std::string head = good.substr(0, good.find("\"tests\":"));
  for (const auto& [value, problem] : tests) EXPECT_EQ(problem, message(head + "\"tests\":" + value + "}"));
}

TEST(ReaderErrors, Suites) {
  const std::string mutant = R"("weakspot M\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (1:r0=1)\n")";
  const std::string test = R"("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nexists (1:r0=1)\n")";
  const std::string good = fmt::format(
      R"({{"format":1,"suite":"s","family":"","measured_on":"","environments":["basic"],"tests":[{{"test":"T","text":{},)"
      R"("mutants":[{{"test":"M","text":{},"mutator":"m","rates":[{{"environment":0,"per_second":5}}]}}]}}]}})",
      test, mutant);
  ASSERT_TRUE(suite_from_json(base::Source("s.json", good)).ok());
  const Change cases[] = {
      {"per_second", "-5", "'per_second': expected a number from 0 to 1000000000000000, found -5"},
      {"per_second", "null", "'per_second': expected a number from 0 to 1000000000000000, found null"},
      {"environment", "-1", fmt::format("'environment': {}, found -1", kCount)},
      {"environment", "7", "unknown environment 7; the suite has 1"},
      {"mutator", "null", "'mutator': expected a string, found null"},
      {"format", "2", "the suite has format 2; this program reads format 1"},
  };
  for (const Change& c : cases) {
    const std::string wrong = changed(good, c.key, c.value);
    EXPECT_EQ(place("s.json", wrong, c.key) + c.problem, said(suite_from_json(base::Source("s.json", wrong))));
  }
  // A mistake in a test's text has its place there.
  std::string wrong = good;
  wrong.replace(wrong.rfind("ld r0"), 2, "ldx");
  EXPECT_EQ(
      "s.json, test \"M\":3:12: error: unknown instruction 'ldx'\n"
      "  st x, 1 | ldx r0, x ;\n"
      "            ^~~\n",
      base::render(suite_from_json(base::Source("s.json", wrong)).errors()));
  EXPECT_EQ("s.json:1:13: error: expected a key in double quotes, found ','",
            said(suite_from_json(base::Source("s.json", "{\"format\":1,,}"))));
}

TEST(ReaderErrors, Records) {
  RunRecord record;
  record.instances = 10;
  record.seconds = 1;
  record.status = RunState::finished;
  record.outcomes = {{"0:r0=1;", 10, stats::OutcomeClass::weak, true, std::nullopt}};
  const std::string good = to_json(record);
  ASSERT_TRUE(record_from_json(good).ok());
  const Change cases[] = {
      {"count", "-5", fmt::format("'count': {}, found -5", kCount)},
      {"count", "18446744073709551615", fmt::format("'count': {}, found 18446744073709551615", kCount)},
      {"count", "11", "the counts of the outcomes exceed the 'instances'"},
      {"host_seconds", "-1", fmt::format("'host_seconds': {}, found -1", kTime)},
      {"workgroups", "4294967296", "'workgroups': expected an integer from 0 to 4294967295, found 4294967296"},
      {"test", "7", "'test': expected a string, found 7"},
  };
  for (const Change& c : cases) {
    EXPECT_EQ(c.problem, record_from_json(changed(good, c.key, c.value)).errors().front().message);
  }
  // In a file, mistakes have their line; a last line that was cut off is left out.
  const base::TemporaryFolder folder;
  const std::string path = (folder.path() / "r.jsonl").string();
  const std::string wrong = changed(good, "test", "7");
  EXPECT_TRUE(base::write_file(path, good + "\n" + wrong + "\n").ok());
  EXPECT_EQ(place(path, wrong, "test", 2) + "'test': expected a string, found 7", said(read_records(path)));
  EXPECT_TRUE(base::write_file(path, good + "\n" + good.substr(0, 99)).ok());
  EXPECT_EQ(1u, read_records(path)->size());
}

class NoMeasurer final : public Measurer {
 public:
  Slice measure(const Cell&, double, std::uint64_t) override { return {}; }
};

TEST(ReaderErrors, Journals) {
  const base::TemporaryFolder folder;
  const std::string path = (folder.path() / "j").string();
  const std::string good =
      R"({"test":0,"environment":"basic","asked":1,"seed":18446744073709551615,"kills":1,"instances":9,"seconds":1})";
  NoMeasurer none;
  const auto message = [&](const std::string& line) {
    EXPECT_TRUE(base::write_file(path, "purpose\n" + line + "\n").ok());
    return said(open_journal(path, "purpose", none));
  };
  EXPECT_EQ("", message(good));
  const Change cases[] = {
      {"kills", "-5", fmt::format("'kills': {}, found -5", kCount)},
      {"kills", "1.7", fmt::format("'kills': {}, found 1.7", kCount)},
      {"seconds", "-1", fmt::format("'seconds': {}, found -1", kTime)},
      {"seconds", "1e308", fmt::format("'seconds': {}, found 1e308", kTime)},
  };
  for (const Change& c : cases) {
    const std::string wrong = changed(good, c.key, c.value);
    EXPECT_EQ(place(path, wrong, c.key, 2) + c.problem, message(wrong));
  }
  EXPECT_EQ(path + ":2:1: error: expected a value, found 'x'", message("x = 1"));
}

}  // namespace
}  // namespace weakspot::campaign::reader_errors_test
