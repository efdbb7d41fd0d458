// SPDX-License-Identifier: MIT
#include "json/json.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::base::json_test {
namespace {

struct Read {
  std::optional<JsonValue> value;
  std::string mistakes;
};

Read read(const std::string& text, int deepest = kDeepestJson) {
  const Source source("t.json", text);
  Mistakes mistakes(source);
  Read result;
  result.value = read_json_text(mistakes, deepest);
  if (mistakes.any()) result.mistakes = render(mistakes.take());
  return result;
}

TEST(Json, ReadsAndWritesValues) {
  const char* const kTexts[] = {
      "null",
      "true",
      "false",
      "0",
      "-1",
      "9223372036854775807",
      "18446744073709551615",
      "0.1",
      "-2.5",
      "1e+30",
      "5e-324",
      "3.0",
      "-9223372036854775808",
      "\"a\"",
      "[]",
      "{}",
      "[1, [2, {\"a\": null}], \"b\"]",
      "{\"b\": 1, \"a\": {\"c\": []}}",
      "\"\\\"\\\\\\n\\t\\u0001\"",
  };
  for (const char* text : kTexts) {
    Read result = read(text);
    ASSERT_TRUE(result.value) << text << result.mistakes;
    EXPECT_EQ(json_line(*result.value), text);
  }
}

TEST(Json, Escapes) {
  EXPECT_EQ(read(R"("\u0041\/\b\f\r\u00e9\u20AC\ud83d\ude00é")").value->text(),
            "A/\b\f\r\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80é");
}

TEST(Json, WritesNothingThatATerminalObeys) {
  EXPECT_EQ(json_line(JsonValue("\x1B\x7F \xC2\x9B \xE2\x80\xAE \xF3\xA0\x80\x81 \xC3\xA9 \x9B")),
            "\"\\u001b\\u007f \\u009b \\u202e \\udb40\\udc01 \xC3\xA9 \xEF\xBF\xBD\"");
}

TEST(Json, ValuesKnowTheirPlaces) {
  const std::string text = "{ \"a\" : [1,\n 22] }";
  const Read result = read(text);
  const Source source("", text);
  const JsonMember& member = result.value->members()[0];
  EXPECT_EQ(source.slice(result.value->span()), text);
  EXPECT_EQ(source.slice(member.key_span), "\"a\"");
  EXPECT_EQ(source.slice(member.value.items()[1].span()), "22");
}

TEST(Json, NumbersAreExact) {
  const auto number = [](const char* text) { return *read(text).value; };
  EXPECT_EQ(number("18446744073709551615").whole(), 18446744073709551615u);
  EXPECT_EQ(number("18446744073709551615").integer(), std::nullopt);
  EXPECT_EQ(number("-9223372036854775808").integer(), INT64_MIN);
  EXPECT_EQ(number("-1").whole(), std::nullopt);
  EXPECT_EQ(number("1e14").whole(), 100'000'000'000'000u);
  EXPECT_EQ(number("-3.0").integer(), -3);
  EXPECT_EQ(number("1.5").whole(), std::nullopt);
  EXPECT_EQ(number("1e30").integer(), std::nullopt);
  EXPECT_EQ(number("18446744073709551616").real(), 18446744073709551616.0);
  EXPECT_EQ(number("7").real(), 7.0);
  EXPECT_EQ(number("\"7\"").real(), std::nullopt);
}

TEST(Json, Mistakes) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"", "t.json:1:1: error: expected a value, found the end\n"},
      {"{\"a\": 1,}", "t.json:1:9: error: expected a key in double quotes, found '}'\n"},
      {"[1 2]", "t.json:1:4: error: expected ',' or ']' in the array, found '2'\n"},
      {"{\"a\" 1}", "t.json:1:6: error: expected ':' after the key, found '1'\n"},
      {"[1", "t.json:1:3: error: expected ',' or ']' in the array, found the end\n"},
      {"1 é", "t.json:1:3: error: expected the end of the text after the value, found 'é'\n"},
      {"nul", "t.json:1:1: error: expected a value, found 'n'\n"},
      {"01", "t.json:1:1: error: expected a number such as -1, 0 or 2.5e3\n"},
      {"-", "t.json:1:1: error: expected a number such as -1, 0 or 2.5e3\n"},
      {"1.", "t.json:1:1: error: expected a number such as -1, 0 or 2.5e3\n"},
      {"1e", "t.json:1:1: error: expected a number such as -1, 0 or 2.5e3\n"},
      {"1e999", "t.json:1:1: error: the number does not fit a double\n"},
      {"{\"a\": 1, \"a\": 2}", "t.json:1:10: error: duplicate key 'a'\n"},
      {"{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"k\":0,\"l\":0,\"b\":1}",
       "t.json:1:74: error: duplicate key 'b'\n"},
      {"[\"ab", "t.json:1:2: error: unterminated string\n"},
      {"[\"ab\n", "t.json:1:2: error: unterminated string\n"},
      {"\"\\x\"", "t.json:1:2: error: unknown escape in the string\n"},
      {"\"\\u12\"", "t.json:1:2: error: unknown escape in the string\n"},
      {"\"\\ud800\"", "t.json:1:2: error: first half of a surrogate pair without the second\n"},
      {"\"\\ud800\\u0041\"", "t.json:1:2: error: first half of a surrogate pair without the second\n"},
      {"\"\\udc00\"", "t.json:1:2: error: second half of a surrogate pair without the first\n"},
      {"\"a\nb\"",
       "t.json:1:3: error: a string cannot contain a line break or another control character; use an escape\n"},
      {"\"\xFF\"", "t.json:1:2: error: the text is not valid UTF-8\n"},
  };
  for (const auto& [text, message] : kCases) {
    const Read result = read(text);
    EXPECT_FALSE(result.value) << text;
    EXPECT_EQ(result.mistakes.substr(0, result.mistakes.find('\n') + 1), message) << text;
  }
}

TEST(Json, PartsOfATextKeepTheirPlaces) {
  const Source source("t.jsonl", "{\"a\": 1}\n{\"a\": x}\n");
  Mistakes mistakes(source);
  const std::optional<JsonValue> first = read_json_part(mistakes, {0, 8});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->find("a")->whole(), 1u);
  EXPECT_FALSE(read_json_part(mistakes, {9, 17}));
  EXPECT_EQ(render(mistakes.take()), "t.jsonl:2:7: error: expected a value, found 'x'\n {\"a\": x}\n       ^\n");
}

TEST(Json, NestingEnds) {
  EXPECT_TRUE(read("[[[1]]]", 4).value);
  EXPECT_FALSE(read("[[[1]]]", 3).value);
  EXPECT_NE(read(std::string(1000000, '[')).mistakes.find("values are nested more than 512 deep"), std::string::npos);
}

TEST(Json, LinesBreakWhereTheyMust) {
  const std::string longer(80, 'a');
  const Read result = read("{\"a\": [1, 2], \"b\": {\"c\": [\"" + longer + "\", \"d\"], \"e\": 3}}");
  EXPECT_EQ(json_lines(*result.value),
            "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": [\"" + longer + "\", \"d\"],\n    \"e\": 3\n  }\n}\n");
}

TEST(Json, BuildsAndWrites) {
  JsonValue value = json_object({{"a", 1}, {"b", json_array({true, nullptr, -2, 0.5, "x"})}, {"c", json_object()}});
  value["d"] = std::string("\"\x7F\x01\xFF");
  value["a"] = 3u;
  EXPECT_EQ(value.at("b").at(4).text(), "x");
  EXPECT_TRUE(value.at("nothing").at(7).is(JsonValue::Kind::null));
  EXPECT_EQ(json_compact(std::vector<std::string>{"a", "b"}), R"(["a","b"])");
  EXPECT_EQ(json_compact(value),
            "{\"a\":3,\"b\":[true,null,-2,0.5,\"x\"],\"c\":{},\"d\":\"\\\"\\u007f\\u0001\xEF\xBF\xBD\"}");
  EXPECT_EQ(json_indented(json_object({{"a", json_array({1, 2})}, {"b", json_array()}}), 1),
            "{\n \"a\": [\n  1,\n  2\n ],\n \"b\": []\n}");
  EXPECT_EQ(json_compact(json_array({1.0 / 0.0, 1e15, 100.0, -0.0})), "[null,1000000000000000.0,100.0,-0.0]");
}

}  // namespace
}  // namespace weakspot::base::json_test
