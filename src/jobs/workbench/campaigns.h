// SPDX-License-Identifier: MIT
// Campaigns in a store: planned, watched, paused, reported. Agents run them (agent.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/campaign_plan.h"
#include "campaign/campaign_report.h"
#include "json/json.h"
#include "store/campaign_store.h"

namespace weakspot::workbench {

struct PlanRequest {
  std::vector<std::string> tests;         // generated suites by name, or as for_each_test() takes them
  std::vector<std::string> classes;       // of devices
  std::vector<std::string> environments;  // as load_environments() takes them, or "default"; empty: default
  double seconds = 1;                     // per run
  std::uint64_t instances = 0;            // per run, instead of seconds; 0: seconds
  std::uint64_t seeds = 1;                // runs of each test, environment and class
  std::uint64_t seeds_per_shard = 1;
  std::uint64_t first_seed = 1;
  std::string model;
  std::uint64_t memory = 0;
};
base::Result<campaign::CampaignPlan> plan_campaign(const PlanRequest& request);

// False if the store has this campaign already. A missing store is made.
base::Result<bool> create_campaign(const std::string& place, const std::string& name,
                                   const campaign::CampaignPlan& plan);

// A campaign of a store by id or name. An empty word means the only one there is.
base::Result<store::StoredCampaign> find_campaign(store::CampaignStore& campaigns, const std::string& word);

// The progress of the named campaign; of all campaigns if the word is empty.
base::Result<std::vector<store::CampaignStatus>> campaign_status(const std::string& place, const std::string& word);
// The output of 'campaign status --json'.
base::JsonValue status_json(const store::CampaignStatus& status);
// Gives the campaign's id.
base::Result<std::string> pause_campaign(const std::string& place, const std::string& word, bool paused);

// Lets the quarantined shards of a campaign be tried again, and a device that is named as agents name it.
base::Result<std::string> pardon_campaign(const std::string& place, const std::string& word, const std::string& device);

base::Result<campaign::CampaignReport> report_campaign(const std::string& place, const std::string& word);
// Calls `line` for each run record, as JSON, in the order of the plan. Gives their number.
base::Result<std::size_t> export_campaign(const std::string& place, const std::string& word,
                                          const std::function<void(const std::string& line)>& line);

}  // namespace weakspot::workbench
