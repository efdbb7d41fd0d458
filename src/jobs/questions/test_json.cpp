// SPDX-License-Identifier: MIT
#include "desk/test_json.h"

#include "gen/identity.h"
#include "litmus/text.h"

namespace weakspot::desk {

base::JsonValue description_json(const litmus::LitmusTest& test, const std::string& file) {
  base::JsonValue json;
  json["test"] = test.name;
  json["hash"] = litmus::hash_of(test).hex();
  json["file"] = file;
  json["description"] = test.description;
  json["arch"] = litmus::to_string(test.arch);
  json["threads"] = test.threads.size();
  json["locations"] = base::json_array();
  for (std::uint32_t i = 0; i < test.locations.size(); ++i) {
    json["locations"].push_back(test.name_of(litmus::LocationId{i}));
  }
  json["observed"] = base::json_array();
  for (const litmus::Observable& item : test.observed()) json["observed"].push_back(test.name_of(item));
  json["condition"] = litmus::condition_line(test);
  json["expectations"] = base::json_object();
  for (const auto& [model, expectation] : test.expectations) {
    json["expectations"][model] = expectation == litmus::Expectation::allowed ? "allowed" : "forbidden";
  }
  return json;
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

}  // namespace weakspot::desk
