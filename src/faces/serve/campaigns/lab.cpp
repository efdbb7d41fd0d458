// SPDX-License-Identifier: MIT
#include "serve/campaigns/lab.h"

#include "campaign/campaign_report.h"
#include "store/open_store.h"
#include "workbench/analyze.h"
#include "workbench/campaigns.h"

namespace weakspot::serve {
namespace {

class StoredLab final : public Lab {
 public:
  explicit StoredLab(std::string place) : place_(std::move(place)) {}

  base::Result<std::vector<store::CampaignStatus>> campaigns() override {
    const auto database = store::open_store(place_, store::Access::read);
    if (!database) return database.errors();
    const auto all = store::CampaignStore(**database).campaigns();
    if (!all) return all.errors();
    if (all->empty()) return std::vector<store::CampaignStatus>();
    return workbench::campaign_status(place_, "");
  }
  base::Result<store::CampaignStatus> campaign(const std::string& id) override {
    if (id.empty()) return base::error("a campaign has a name");
    base::Result<std::vector<store::CampaignStatus>> status = workbench::campaign_status(place_, id);
    if (!status) return status.errors();
    return std::move(status->front());
  }
  base::Result<std::string> report_page(const std::string& id) override {
    const base::Result<campaign::CampaignReport> report = workbench::report_campaign(place_, id);
    if (!report) return report.errors();
    return campaign::campaign_html(*report);
  }
  base::Result<std::string> analysis_page() override { return workbench::analysis_page({place_}); }
  base::Result<std::vector<store::StoredRecord>> runs(const store::RecordFilter& filter, std::int64_t after,
                                                      std::size_t most) override {
    const auto database = store::open_store(place_, store::Access::read);
    if (!database) return database.errors();
    return store::ResultStore(**database).page(filter, after, most);
  }

 private:
  std::string place_;
};

}  // namespace

std::unique_ptr<Lab> stored_lab(std::string place) { return std::make_unique<StoredLab>(std::move(place)); }

}  // namespace weakspot::serve
