// What the readers of files say of numbers that cannot be: the file, where in it, and what was expected.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/temporary_folder.h"
#include "campaign/conformance_suite.h"
#include "campaign/record_json.h"
#include "campaign/recorded.h"
#include "campaign/score_compare.h"
#include "campaign/tune_journal.h"

namespace weakspot::campaign::reader_errors_test {
namespace {

constexpr const char* kCount = "expected a whole number from 0 to 1152921504606846976";
constexpr const char* kTime = "expected 0 or from 1e-09 to 1000000000 seconds";

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

TEST(ReaderErrors, Recorded) {
  const std::string good = R"({"0":{"A":{"seq":1,"interleaved":1,"weak":1,"durationSeconds":1},"params":{}}})";
  ASSERT_TRUE(read_recorded(base::Source("t.json", good)).ok());
  const Change cases[] = {
      {"weak", "-1", fmt::format("'weak': {}, not -1", kCount)},
      {"seq", "1e30", fmt::format("'seq': {}, not 1e+30", kCount)},
      {"interleaved", "1.5", fmt::format("'interleaved': {}, not 1.5", kCount)},
      {"durationSeconds", "1e-300", fmt::format("'durationSeconds': {}, not 1e-300", kTime)},
      {"durationSeconds", "-2", fmt::format("'durationSeconds': {}, not -2", kTime)},
  };
  for (const Change& c : cases) {
    EXPECT_EQ(fmt::format("t.json: error: key \"0\", cell \"A\": {}\n", c.problem),
              base::render(read_recorded(base::Source("t.json", changed(good, c.key, c.value))).errors()));
  }
  const std::pair<const char*, const char*> others[] = {
      {R"({"3":null})", "key \"3\": expected an object of tests, not null"},
      {R"({"3":{}})", "key \"3\": there is no 'params'"},
      {R"({"3":{"params":{},"A":7}})", "key \"3\", cell \"A\": expected an object with 'weak', not a number"},
      {R"({"3":{"params":{}},"3":{"params":{}}})", "the key \"3\" is there twice"},
      {R"({"3":{"params":{},"A":{},"A":{}}})", "key \"3\": the key \"A\" is there twice"},
  };
  for (const auto& [text, problem] : others) {
    EXPECT_EQ(fmt::format("t.json: error: {}\n", problem),
              base::render(read_recorded(base::Source("t.json", text)).errors()));
  }
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
  const Change cases[] = {
      {"seconds", "-1", fmt::format("this is no score: test \"A\": 'seconds': {}, not -1", kTime)},
      {"kills", "-3", fmt::format("this is no score: test \"A\": 'kills': {}, not -3", kCount)},
      {"kills", "1.7", fmt::format("this is no score: test \"A\": 'kills': {}, not 1.7", kCount)},
      {"seconds", "0", "nothing was measured for this score: nothing can be compared with it"},
  };
  for (const Change& c : cases) {
    EXPECT_EQ(fmt::format("s.json: error: {}\n", c.problem),
              base::render(score_from_json(base::Source("s.json", changed(good, c.key, c.value))).errors()));
  }
  // Many kills are only many.
  const auto many = score_from_json(base::Source("s.json", changed(good, "kills", "1e14")));
  ASSERT_TRUE(many.ok());
  EXPECT_EQ(100'000'000'000'000u, many->mutants[0].slice.kills);
  EXPECT_FALSE(compare_scores(*many, *many).is_weaker());
  const std::pair<const char*, const char*> tests[] = {
      {"[]", "there are no tests in this score: nothing can be compared with it"},
      {"null", "this is no score: 'tests': expected a list, not null"},
      {"{}", "this is no score: 'tests': expected a list, not an object"},
  };
  const std::string head = good.substr(0, good.find("\"tests\":"));
  for (const auto& [value, problem] : tests) {
    EXPECT_EQ(fmt::format("s.json: error: {}\n", problem),
              base::render(score_from_json(base::Source("s.json", head + "\"tests\":" + value + "}")).errors()));
  }
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
      {"per_second", "-5", "'per_second': expected a number from 0 to 1000000000000000, not -5"},
      {"per_second", "null", "'per_second': expected a number from 0 to 1000000000000000, not null"},
      {"environment", "-1", fmt::format("'environment': {}, not -1", kCount)},
      {"environment", "7", "there is no environment 7; the suite has 1"},
  };
  for (const Change& c : cases) {
    EXPECT_EQ(fmt::format("s.json: error: this is no suite: test \"T\": test \"M\": {}\n", c.problem),
              base::render(suite_from_json(base::Source("s.json", changed(good, c.key, c.value))).errors()));
  }
  // A mistake in a test's text has its place there.
  std::string wrong = good;
  wrong.replace(wrong.rfind("ld r0"), 2, "ldx");
  EXPECT_EQ(
      "s.json, test \"M\":3:12: error: unknown instruction 'ldx'\n"
      "  st x, 1 | ldx r0, x ;\n"
      "            ^~~\n",
      base::render(suite_from_json(base::Source("s.json", wrong)).errors()));
  EXPECT_EQ("s.json:1:13: error: this is no JSON\n {\"format\":1,,}\n             ^\n",
            base::render(suite_from_json(base::Source("s.json", "{\"format\":1,,}")).errors()));
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
      {"count", "-5", fmt::format("'count': {}, not -5", kCount)},
      {"count", "18446744073709551615", fmt::format("'count': {}, not 18446744073709551615", kCount)},
      {"count", "11", "the outcomes count more than the 'instances'"},
      {"host_seconds", "-1", fmt::format("'host_seconds': {}, not -1", kTime)},
      {"workgroups", "4294967296", "'workgroups': expected a whole number from 0 to 4294967295, not 4294967296"},
      {"test", "7", "'test': expected a text, not 7"},
  };
  for (const Change& c : cases) {
    EXPECT_EQ("this is no record of a run: " + c.problem,
              record_from_json(changed(good, c.key, c.value)).errors().front().message);
  }
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
    const auto journal = open_journal(path, "purpose", none);
    return journal ? std::string() : base::render(journal.errors());
  };
  EXPECT_EQ("", message(good));
  const Change cases[] = {
      {"kills", "-5", fmt::format("'kills': {}, not -5", kCount)},
      {"kills", "1.7", fmt::format("'kills': {}, not 1.7", kCount)},
      {"seconds", "-1", fmt::format("'seconds': {}, not -1", kTime)},
      {"seconds", "1e308", fmt::format("'seconds': {}, not 1e+308", kTime)},
  };
  for (const Change& c : cases) {
    EXPECT_EQ(fmt::format("{}: error: line 2: this is no slice: {}\n", path, c.problem),
              message(changed(good, c.key, c.value)));
  }
  EXPECT_EQ(fmt::format("{}: error: line 2: this is no slice: column 1: this is no JSON\n", path), message("x = 1"));
}

}  // namespace
}  // namespace weakspot::campaign::reader_errors_test
