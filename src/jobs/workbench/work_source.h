// SPDX-License-Identifier: MIT
// The source of an agent's work and the sink of its results: a store, or a server in front of one. Every call may be
// repeated after an error (store/campaign_store.h says why that is safe), and any thread may call.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/campaign_plan.h"
#include "store/campaign_store.h"

namespace weakspot::workbench {

class WorkSource {
 public:
  virtual ~WorkSource() = default;

  virtual base::Result<campaign::CampaignPlan> plan(const std::string& campaign) = 0;
  virtual base::Result<store::Claims> claim(const store::ClaimRequest& request) = 0;
  // Gives the attempts whose lease is lost.
  virtual base::Result<std::vector<store::Attempt>> extend(const std::string& agent,
                                                           std::span<const store::Attempt> attempts,
                                                           store::Duration lease) = 0;
  // Durable when it returns.
  virtual base::Result<std::vector<store::Finished>> finish(const std::string& agent,
                                                            std::span<const store::FinishedShard> shards) = 0;
  virtual base::Result<store::Failure> fail(const store::FailedShard& failed) = 0;
  virtual base::Status release(const std::string& agent, std::span<const store::Attempt> attempts) = 0;
  // Whether no shard of these classes is left or running in the campaign; if it is empty, in all campaigns that are not
  // paused.
  virtual base::Result<bool> is_over(const std::string& campaign, std::span<const std::string> classes) = 0;
};

// Opens the store. A lost connection to a server is opened again by the next call.
base::Result<std::unique_ptr<WorkSource>> store_source(const std::string& place);

}  // namespace weakspot::workbench
