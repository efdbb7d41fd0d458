#include "campaign/suite_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace weakspot::campaign {
namespace {

using Json = nlohmann::ordered_json;

void read_head(const Json& json, JournalRates& rates) {
  rates.device_name = json.at("device_name");
  rates.tests = json.at("tests").get<std::vector<std::string>>();
  rates.hashes = json.at("hashes").get<std::vector<std::string>>();
  rates.cells.resize(rates.tests.size());
}

void read_slice(const Json& json, JournalRates& rates) {
  Slice slice;
  slice.kills = json.at("kills");
  slice.instances = json.at("instances");
  slice.seconds = json.at("seconds");
  rates.cells.at(json.at("test").get<std::size_t>())[json.at("environment")].add(slice);
}

}  // namespace

base::Result<JournalRates> read_journal_rates(const base::Source& source) {
  JournalRates rates;
  const std::string_view text = source.text();
  std::size_t begin = 0;
  for (std::size_t line = 1; text.find('\n', begin) != std::string_view::npos; ++line) {
    const std::size_t end = text.find('\n', begin);
    try {
      const Json json = Json::parse(text.substr(begin, end - begin));
      if (line == 1) {
        read_head(json, rates);
      } else {
        read_slice(json, rates);
      }
    } catch (const std::exception& problem) {  // of the JSON library, or a test that there is not
      return base::error_in(source.name(),
                            fmt::format("line {}: this is no journal of a search: {}", line, problem.what()));
    }
    begin = end + 1;
  }
  if (rates.tests.empty()) return base::error_in(source.name(), "this is no journal of a search: there are no tests");
  return rates;
}

base::Result<ConformanceSuite> with_rates(ConformanceSuite suite, const JournalRates& rates) {
  suite.environments.clear();
  suite.measured_on = rates.device_name;
  for (SuiteTest& test : suite.tests) {
    for (SuiteMutant& mutant : test.mutants) {
      const auto named = std::find(rates.tests.begin(), rates.tests.end(), mutant.test.name);
      if (named == rates.tests.end()) return base::error(fmt::format("{} was not measured", mutant.test.name));
      const auto number = static_cast<std::size_t>(named - rates.tests.begin());
      if (number >= rates.hashes.size() || rates.hashes[number] != mutant.test.hash().hex()) {
        return base::error(fmt::format("{} was another test when it was measured", mutant.test.name));
      }
      mutant.rates.clear();
      mutant.status = MutantStatus::unseen;
      mutant.reason = fmt::format("never killed on {}", rates.device_name);
      const std::string* best = nullptr;
      double surely = 0;
      for (const auto& [environment, sum] : rates.cells[number]) {
        const double low = sum.kills == 0 ? 0 : sum.rate().interval.low;
        if (low <= surely) continue;
        surely = low;
        best = &environment;
      }
      if (best == nullptr) continue;
      const auto environment = codegen::parse_environment(base::Source("journal", *best));
      if (!environment) return environment.errors();
      const auto known = std::find(suite.environments.begin(), suite.environments.end(), *environment);
      const auto place = static_cast<std::size_t>(known - suite.environments.begin());
      if (known == suite.environments.end()) suite.environments.push_back(*environment);
      mutant.status = MutantStatus::observable;
      mutant.reason.clear();
      mutant.rates.push_back({place, rates.cells[number].at(*best).rate().value});
    }
  }
  return suite;
}

}  // namespace weakspot::campaign
