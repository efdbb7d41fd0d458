// SPDX-License-Identifier: MIT
#include "campaign/campaign_report.h"
#include "campaign/record_json.h"
#include "campaign/summary.h"

namespace weakspot::campaign {
namespace {

using base::json_array;
using base::json_object;
using base::JsonValue;
using stats::OutcomeClass;

JsonValue rate_json(const stats::Rate& rate) {
  return json_object({{"per_second", rate.value}, {"low", rate.interval.low}, {"high", rate.interval.high}});
}

JsonValue cell_json(const CampaignCell& cell) {
  JsonValue counts = json_object();
  for (const OutcomeClass outcome_class : stats::kOutcomeClasses) {
    // Only runs that were checked have it.
    if (outcome_class == OutcomeClass::changed && cell.tally.count(outcome_class) == 0) continue;
    counts.add(stats::to_string(outcome_class), cell.tally.count(outcome_class));
  }
  return json_object({{"test", cell.test},
                      {"hash", cell.hash},
                      {"device_class", cell.device_class},
                      {"device_name", cell.device_name},
                      {"driver", cell.driver},
                      {"model", cell.model},
                      {"environment", cell.environment},
                      {"verdict", cell.tally.verdict()},
                      {"runs", cell.tally.runs},
                      {"refused", cell.tally.refused},
                      {"instances", cell.tally.instances},
                      {"matches", cell.tally.matches},
                      {"seconds", cell.tally.seconds},
                      {"counts", std::move(counts)},
                      {"weak", rate_json(cell.tally.rate(OutcomeClass::weak))},
                      {"forbidden", rate_json(cell.tally.rate(OutcomeClass::forbidden))},
                      {"message", cell.message}});
}

}  // namespace

JsonValue to_json_value(const CampaignReport& report) {
  JsonValue cells = json_array(), findings = json_array(), quarantined = json_array();
  for (const CampaignCell& cell : report.cells) cells.push_back(cell_json(cell));
  for (const CampaignFinding& finding : report.findings) {
    findings.push_back(json_object({{"test", finding.first.test},
                                    {"outcome", finding.outcome},
                                    {"count", finding.count},
                                    {"runs", finding.runs},
                                    {"replay", replay_commands(finding.first)},
                                    {"first", to_json_value(finding.first)}}));
  }
  for (const Quarantined& one : report.quarantined) {
    quarantined.push_back(json_object({{"kind", one.kind}, {"name", one.name}, {"reason", one.reason}}));
  }
  return json_object({{"campaign", report.campaign},
                      {"suite", report.suite},
                      {"tests", report.tests},
                      {"shards", report.shards},
                      {"done", report.done},
                      {"cells", std::move(cells)},
                      {"findings", std::move(findings)},
                      {"quarantined", std::move(quarantined)}});
}

}  // namespace weakspot::campaign
