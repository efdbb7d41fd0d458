// SPDX-License-Identifier: MIT
// A server's view of the campaigns of a store. Any thread may ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/campaign_store.h"
#include "store/result_store.h"

namespace weakspot::serve {

class Lab {
 public:
  virtual ~Lab() = default;

  // All campaigns, in the order of their creation.
  virtual base::Result<std::vector<store::CampaignStatus>> campaigns() = 0;
  // An error of another kind than `environment` means that there is none of this id or name.
  virtual base::Result<store::CampaignStatus> campaign(const std::string& id) = 0;
  // The report of a campaign as a page.
  virtual base::Result<std::string> report_page(const std::string& id) = 0;
  // Figures of all runs of the store as a page: rates by device, similarity, clusters.
  virtual base::Result<std::string> analysis_page() = 0;
  // At most `most` runs whose id is above `after`, in the order in which they were stored.
  virtual base::Result<std::vector<store::StoredRecord>> runs(const store::RecordFilter& filter, std::int64_t after,
                                                              std::size_t most) = 0;
};

// Opens the store for each question: nothing is held open, and a server of PostgreSQL may be restarted.
std::unique_ptr<Lab> stored_lab(std::string place);

}  // namespace weakspot::serve
