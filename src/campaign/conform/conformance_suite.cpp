#include "campaign/conformance_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/names.h"
#include "campaign/checked_json.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using Json = FileJson;

constexpr int kSuiteFormat = 1;
constexpr base::Named<MutantStatus> kStatuses[] = {
    {"observable", MutantStatus::observable},
    {"unobservable", MutantStatus::unobservable},
    {"unseen", MutantStatus::unseen},
};

std::string text_of(const litmus::LitmusTest& test) { return litmus::print(test, litmus::Dialect::canonical).value(); }

// More is no rate that a device could have.
constexpr double kHighestRate = 1e15;

// Takes the file apart; throws JsonProblem for values that are missing or wrong, and Diagnostics for the rest: mistakes
// in the texts of tests have places there.
class SuiteReader {
 public:
  explicit SuiteReader(const std::string& file) : file_(file) {}

  ConformanceSuite read(const Json& json) const {
    if (const Json& format = member(json, "format"); format != kSuiteFormat) {
      throw error(fmt::format("the suite has format {}; this program reads format {}", format.dump(), kSuiteFormat));
    }
    ConformanceSuite suite;
    suite.name = text_in(json, "suite");
    suite.family = text_in(json, "family");
    suite.measured_on = text_in(json, "measured_on");
    for (const std::string& text : texts_in(json, "environments")) {
      const auto read = codegen::parse_environment(base::Source("environment", text));
      if (!read) {
        const std::size_t number = suite.environments.size();
        throw error(fmt::format("environment {}: {}", number, read.errors().front().message));
      }
      suite.environments.push_back(*read);
    }
    for (const Json& one : list_in(json, "tests")) {
      SuiteTest test{test_of(one), {}};
      within(test.test.name, [&] {
        for (const Json& mutant : list_in(one, "mutants")) test.mutants.push_back(mutant_of(mutant, suite));
      });
      suite.tests.push_back(std::move(test));
    }
    if (suite.environments.empty()) throw error("the suite has no environments");
    if (suite.tests.empty()) throw error("the suite has no tests");
    return suite;
  }

 private:
  base::Diagnostics error(std::string message) const { return {base::error_in(file_, std::move(message))}; }

  // Says of a problem which test it is about.
  template <typename Read>
  static void within(const std::string& name, Read&& read) {
    try {
      read();
    } catch (const JsonProblem& problem) {
      throw JsonProblem{fmt::format("test \"{}\": {}", name, problem.text)};
    }
  }

  litmus::LitmusTest test_of(const Json& json) const {
    const std::string name = json.is_object() && json.contains("test") ? text_in(json, "test") : "without a name";
    std::string text;
    within(name, [&] { text = text_in(json, "text"); });
    auto tests = litmus::read_tests(base::Source(fmt::format("{}, test \"{}\"", file_, name), text));
    if (!tests) throw tests.errors();
    if (tests->size() != 1) {
      throw JsonProblem{fmt::format("test \"{}\": expected one test in its text, found {}", name, tests->size())};
    }
    return std::move(tests->front());
  }

  SuiteMutant mutant_of(const Json& json, const ConformanceSuite& suite) const {
    SuiteMutant mutant;
    mutant.test = test_of(json);
    within(mutant.test.name, [&] { read_measured(json, suite, mutant); });
    return mutant;
  }

  static void read_measured(const Json& json, const ConformanceSuite& suite, SuiteMutant& mutant) {
    mutant.mutator = text_in(json, "mutator");
    const std::string status = json.contains("status") ? text_in(json, "status") : "observable";
    const auto named = base::value_of(kStatuses, status);
    if (!named) {
      throw JsonProblem{fmt::format("unknown status '{}'; expected {}", status, base::list_names(kStatuses))};
    }
    mutant.status = *named;
    if (json.contains("reason")) mutant.reason = text_in(json, "reason");
    for (const Json& rate : list_in(json, "rates")) {
      const KillRate read{count_in(rate, "environment"), real_in(rate, "per_second", 0, kHighestRate)};
      if (read.environment >= suite.environments.size()) {
        throw JsonProblem{
            fmt::format("there is no environment {}; the suite has {}", read.environment, suite.environments.size())};
      }
      mutant.rates.push_back(read);
    }
  }

  const std::string& file_;
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
  Json json;
  json["format"] = kSuiteFormat;
  json["suite"] = suite.name;
  json["family"] = suite.family;
  json["measured_on"] = suite.measured_on;
  json["environments"] = Json::array();
  for (const codegen::TestEnvironment& environment : suite.environments) {
    json["environments"].push_back(codegen::to_text(environment));
  }
  json["tests"] = Json::array();
  for (const SuiteTest& test : suite.tests) {
    Json one = {{"test", test.test.name}, {"text", text_of(test.test)}, {"mutants", Json::array()}};
    for (const SuiteMutant& mutant : test.mutants) {
      Json m = {{"test", mutant.test.name}, {"text", text_of(mutant.test)}, {"mutator", mutant.mutator}};
      if (mutant.status != MutantStatus::observable) {
        m["status"] = to_string(mutant.status);
        m["reason"] = mutant.reason;
      }
      m["rates"] = Json::array();
      for (const KillRate& rate : mutant.rates) {
        m["rates"].push_back({{"environment", rate.environment}, {"per_second", rate.per_second}});
      }
      one["mutants"].push_back(std::move(m));
    }
    json["tests"].push_back(std::move(one));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

base::Result<ConformanceSuite> suite_from_json(const base::Source& source) {
  const base::Result<Json> json = parse_file(source);
  if (!json) return json.errors();
  try {
    return SuiteReader(source.name()).read(*json);
  } catch (const JsonProblem& problem) {
    return base::error_in(source.name(), "this is no suite: " + problem.text);
  } catch (const base::Diagnostics& mistakes) {
    return mistakes;
  }
}

}  // namespace weakspot::campaign
