// SPDX-License-Identifier: MIT
// The results of a campaign's shards as one report. It depends only on the set of results: neither on the order in
// which they arrive, nor on how often an attempt was repeated, nor on who ran it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "campaign/campaign_plan.h"
#include "campaign/environment_names.h"
#include "campaign/shard.h"
#include "json/json.h"
#include "stats/outcome_class.h"
#include "stats/rates.h"

namespace weakspot::campaign {

// The sum of some runs.
struct RunTally {
  std::uint64_t runs = 0;
  std::uint64_t refused = 0;  // runs of a test that the device or the environment cannot run
  std::uint64_t instances = 0;
  std::uint64_t matches = 0;  // instances that match the test's condition
  double seconds = 0;         // device time
  std::array<std::uint64_t, std::size(stats::kOutcomeClasses)> counts{};

  void add(const RunTally& other);
  std::uint64_t count(stats::OutcomeClass outcome_class) const {
    return counts[static_cast<std::size_t>(outcome_class)];
  }
  stats::Rate rate(stats::OutcomeClass outcome_class) const { return stats::per_second(count(outcome_class), seconds); }
  // "FORBIDDEN", "weak", ...; "refused" if nothing could run, "-" if nothing did.
  std::string verdict() const;

  friend bool operator==(const RunTally&, const RunTally&) = default;
};

// One test in one environment on one kind of device: equal cards with equal drivers are one kind.
struct CampaignCell {
  std::string test;
  std::string hash;
  std::string device_class;
  std::string device_name;
  std::string driver;
  std::string model;  // the judge
  std::string environment;
  RunTally tally;
  std::string message;  // why it was refused

  friend bool operator==(const CampaignCell&, const CampaignCell&) = default;
};

// A forbidden outcome of a cell, with the run of the smallest seed that saw it.
struct CampaignFinding {
  std::string outcome;
  std::uint64_t count = 0;  // in all runs of the cell
  std::uint64_t runs = 0;   // runs that saw it
  RunRecord first;

  friend bool operator==(const CampaignFinding&, const CampaignFinding&) = default;
};

// A device or a test that is not used any more.
struct Quarantined {
  std::string kind;  // "device" or "test"
  std::string name;
  std::string reason;

  friend auto operator<=>(const Quarantined&, const Quarantined&) = default;
};

struct CampaignReport {
  std::string campaign;  // its id
  std::string name;      // for people; empty: none but that of the suite
  std::string suite;
  std::size_t tests = 0;  // planned
  std::uint64_t shards = 0, done = 0;
  std::vector<CampaignCell> cells;  // in the order of the plan
  std::vector<CampaignFinding> findings;
  std::vector<Quarantined> quarantined;

  // The cells of each test on each kind of device, added up; `environment` is the one with the most forbidden, else the
  // most weak outcomes per second.
  std::vector<CampaignCell> by_test() const;

  friend bool operator==(const CampaignReport&, const CampaignReport&) = default;
};

class CampaignMerge {
 public:
  // The plan must outlive this.
  explicit CampaignMerge(const CampaignPlan& plan) : plan_(plan), campaign_(plan.id()) {}

  // A shard counts once: the result of its smallest attempt does. One that is not of this campaign does not count.
  void add(ShardResult result);
  void add(Quarantined quarantined) { quarantined_.push_back(std::move(quarantined)); }
  CampaignReport report() const;

 private:
  const CampaignPlan& plan_;
  std::string campaign_;
  std::map<std::string, ShardResult> results_;  // by shard
  std::vector<Quarantined> quarantined_;
};

// The report for people; the table is within `width` columns, and a verdict word stands first on each line.
std::string campaign_text(const CampaignReport& report, std::size_t width, EnvironmentNames& names);
// Commands for a shell that run forbidden outcomes again: one for each test and kind of device. Empty if there are
// none.
std::string campaign_commands(const CampaignReport& report);
std::string campaign_html(const CampaignReport& report);
base::JsonValue to_json_value(const CampaignReport& report);

}  // namespace weakspot::campaign
