// SPDX-License-Identifier: MIT
// Tests that are made: mutants, cycles, suites.
#include <fmt/format.h>

#include "base/nearest.h"
#include "base/source.h"
#include "core/operations/fields.h"
#include "core/operations/operations.h"
#include "gen/mutate.h"
#include "gen/suites.h"
#include "questions/make_tests.h"
#include "questions/test_json.h"

namespace weakspot::core {
namespace {

using Json = base::JsonValue;

// Gathers tests as they are made.
class Made {
 public:
  // Takes `to` and `limit`.
  explicit Made(JsonFields& fields) : dialect_(dialect_field(fields)), limit_(whole_field(fields, "limit", 1000)) {}

  bool add(const litmus::LitmusTest& test) {
    if (tests_.items().size() >= limit_) return false;
    const litmus::Dialect dialect = dialect_.value_or(questions::usual_dialect(test));
    if (const base::Result<std::string> text = litmus::print(test, dialect)) {
      tests_.push_back(questions::made_test_json(test, *text, dialect));
    } else {
      left_out_.push_back(base::json_object(
          {{"test", test.name}, {"dialect", litmus::to_string(dialect)}, {"reason", text.errors().front().message}}));
    }
    return tests_.items().size() < limit_;
  }

  // An object with what was gathered, for more to be added.
  Json json() && { return base::json_object({{"tests", std::move(tests_)}, {"left_out", std::move(left_out_)}}); }

 private:
  std::optional<litmus::Dialect> dialect_;
  std::uint64_t limit_;
  Json tests_ = base::json_array(), left_out_ = base::json_array();
};

questions::ModelFilterRequest filter_fields(JsonFields& fields) {
  questions::ModelFilterRequest filter;
  filter.forbidden_by = texts_field(fields, "forbidden_by");
  filter.allowed_by = texts_field(fields, "allowed_by");
  return filter;
}

}  // namespace

Reply mutators(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  Json array = base::json_array();
  for (const gen::Mutator& mutator : gen::mutators()) {
    array.push_back(base::json_object({{"word", mutator.word}, {"sentence", mutator.sentence}}));
  }
  return array;
}

Reply mutate(State&, JsonFields& fields) {
  const base::Source source = source_field(fields);
  Made made(fields);
  questions::MutateOptions options;
  options.mutators = texts_field(fields, "mutators");
  options.filter = filter_fields(fields);
  options.keep_forbidden = fields.truth("keep_forbidden");
  if (const base::Status good = finished(fields); !good) return good.errors();
  const auto tests = litmus::read_tests(source);
  if (!tests) return tests.errors();
  const base::Result<std::size_t> dropped =
      questions::mutate_tests(*tests, options, [&](const litmus::LitmusTest& mutant) { return made.add(mutant); });
  if (!dropped) return dropped.errors();
  Json json = std::move(made).json();
  json["dropped"] = *dropped;
  return json;
}

Reply generate(State&, JsonFields& fields) {
  Made made(fields);
  questions::GenerateRequest request;
  request.cycles = texts_field(fields, "cycles");
  request.minimal = text_field(fields, "minimal");
  request.filter = filter_fields(fields);
  if (const Json* settings = fields.take("settings", Json::Kind::object)) {
    for (const base::JsonMember& setting : settings->members()) {
      request.settings.emplace_back(setting.key, setting.value.text());
    }
  }
  if (const base::Status good = finished(fields); !good) return good.errors();
  const base::Result<questions::GenerateResult> result =
      questions::generate_tests(request, [&](const litmus::LitmusTest& test) { return made.add(test); });
  if (!result) return result.errors();
  if (!result->errors.empty()) return result->errors;
  Json json = std::move(made).json();
  json["cycles"] = result->cycles;
  json["refused"] = result->refused;
  return json;
}

Reply suites(State&, JsonFields& fields) {
  if (const base::Status good = finished(fields); !good) return good.errors();
  Json array = base::json_array();
  for (const gen::Suite& suite : gen::suites()) {
    array.push_back(base::json_object({{"name", suite.name}, {"sentence", suite.sentence}}));
  }
  return array;
}

Reply suite(State&, JsonFields& fields) {
  const std::string name = fields.text("name");
  Made made(fields);
  if (const base::Status good = finished(fields); !good) return good.errors();
  const gen::Suite* found = gen::suite_named(name);
  if (found == nullptr) {
    std::vector<std::string> names;
    for (const gen::Suite& one : gen::suites()) names.emplace_back(one.name);
    return base::error(fmt::format("there is no suite '{}'{}", name, base::did_you_mean(name, names)));
  }
  found->make([&](const litmus::LitmusTest& test) { return made.add(test); });
  return std::move(made).json();
}

}  // namespace weakspot::core
