// SPDX-License-Identifier: MIT
#include "campaign/conformance_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/names.h"
#include "base/source.h"
#include "campaign/measured_fields.h"
#include "litmus/dialect.h"
#include "litmus/mutant_name.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonFields;
using base::JsonValue;
using base::Mistakes;

constexpr std::uint64_t kSuiteFormat = 1;
constexpr base::Named<MutantStatus> kStatuses[] = {
    {"observable", MutantStatus::observable},
    {"unobservable", MutantStatus::unobservable},
    {"unseen", MutantStatus::unseen},
};

std::string text_of(const litmus::LitmusTest& test) { return litmus::print(test, litmus::Dialect::canonical).value(); }

JsonValue mutant_json(const SuiteMutant& mutant) {
  JsonValue json =
      json_object({{"test", mutant.test.name}, {"text", text_of(mutant.test)}, {"mutator", mutant.mutator}});
  if (mutant.status != MutantStatus::observable) {
    json.add("status", to_string(mutant.status));
    json.add("reason", mutant.reason);
  }
  JsonValue rates = json_array();
  for (const KillRate& rate : mutant.rates) {
    rates.push_back(json_object({{"environment", rate.environment}, {"per_second", rate.per_second}}));
  }
  json.add("rates", std::move(rates));
  return json;
}

constexpr double kHighestRate = 1e15;  // per second; no device runs faster

class SuiteReader {
 public:
  explicit SuiteReader(Mistakes& mistakes) : mistakes_(mistakes) {}

  std::optional<ConformanceSuite> read(const JsonValue& json) {
    JsonFields fields(json, mistakes_, "the suite");
    if (!fields.valid() || !fields.format(kSuiteFormat)) return std::nullopt;
    suite_.name = fields.text("suite");
    suite_.family = fields.text("family");
    suite_.measured_on = fields.text("measured_on");
    for (const JsonValue& text : fields.list("environments")) read_environment(text);
    for (const JsonValue& one : fields.list("tests")) {
      JsonFields test(one, mistakes_, "a test");
      SuiteTest read{test_of(test), {}};
      const base::Source& source = mistakes_.source();
      if (const JsonValue* text = test.take("text")) {
        read.place = {source.name(), static_cast<unsigned>(source.position(text->span().begin).line)};
      }
      for (const JsonValue& mutant : test.list("mutants")) read.mutants.push_back(mutant_of(mutant));
      suite_.tests.push_back(std::move(read));
    }
    if (mistakes_.any()) return std::nullopt;
    if (suite_.environments.empty()) fields.mistake(fields.take("environments"), "the suite has no environments");
    if (suite_.tests.empty()) fields.mistake(fields.take("tests"), "the suite has no tests");
    if (mistakes_.any()) return std::nullopt;
    return std::move(suite_);
  }

 private:
  void read_environment(const JsonValue& text) {
    suite_.environments.emplace_back();
    if (!text.is(JsonValue::Kind::string)) {
      return mistakes_.add(text.span(), fmt::format("'environments': expected a string, found {}",
                                                    base::found_text(text, mistakes_.source())));
    }
    const auto read = codegen::parse_environment(base::Source("environment", text.text()));
    if (read) {
      suite_.environments.back() = *read;
    } else {
      mistakes_.add(text.span(), base::messages(read.errors()));
    }
  }

  // A mistake in the test's own text has its place there.
  litmus::LitmusTest test_of(JsonFields& fields) {
    const std::string name(fields.string("test").value_or("without a name"));
    const std::optional<std::string_view> text = fields.string("text", true);
    if (!text) return {};
    const std::string place = fmt::format("{}, test \"{}\"", mistakes_.source().name(), name);
    auto tests = litmus::read_tests(base::Source(place, std::string(*text)));
    if (!tests) {
      mistakes_.append(tests.errors());
      return {};
    }
    if (tests->size() != 1) {
      fields.mistake(fields.take("text"), fmt::format("expected one test in this text, found {}", tests->size()));
    }
    litmus::LitmusTest& test = tests->front();
    test.name = litmus::present_name(test.name, litmus::hash_of(test).hex());
    return std::move(test);
  }

  SuiteMutant mutant_of(const JsonValue& json) {
    JsonFields fields(json, mistakes_, "a mutant");
    SuiteMutant mutant;
    mutant.test = test_of(fields);
    mutant.mutator = fields.text("mutator");
    mutant.status = fields.one_of("status", kStatuses).value_or(MutantStatus::observable);
    mutant.reason = fields.string("reason").value_or("");
    for (const JsonValue& one : fields.list("rates")) {
      JsonFields rate(one, mistakes_, "a rate");
      const KillRate read{count_in(rate, "environment"), rate.real("per_second", 0, kHighestRate)};
      if (read.environment >= suite_.environments.size()) {
        rate.mistake(rate.take("environment"), fmt::format("unknown environment {}; the suite has {}", read.environment,
                                                           suite_.environments.size()));
      }
      mutant.rates.push_back(read);
    }
    return mutant;
  }

  Mistakes& mistakes_;
  ConformanceSuite suite_;
};

}  // namespace

std::string_view to_string(MutantStatus status) { return base::name_of(kStatuses, status); }

std::vector<std::size_t> candidates_of(const ConformanceSuite& suite, const SuiteTest& test) {
  std::set<std::size_t> found;
  for (const SuiteMutant& mutant : test.mutants) {
    for (const KillRate& rate : mutant.rates) {
      if (rate.per_second > 0) found.insert(rate.environment);
    }
  }
  if (found.empty()) {
    for (std::size_t i = 0; i < suite.environments.size(); ++i) found.insert(i);
  }
  return {found.begin(), found.end()};
}

std::string to_json(const ConformanceSuite& suite) {
  JsonValue environments = json_array();
  for (const codegen::TestEnvironment& environment : suite.environments) {
    environments.push_back(codegen::to_text(environment));
  }
  JsonValue tests = json_array();
  for (const SuiteTest& test : suite.tests) {
    JsonValue mutants = json_array();
    for (const SuiteMutant& mutant : test.mutants) mutants.push_back(mutant_json(mutant));
    tests.push_back(
        json_object({{"test", test.test.name}, {"text", text_of(test.test)}, {"mutants", std::move(mutants)}}));
  }
  const JsonValue json = json_object({{"format", kSuiteFormat},
                                      {"suite", suite.name},
                                      {"family", suite.family},
                                      {"measured_on", suite.measured_on},
                                      {"environments", std::move(environments)},
                                      {"tests", std::move(tests)}});
  return base::json_indented(json, 1) + "\n";
}

base::Result<ConformanceSuite> suite_from_json(const base::Source& source) {
  Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  std::optional<ConformanceSuite> suite = json ? SuiteReader(mistakes).read(*json) : std::nullopt;
  if (!suite) return mistakes.take();
  return *std::move(suite);
}

}  // namespace weakspot::campaign
