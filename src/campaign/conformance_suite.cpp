#include "campaign/conformance_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/names.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSuiteFormat = 1;
constexpr base::Named<MutantStatus> kStatuses[] = {
    {"observable", MutantStatus::observable},
    {"unobservable", MutantStatus::unobservable},
    {"unseen", MutantStatus::unseen},
};

std::string text_of(const litmus::LitmusTest& test) { return litmus::print(test, litmus::Dialect::canonical).value(); }

// Takes the file apart; throws Json::exception for what is missing and std::string for what is wrong.
class SuiteReader {
 public:
  explicit SuiteReader(std::string_view name) : name_(name) {}

  ConformanceSuite read(const Json& json) const {
    if (json.at("format") != kSuiteFormat) {
      throw fmt::format("the suite has format {}; this program reads format {}", json.at("format").dump(),
                        kSuiteFormat);
    }
    ConformanceSuite suite;
    suite.name = json.at("suite");
    suite.family = json.at("family");
    suite.measured_on = json.at("measured_on");
    for (const Json& text : json.at("environments")) {
      const auto read = codegen::parse_environment(base::Source("environment", text.get<std::string>()));
      if (!read) {
        throw fmt::format("environment {}: {}", suite.environments.size(), read.errors().front().message);
      }
      suite.environments.push_back(*read);
    }
    for (const Json& one : json.at("tests")) {
      SuiteTest test{test_of(one), {}};
      for (const Json& mutant : one.at("mutants")) test.mutants.push_back(mutant_of(mutant, suite));
      suite.tests.push_back(std::move(test));
    }
    if (suite.environments.empty()) throw std::string("the suite has no environments");
    if (suite.tests.empty()) throw std::string("the suite has no tests");
    return suite;
  }

 private:
  litmus::LitmusTest test_of(const Json& json) const {
    const std::string text = json.at("text");
    auto tests = litmus::read_tests(base::Source(std::string(name_), text));
    if (!tests) throw fmt::format("a test: {}", tests.errors().front().message);
    if (tests->size() != 1) throw fmt::format("expected one test, found {}", tests->size());
    return std::move(tests->front());
  }

  SuiteMutant mutant_of(const Json& json, const ConformanceSuite& suite) const {
    SuiteMutant mutant;
    mutant.test = test_of(json);
    mutant.mutator = json.at("mutator");
    const std::string status = json.value("status", "observable");
    const auto named = base::value_of(kStatuses, status);
    if (!named) {
      throw fmt::format("{}: unknown status '{}'; expected {}", mutant.test.name, status, base::list_names(kStatuses));
    }
    mutant.status = *named;
    mutant.reason = json.value("reason", "");
    for (const Json& rate : json.at("rates")) {
      const KillRate read{rate.at("environment"), rate.at("per_second")};
      if (read.environment >= suite.environments.size()) {
        throw fmt::format("{}: there is no environment {}; the suite has {}", mutant.test.name, read.environment,
                          suite.environments.size());
      }
      mutant.rates.push_back(read);
    }
    return mutant;
  }

  std::string_view name_;
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
  try {
    return SuiteReader(source.name()).read(Json::parse(source.text()));
  } catch (const Json::exception& problem) {
    const std::string_view text = problem.what();
    return base::error_in(source.name(), fmt::format("this is no suite: {}", text.substr(text.find("] ") + 2)));
  } catch (const std::string& problem) {
    return base::error_in(source.name(), problem);
  }
}

}  // namespace weakspot::campaign
