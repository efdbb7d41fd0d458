#include "campaign/checked_json.h"

#include <gtest/gtest.h>

#include <limits>

namespace weakspot::campaign::checked_json_test {
namespace {

// What reading the number `x` of an object says; empty: it is taken.
template <typename Read>
std::string problem_of(const std::string& value, Read&& read) {
  try {
    read(parse_line("{\"x\":" + value + "}"));
    return "";
  } catch (const JsonProblem& problem) {
    return problem.text;
  }
}

TEST(CheckedJson, WholeNumbersHaveARange) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const auto read = [](std::uint64_t most) { return [=](const FileJson& json) { whole_in(json, "x", most); }; };
  for (const char* good : {"0", "100", "1e2", "3.0"}) EXPECT_EQ("", problem_of(good, read(100))) << good;
  EXPECT_EQ("", problem_of("18446744073709551615", read(kMost)));
  const std::pair<const char*, const char*> bad[] = {
      {"-1", "-1"},     {"101", "101"},      {"1.7", "1.7"},    {"1e30", "1e+30"},         {"-0.5", "-0.5"},
      {"null", "null"}, {"\"1\"", "a text"}, {"[1]", "a list"}, {"true", "a truth value"}, {"{}", "an object"}};
  for (const auto& [value, shown] : bad) {
    EXPECT_EQ(fmt::format("'x': expected a whole number from 0 to 100, not {}", shown), problem_of(value, read(100)));
  }
  EXPECT_EQ("'x': expected a whole number from 0 to 1152921504606846976, not 18446744073709551615",
            problem_of("18446744073709551615", [](const FileJson& json) { count_in(json, "x"); }));
}

TEST(CheckedJson, TimesAndRatesHaveARange) {
  const auto seconds = [](const FileJson& json) { seconds_in(json, "x"); };
  for (const char* good : {"0", "1e-9", "5", "1e9"}) EXPECT_EQ("", problem_of(good, seconds)) << good;
  const std::pair<const char*, const char*> bad[] = {
      {"-1", "-1"}, {"1e-300", "1e-300"}, {"1e308", "1e+308"}, {"null", "null"}, {"\"5\"", "a text"}};
  for (const auto& [value, shown] : bad) {
    EXPECT_EQ(fmt::format("'x': expected 0 or from 1e-09 to 1000000000 seconds, not {}", shown),
              problem_of(value, seconds));
  }
  EXPECT_EQ("'x': expected a number from 0 to 10, not -5",
            problem_of("-5", [](const FileJson& json) { real_in(json, "x", 0, 10); }));
  // Written as JSON, what is no number is null.
  EXPECT_EQ("'x': expected a number from 0 to 10, not null",
            problem_of("null", [](const FileJson& json) { real_in(json, "x", 0, 10); }));
}

TEST(CheckedJson, SaysWhatIsMissingOrOfAnotherKind) {
  EXPECT_EQ("there is no 'y'", problem_of("1", [](const FileJson& json) { member(json, "y"); }));
  EXPECT_EQ("expected an object with 'y', not a list",
            problem_of("[]", [](const FileJson& json) { member(json.at("x"), "y"); }));
  EXPECT_EQ("'x': expected a text, not 1", problem_of("1", [](const FileJson& json) { text_in(json, "x"); }));
  EXPECT_EQ("'x': expected a list, not null", problem_of("null", [](const FileJson& json) { list_in(json, "x"); }));
  EXPECT_EQ("'x': expected a list of texts, not 2",
            problem_of("[\"a\",2]", [](const FileJson& json) { texts_in(json, "x"); }));
  EXPECT_EQ("'x': expected true or false, not 1", problem_of("1", [](const FileJson& json) { flag_in(json, "x"); }));
  EXPECT_EQ("column 7: the text ends in the middle", problem_of("1", [](const FileJson&) { parse_line("{\"x\":1"); }));
  EXPECT_EQ("column 1: this is no JSON", problem_of("1", [](const FileJson&) { parse_line("x = 1"); }));
  EXPECT_EQ("a number in this text is too large", problem_of("1", [](const FileJson&) { parse_line("[1e999]"); }));
}

TEST(CheckedJson, FilesHaveEachKeyOnce) {
  const auto message = [](const char* text) { return base::render(parse_file(base::Source("f", text)).errors()); };
  EXPECT_EQ("f: error: key \"0\": the key \"a\" is there twice\n", message(R"({"0":{"a":1,"b":{"a":1},"a":2}})"));
  EXPECT_EQ("f: error: the key \"0\" is there twice\n", message(R"({"0":{},"0":{}})"));
  EXPECT_EQ("f:2:3: error: this is no JSON\n  {a: 1}]\n   ^\n", message("[\n {a: 1}]"));
  EXPECT_EQ("f: error: a number in this text is too large\n", message("[1e999]"));
  const auto read = parse_file(base::Source("f", R"([{"a":1},{"a":2}])"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(2u, read->size());
}

}  // namespace
}  // namespace weakspot::campaign::checked_json_test
