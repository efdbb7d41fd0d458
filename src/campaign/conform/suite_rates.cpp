#include "campaign/suite_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/checked_json.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

base::Status read_head(const FileJson& json, JournalRates& rates) {
  rates.device_name = text_in(json, "device_name");
  rates.tests = texts_in(json, "tests");
  rates.hashes = texts_in(json, "hashes");
  rates.cells.resize(rates.tests.size());
  return base::ok_status();
}

base::Status read_slice(const FileJson& json, JournalRates& rates) {
  Slice slice;
  slice.kills = count_in(json, "kills");
  slice.instances = count_in(json, "instances");
  slice.seconds = seconds_in(json, "seconds");
  const std::uint64_t test = count_in(json, "test");
  if (test >= rates.tests.size()) {
    throw JsonProblem{fmt::format("there is no test {}; the journal has {}", test, rates.tests.size())};
  }
  JournalRates::Cell& cell = rates.cells[test][text_in(json, "environment")];
  cell.sum.add(slice);
  ++cell.slices;
  if (std::max(cell.sum.kills, cell.sum.instances) > kMostCount || cell.sum.seconds > kLongestTime) {
    throw JsonProblem{"expected less: the slices of this test and environment add up to too much"};
  }
  return base::ok_status();
}

using MeasuredCell = std::pair<const std::string, JournalRates::Cell>;

double surely_killed(const MeasuredCell& cell) {
  return cell.second.sum.kills == 0 ? 0 : cell.second.sum.rate().interval.low;
}

// nullptr: the mutant was never killed.
const MeasuredCell* best_environment(const std::map<std::string, JournalRates::Cell>& cells) {
  const MeasuredCell* best = nullptr;
  const MeasuredCell* repeated = nullptr;
  auto better = [](const MeasuredCell& cell, const MeasuredCell* than) {
    return surely_killed(cell) > (than == nullptr ? 0 : surely_killed(*than));
  };
  for (const MeasuredCell& cell : cells) {
    if (better(cell, best)) best = &cell;
    if (cell.second.slices > 1 && better(cell, repeated)) repeated = &cell;
  }
  return repeated != nullptr && 2 * surely_killed(*repeated) >= surely_killed(*best) ? repeated : best;
}

}  // namespace

base::Result<JournalRates> read_journal_rates(const base::Source& source) {
  JournalRates rates;
  const std::string_view text = source.text();
  std::size_t begin = 0;
  for (std::size_t line = 1; text.find('\n', begin) != std::string_view::npos; ++line) {
    const std::size_t end = text.find('\n', begin);
    const base::Status read = take_apart("journal of a search", [&] {
      const FileJson json = parse_line(text.substr(begin, end - begin));
      return line == 1 ? read_head(json, rates) : read_slice(json, rates);
    });
    if (!read) return base::error_in(source.name(), fmt::format("line {}: {}", line, base::messages(read.errors())));
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
      if (number >= rates.hashes.size() || rates.hashes[number] != litmus::hash_of(mutant.test).hex()) {
        return base::error(fmt::format("{} was another test when it was measured", mutant.test.name));
      }
      mutant.rates.clear();
      mutant.status = MutantStatus::unseen;
      mutant.reason = fmt::format("never killed on {}", rates.device_name);
      const MeasuredCell* best = best_environment(rates.cells[number]);
      if (best == nullptr) continue;
      const auto environment = codegen::parse_environment(base::Source("journal", best->first));
      if (!environment) return environment.errors();
      const auto known = std::find(suite.environments.begin(), suite.environments.end(), *environment);
      const auto place = static_cast<std::size_t>(known - suite.environments.begin());
      if (known == suite.environments.end()) suite.environments.push_back(*environment);
      mutant.status = MutantStatus::observable;
      mutant.reason.clear();
      mutant.rates.push_back({place, best->second.sum.rate().value});
    }
  }
  return suite;
}

}  // namespace weakspot::campaign
