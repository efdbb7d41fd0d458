// SPDX-License-Identifier: MIT
#include "json/json_fields.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::base::json_fields_test {
namespace {

// The messages of `read` about an object with the one member `x`, without excerpts; empty: none.
template <typename Read>
std::string problems(const std::string& value, Read&& read) {
  const Source source("f", "{\"x\":" + value + "}");
  Mistakes mistakes(source);
  const std::optional<JsonValue> json = read_json_text(mistakes);
  EXPECT_TRUE(json) << value;
  JsonFields fields(*json, mistakes, "a thing");
  read(fields);
  return mistakes.any() ? messages(mistakes.take()) : "";
}

TEST(JsonFields, IntegersHaveARange) {
  const auto read = [](std::uint64_t most) { return [=](JsonFields& fields) { fields.whole("x", most); }; };
  for (const char* good : {"0", "100", "1e2", "3.0"}) EXPECT_EQ("", problems(good, read(100))) << good;
  EXPECT_EQ("", problems("18446744073709551615", read(UINT64_MAX)));
  const std::pair<const char*, const char*> bad[] = {
      {"-1", "-1"},     {"101", "101"},        {"1.7", "1.7"},      {"1e30", "1e30"}, {"-0.5", "-0.5"},
      {"null", "null"}, {"\"1\"", "a string"}, {"[1]", "an array"}, {"true", "true"}, {"{}", "an object"}};
  for (const auto& [value, shown] : bad) {
    EXPECT_EQ(fmt::format("'x': expected an integer from 0 to 100, found {}", shown), problems(value, read(100)));
  }
}

TEST(JsonFields, RealsHaveARange) {
  const auto read = [](JsonFields& fields) { fields.real("x", 0, 10); };
  for (const char* good : {"0", "2.5", "10"}) EXPECT_EQ("", problems(good, read)) << good;
  for (const char* bad : {"-5", "10.5", "null"}) {
    EXPECT_EQ(fmt::format("'x': expected a number from 0 to 10, found {}", bad), problems(bad, read));
  }
}

TEST(JsonFields, MissingAndWrongMembersAreMistakes) {
  EXPECT_EQ("a thing needs 'y', a string; a thing needs 'z', an array", problems("1", [](JsonFields& fields) {
              EXPECT_EQ("", fields.text("y"));
              EXPECT_TRUE(fields.list("z").empty());
            }));
  EXPECT_EQ("'x': expected a string, found 1", problems("1", [](JsonFields& fields) { fields.text("x"); }));
  EXPECT_EQ("'x': expected a string, found 2", problems("[\"a\",2]", [](JsonFields& fields) {
              EXPECT_EQ(std::vector<std::string>{"a"}, fields.texts("x"));
            }));
  EXPECT_EQ("'x': expected true or false, found 1", problems("1", [](JsonFields& fields) { fields.flag("x"); }));
  EXPECT_EQ("expected a part: an object, found an array", problems("[]", [](JsonFields& fields) {
              JsonFields inner(*fields.take("x"), fields.mistakes(), "a part");
              EXPECT_FALSE(inner.valid());
              inner.text("y");  // says nothing more
            }));
}

TEST(JsonFields, UnknownMembersAreMistakesAtTheEnd) {
  EXPECT_EQ("unknown key 'x' in a thing", problems("1", [](JsonFields& fields) { fields.done(); }));
  EXPECT_EQ("", problems("1", [](JsonFields& fields) {
              fields.take("x");
              fields.done();
            }));
}

TEST(JsonFields, MistakesHavePlaces) {
  const Source source("f", "{\n  \"format\": 2\n}");
  Mistakes mistakes(source);
  const std::optional<JsonValue> json = read_json_text(mistakes);
  JsonFields fields(*json, mistakes, "the suite");
  EXPECT_FALSE(fields.format(1));
  EXPECT_EQ("f:2:13: error: the suite has format 2; this program reads format 1\n   \"format\": 2\n             ^\n",
            render(mistakes.take()));
}

}  // namespace
}  // namespace weakspot::base::json_fields_test
