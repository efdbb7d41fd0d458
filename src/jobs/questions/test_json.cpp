// SPDX-License-Identifier: MIT
#include "questions/test_json.h"

#include "gen/identity.h"
#include "litmus/draw.h"
#include "litmus/text.h"

namespace weakspot::questions {

base::JsonValue description_json(const litmus::LitmusTest& test, const std::string& file) {
  base::JsonValue locations = base::json_array(), observed = base::json_array();
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    locations.push_back(test.name_of(litmus::LocationId{i}));
  }
  for (const litmus::Observable& item : test.observed()) observed.push_back(test.name_of(item));
  base::JsonValue expectations = base::json_object();
  for (const auto& [model, expectation] : test.expectations) {
    expectations[model] = expectation == litmus::Expectation::allowed ? "allowed" : "forbidden";
  }
  return base::json_object({{"test", test.name},
                            {"hash", litmus::hash_of(test).hex()},
                            {"file", file},
                            {"description", test.description},
                            {"arch", litmus::to_string(test.arch)},
                            {"threads", test.threads.size()},
                            {"locations", std::move(locations)},
                            {"observed", std::move(observed)},
                            {"scopes", litmus::placement_text(test)},
                            {"condition", litmus::condition_line(test)},
                            {"expectations", std::move(expectations)}});
}

base::JsonValue made_test_json(const litmus::LitmusTest& test, const std::string& text, litmus::Dialect dialect) {
  base::JsonValue json = base::json_object({{"test", test.name},
                                            {"hash", litmus::hash_of(test).hex()},
                                            {"identity", gen::canonical_hash(test).hex()},
                                            {"dialect", litmus::to_string(dialect)}});
  for (const auto& [key, value] : test.info) json["info"][key] = value;
  json["text"] = text;
  return json;
}

base::JsonValue converted_json(const litmus::LitmusTest& test, const std::string& file, litmus::Dialect dialect,
                               const std::string& text) {
  return base::json_object({{"test", test.name},
                            {"hash", litmus::hash_of(test).hex()},
                            {"file", file},
                            {"dialect", litmus::to_string(dialect)},
                            {"text", text}});
}

}  // namespace weakspot::questions
