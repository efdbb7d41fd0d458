#include "litmus/json/json_text.h"

#include <gtest/gtest.h>

namespace weakspot::litmus::json_text_test {
namespace {

struct Read {
  std::optional<JsonValue> value;
  std::string mistakes;
};

Read read(const std::string& text, int deepest = kDeepestJson) {
  const base::Source source("t.json", text);
  Mistakes mistakes(source);
  Read result;
  result.value = read_json_text(mistakes, deepest);
  if (mistakes.any()) result.mistakes = base::render(mistakes.take());
  return result;
}

TEST(JsonText, ReadsAndWritesValues) {
  const char* const kTexts[] = {
      "null",
      "true",
      "false",
      "0",
      "-1",
      "9223372036854775807",
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

TEST(JsonText, Escapes) {
  EXPECT_EQ(read(R"("\u0041\/\b\f\r\u00e9\u20AC\ud83d\ude00é")").value->text,
            "A/\b\f\r\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80é");
}

TEST(JsonText, ValuesKnowTheirPlaces) {
  const std::string text = "{ \"a\" : [1,\n 22] }";
  const Read result = read(text);
  const base::Source source("", text);
  const JsonMember& member = result.value->members[0];
  EXPECT_EQ(source.slice(result.value->span), text);
  EXPECT_EQ(source.slice(member.key_span), "\"a\"");
  EXPECT_EQ(source.slice(member.value.items[1].span), "22");
}

TEST(JsonText, Mistakes) {
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
      {"1.5", "t.json:1:1: error: expected a whole number of 64 bits\n"},
      {"1e3", "t.json:1:1: error: expected a whole number of 64 bits\n"},
      {"01", "t.json:1:1: error: expected a whole number of 64 bits\n"},
      {"-", "t.json:1:1: error: expected a whole number of 64 bits\n"},
      {"9223372036854775808", "t.json:1:1: error: expected a whole number of 64 bits\n"},
      {"{\"a\": 1, \"a\": 2}", "t.json:1:10: error: the key 'a' is there twice\n"},
      {"[\"ab", "t.json:1:2: error: this string is not ended\n"},
      {"\"\\x\"", "t.json:1:2: error: unknown escape in the string\n"},
      {"\"\\u12\"", "t.json:1:2: error: unknown escape in the string\n"},
      {"\"\\ud800\"", "t.json:1:2: error: half of a surrogate pair; expected the other half\n"},
      {"\"\\ud800\\u0041\"", "t.json:1:2: error: half of a surrogate pair; expected the other half\n"},
      {"\"\\udc00\"", "t.json:1:2: error: half of a surrogate pair; expected the other half before it\n"},
      {"\"a\nb\"",
       "t.json:1:3: error: a string does not go over the end of a line and has no control characters; use an escape\n"},
  };
  for (const auto& [text, message] : kCases) {
    const Read result = read(text);
    EXPECT_FALSE(result.value) << text;
    EXPECT_EQ(result.mistakes.substr(0, result.mistakes.find('\n') + 1), message) << text;
  }
}

TEST(JsonText, NestingEnds) {
  EXPECT_TRUE(read("[[[1]]]", 4).value);
  EXPECT_FALSE(read("[[[1]]]", 3).value);
  EXPECT_NE(read(std::string(1000000, '[')).mistakes.find("values are nested more than 512 deep"), std::string::npos);
}

TEST(JsonText, LinesBreakWhereTheyMust) {
  const std::string longer(80, 'a');
  const Read result = read("{\"a\": [1, 2], \"b\": {\"c\": [\"" + longer + "\", \"d\"], \"e\": 3}}");
  EXPECT_EQ(json_lines(*result.value),
            "{\n  \"a\": [1, 2],\n  \"b\": {\n    \"c\": [\"" + longer + "\", \"d\"],\n    \"e\": 3\n  }\n}\n");
}

}  // namespace
}  // namespace weakspot::litmus::json_text_test
