// SPDX-License-Identifier: MIT
#include "campaign/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace weakspot::campaign {
namespace {

// Runs with the same key on both sides are compared.
struct Key {
  std::string hash;
  std::string device;
  std::string environment;

  friend auto operator<=>(const Key&, const Key&) = default;
};

struct Sum {
  std::string test;
  std::uint64_t instances = 0;
  double seconds = 0;
  std::map<std::string, OutcomeCount> outcomes;
  std::vector<const RunRecord*> runs;

  // The count of an outcome in each run, slice by slice. A run without slices is one slice.
  std::vector<stats::SlicedRun> sliced(const std::string& outcome) const;
};

struct Side {
  std::vector<Key> order;
  std::map<Key, Sum> sums;
};

std::vector<stats::SlicedRun> Sum::sliced(const std::string& outcome) const {
  std::vector<stats::SlicedRun> all;
  for (const RunRecord* run : runs) {
    const auto seen = std::find_if(run->outcomes.begin(), run->outcomes.end(),
                                   [&](const OutcomeCount& one) { return one.outcome == outcome; });
    const bool is_seen = seen != run->outcomes.end();
    stats::SlicedRun& slices = all.emplace_back();
    for (const RunSlice& slice : run->slices) {
      slices.push_back(
          {is_seen ? slice.counts[static_cast<std::size_t>(seen - run->outcomes.begin())] : 0, slice.instances});
    }
    if (slices.empty()) slices.push_back({is_seen ? seen->count : 0, run->instances});
  }
  return all;
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
}

Side add_up(const std::vector<RunRecord>& records, bool by_device, bool by_environment) {
  Side side;
  for (const RunRecord& record : records) {
    if (record.instances == 0) continue;
    Key key{record.hash, by_device ? record.device : "",
            by_environment ? codegen::to_text(record.environment) : std::string()};
    const auto [entry, is_new] = side.sums.try_emplace(key);
    if (is_new) side.order.push_back(std::move(key));
    Sum& sum = entry->second;
    sum.test = record.test;
    sum.instances += record.instances;
    sum.seconds += record.seconds;
    sum.runs.push_back(&record);
    for (const OutcomeCount& outcome : record.outcomes) {
      const auto [counted, is_first] = sum.outcomes.try_emplace(outcome.outcome, outcome);
      if (!is_first) counted->second.count += outcome.count;
    }
  }
  return side;
}

void note_lone(const Side& side, const Side& other, char name, std::vector<LoneRuns>& lone) {
  for (const Key& key : side.order) {
    if (!other.sums.contains(key)) lone.push_back({name, side.sums.at(key).test, key.device, key.environment});
  }
}

std::uint64_t count_of_outcome(const Sum& sum, const std::string& outcome) {
  const auto found = sum.outcomes.find(outcome);
  return found == sum.outcomes.end() ? 0 : found->second.count;
}

void compare_sums(const Key& key, const Sum& a, const Sum& b, double level, std::vector<OutcomeComparison>& made) {
  std::map<std::string, OutcomeCount> outcomes = a.outcomes;
  outcomes.insert(b.outcomes.begin(), b.outcomes.end());
  for (const auto& [text, outcome] : outcomes) {
    OutcomeComparison one;
    one.test = a.test;
    one.device = key.device;
    one.environment = key.environment;
    one.outcome = text;
    one.outcome_class = outcome.outcome_class;
    one.matches = outcome.matches;
    one.a = {count_of_outcome(a, text), a.instances};
    one.b = {count_of_outcome(b, text), b.instances};
    one.seconds_a = a.seconds;
    one.seconds_b = b.seconds;
    one.variation = stats::run_variation(a.sliced(text), b.sliced(text));
    one.difference = stats::compare_counts(one.a, one.b, one.variation);
    one.ratio = stats::rate_ratio(one.a, one.b, one.variation, 1 - level);
    made.push_back(std::move(one));
  }
}

void decide(std::vector<OutcomeComparison>& outcomes, const CompareOptions& options) {
  std::vector<double> p_values;
  for (const OutcomeComparison& one : outcomes) p_values.push_back(one.difference.p);
  const std::vector<double> adjusted = stats::holm_adjusted(p_values);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    OutcomeComparison& one = outcomes[i];
    one.adjusted_p = adjusted[i];
    const bool large =
        options.least_ratio <= 1 || one.ratio.low > options.least_ratio || one.ratio.high < 1 / options.least_ratio;
    one.differs = one.adjusted_p < options.level && large;
  }
}

}  // namespace

std::vector<std::string> devices_of(const std::vector<RunRecord>& records) {
  std::vector<std::string> devices;
  for (const RunRecord& record : records) add_once(devices, record.device);
  return devices;
}

std::vector<std::string> environments_of(const std::vector<RunRecord>& records) {
  std::vector<std::string> environments;
  for (const RunRecord& record : records) add_once(environments, codegen::to_text(record.environment));
  return environments;
}

Comparison compare_runs(const std::vector<RunRecord>& a, const std::vector<RunRecord>& b,
                        const CompareOptions& options) {
  const bool by_device = devices_of(a).size() > 1 || devices_of(b).size() > 1;
  const bool by_environment = !options.pool && (environments_of(a).size() > 1 || environments_of(b).size() > 1);
  const Side side_a = add_up(a, by_device, by_environment);
  const Side side_b = add_up(b, by_device, by_environment);
  Comparison made;
  for (const Key& key : side_a.order) {
    const auto found = side_b.sums.find(key);
    if (found != side_b.sums.end()) {
      compare_sums(key, side_a.sums.at(key), found->second, options.level, made.outcomes);
    }
  }
  note_lone(side_a, side_b, 'A', made.lone);
  note_lone(side_b, side_a, 'B', made.lone);
  for (const OutcomeComparison& one : made.outcomes) made.unknown_variation += one.variation.is_known() ? 0 : 1;
  decide(made.outcomes, options);
  return made;
}

std::string place_text(const std::string& test, const std::string& device, const std::string& environment,
                       EnvironmentNames* names) {
  std::string text = test;
  if (!device.empty()) text += " on " + device;
  if (!environment.empty()) text += " in " + (names == nullptr ? environment : names->name(environment));
  return text;
}

std::vector<std::string> notes_of(const Comparison& comparison, EnvironmentNames* names) {
  std::vector<std::string> notes;
  for (const LoneRuns& one : comparison.lone) {
    notes.push_back(fmt::format("only in {}: {}", one.side, place_text(one.test, one.device, one.environment, names)));
  }
  if (comparison.unknown_variation != 0) {
    notes.push_back(
        fmt::format("variation between runs is not known for {} of {} outcomes: their runs have too few slices",
                    comparison.unknown_variation, comparison.outcomes.size()));
  }
  return notes;
}

}  // namespace weakspot::campaign
