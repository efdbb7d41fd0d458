// SPDX-License-Identifier: MIT
#include "campaign/suite_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/source.h"
#include "campaign/measured_fields.h"
#include "litmus/dialect.h"
#include "litmus/mutant_name.h"

namespace weakspot::campaign {
namespace {

void read_head(base::JsonFields& fields, JournalRates& rates) {
  rates.device_name = fields.text("device_name");
  rates.tests = fields.texts("tests");
  rates.hashes = fields.texts("hashes");
  rates.cells.resize(rates.tests.size());
}

void read_slice(base::JsonFields& fields, JournalRates& rates) {
  Slice slice;
  slice.kills = count_in(fields, "kills");
  slice.instances = count_in(fields, "instances");
  slice.seconds = seconds_in(fields, "seconds");
  const std::uint64_t test = count_in(fields, "test");
  const std::string environment = fields.text("environment");
  if (fields.mistakes().any()) return;
  if (test >= rates.tests.size()) {
    return fields.mistake(fields.take("test"),
                          fmt::format("unknown test {}; the journal has {}", test, rates.tests.size()));
  }
  JournalRates::Cell& cell = rates.cells[test][environment];
  cell.sum.add(slice);
  ++cell.slices;
  if (std::max(cell.sum.kills, cell.sum.instances) > kMostCount || cell.sum.seconds > kLongestTime) {
    fields.mistake(nullptr, "the slices of this test and environment add up to too much");
  }
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

// The journal's number of a test. It may have been measured under a former name.
base::Result<std::size_t> measured_as(const litmus::LitmusTest& test, const JournalRates& rates) {
  const std::string hash = litmus::hash_of(test).hex();
  const bool has_hashes = rates.hashes.size() == rates.tests.size();
  bool changed = false;
  for (std::size_t i = 0; i < rates.tests.size(); ++i) {
    const std::string_view now = has_hashes ? litmus::present_name(rates.tests[i], rates.hashes[i]) : rates.tests[i];
    if (now != test.name) continue;
    if (has_hashes && rates.hashes[i] == hash) return i;
    changed = true;
  }
  return base::error(
      fmt::format("{} {}", test.name, changed ? "has changed since it was measured" : "was not measured"));
}

}  // namespace

base::Result<JournalRates> read_journal_rates(const base::Source& source) {
  JournalRates rates;
  const std::string_view text = source.text();
  base::Mistakes mistakes(source);
  std::size_t end = 0;
  for (std::size_t begin = 0; (end = text.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
    const std::optional<base::JsonValue> json =
        base::read_json_part(mistakes, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    if (json) {
      base::JsonFields fields(*json, mistakes, begin == 0 ? "the journal's first line" : "a slice");
      begin == 0 ? read_head(fields, rates) : read_slice(fields, rates);
    }
    if (mistakes.any()) return mistakes.take();
  }
  if (rates.tests.empty()) return base::error_in(source.name(), "not the journal of a search: it has no tests");
  return rates;
}

base::Result<ConformanceSuite> with_rates(ConformanceSuite suite, const JournalRates& rates) {
  suite.environments.clear();
  suite.measured_on = rates.device_name;
  for (SuiteTest& test : suite.tests) {
    for (SuiteMutant& mutant : test.mutants) {
      const auto found = measured_as(mutant.test, rates);
      if (!found) return found.errors();
      const std::size_t number = *found;
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
