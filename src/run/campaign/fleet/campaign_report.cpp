// SPDX-License-Identifier: MIT
#include "campaign/campaign_report.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using stats::OutcomeClass;

constexpr OutcomeClass kMostTellingFirst[] = {OutcomeClass::forbidden,  OutcomeClass::unknown,
                                              OutcomeClass::weak,       OutcomeClass::interleaved,
                                              OutcomeClass::sequential, OutcomeClass::changed};

RunTally tally_of(const RunRecord& record) {
  RunTally tally;
  tally.runs = 1;
  tally.refused = record.status == RunState::refused ? 1 : 0;
  tally.instances = record.instances;
  tally.matches = record.matches();
  tally.seconds = record.seconds;
  for (const OutcomeClass outcome_class : stats::kOutcomeClasses) {
    tally.counts[static_cast<std::size_t>(outcome_class)] = record.count(outcome_class);
  }
  return tally;
}

// Gathers the cells of the shards, which come in the order of the plan: every sum is then made in the same order.
class Gathering {
 public:
  Gathering(const CampaignPlan& plan, CampaignReport& report) : plan_(plan), report_(report) {}

  void add(const Shard& shard, const std::vector<RunRecord>& records) {
    for (const RunRecord& record : records) {
      CampaignCell& cell = cell_of(shard, record);
      cell.tally.add(tally_of(record));
      if (record.status == RunState::refused && cell.message.empty()) cell.message = record.message;
      for (const OutcomeCount& outcome : record.outcomes) {
        if (outcome.outcome_class == OutcomeClass::forbidden) add_finding(cell, record, outcome);
      }
    }
  }

 private:
  CampaignCell& cell_of(const Shard& shard, const RunRecord& record) {
    const std::string environment = codegen::to_text(shard.environment);
    const auto [entry, is_new] = cells_.try_emplace(
        {shard.test, shard.device_class, record.device_name, record.driver, environment}, report_.cells.size());
    if (is_new) {
      const RunTest* test = plan_.test_with(shard.test);
      report_.cells.push_back({test == nullptr ? shard.test : (*test)->name,
                               shard.test,
                               shard.device_class,
                               record.device_name,
                               record.driver,
                               record.model,
                               environment,
                               {},
                               {}});
    }
    return report_.cells[entry->second];
  }

  void add_finding(const CampaignCell& cell, const RunRecord& record, const OutcomeCount& outcome) {
    const auto [entry, is_new] = findings_.try_emplace(
        {cell.hash, cell.device_class, cell.device_name, cell.driver, cell.environment + "\n" + outcome.outcome},
        report_.findings.size());
    if (is_new) report_.findings.push_back({outcome.outcome, 0, 0, record});
    CampaignFinding& finding = report_.findings[entry->second];
    finding.count += outcome.count;
    ++finding.runs;
  }

  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  const CampaignPlan& plan_;
  CampaignReport& report_;
  std::map<Key, std::size_t> cells_, findings_;
};

// Whether the first cell tells more about its test: a higher forbidden rate, then a higher weak rate.
bool tells_more(const CampaignCell& a, const CampaignCell& b) {
  const auto key = [](const RunTally& tally) {
    return std::pair(tally.rate(OutcomeClass::forbidden).value, tally.rate(OutcomeClass::weak).value);
  };
  return key(a.tally) > key(b.tally);
}

}  // namespace

void RunTally::add(const RunTally& other) {
  runs += other.runs;
  refused += other.refused;
  instances += other.instances;
  matches += other.matches;
  seconds += other.seconds;
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
}

std::string RunTally::verdict() const {
  for (const OutcomeClass outcome_class : kMostTellingFirst) {
    if (count(outcome_class) != 0) return class_word(outcome_class);
  }
  return refused != 0 ? "refused" : "-";
}

std::vector<CampaignCell> CampaignReport::by_test() const {
  std::vector<CampaignCell> rows;
  std::vector<const CampaignCell*> best;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> numbers;
  for (const CampaignCell& cell : cells) {
    const auto [entry, is_new] =
        numbers.try_emplace({cell.hash, cell.device_class, cell.device_name, cell.driver}, rows.size());
    if (is_new) {
      rows.push_back(cell);
      best.push_back(&cell);
      continue;
    }
    CampaignCell& row = rows[entry->second];
    row.tally.add(cell.tally);
    if (tells_more(cell, *best[entry->second])) {
      best[entry->second] = &cell;
      row.environment = cell.environment;
    }
  }
  return rows;
}

void CampaignMerge::add(ShardResult result) {
  const auto [entry, is_new] = results_.try_emplace(result.shard);
  if (is_new || result.attempt < entry->second.attempt) entry->second = std::move(result);
}

CampaignReport CampaignMerge::report() const {
  CampaignReport report;
  report.campaign = campaign_;
  report.suite = plan_.suite;
  report.tests = plan_.tests.size();
  Gathering gathering(plan_, report);
  for (const Shard& shard : shards_of(plan_)) {
    ++report.shards;
    const auto found = results_.find(shard_id(campaign_, shard));
    if (found == results_.end()) continue;
    ++report.done;
    gathering.add(shard, found->second.records);
  }
  report.quarantined = quarantined_;
  std::sort(report.quarantined.begin(), report.quarantined.end());
  report.quarantined.erase(std::unique(report.quarantined.begin(), report.quarantined.end()), report.quarantined.end());
  return report;
}

}  // namespace weakspot::campaign
