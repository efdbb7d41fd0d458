// SPDX-License-Identifier: MIT
#include "workbench/work_source.h"

#include <algorithm>
#include <mutex>

#include "base/source.h"
#include "store/open_store.h"

namespace weakspot::workbench {
namespace {

using store::CampaignStore;

bool has_work(const store::CampaignStatus& status, std::span<const std::string> classes) {
  return std::any_of(status.classes.begin(), status.classes.end(), [&](const store::ClassStatus& one) {
    const bool ours = std::find(classes.begin(), classes.end(), one.device_class) != classes.end();
    return ours && one.left + one.running != 0;
  });
}

class StoreSource final : public WorkSource {
 public:
  StoreSource(std::string place, std::unique_ptr<store::Database> database)
      : place_(std::move(place)), database_(std::move(database)) {}

  base::Result<campaign::CampaignPlan> plan(const std::string& campaign) override {
    const auto found = call([&](CampaignStore& campaigns, store::Time) { return campaigns.find(campaign); });
    if (!found) return found.errors();
    return campaign::plan_from_json(base::Source("the plan of " + campaign, found->campaign.document));
  }
  base::Result<store::Claims> claim(const store::ClaimRequest& request) override {
    return call([&](CampaignStore& campaigns, store::Time now) { return campaigns.claim(request, now); });
  }
  base::Result<std::vector<store::Attempt>> extend(const std::string& agent, std::span<const store::Attempt> attempts,
                                                   store::Duration lease) override {
    return call(
        [&](CampaignStore& campaigns, store::Time now) { return campaigns.extend(agent, attempts, lease, now); });
  }
  base::Result<std::vector<store::Finished>> finish(const std::string& agent,
                                                    std::span<const store::FinishedShard> shards) override {
    return call([&](CampaignStore& campaigns, store::Time now) { return campaigns.finish(agent, shards, now); });
  }
  base::Result<store::Failure> fail(const store::FailedShard& failed) override {
    return call([&](CampaignStore& campaigns, store::Time now) { return campaigns.fail(failed, now); });
  }
  base::Status release(const std::string& agent, std::span<const store::Attempt> attempts) override {
    return call([&](CampaignStore& campaigns, store::Time now) { return campaigns.release(agent, attempts, now); });
  }
  base::Result<bool> is_over(const std::string& campaign, std::span<const std::string> classes) override {
    return call([&](CampaignStore& campaigns, store::Time now) { return is_over(campaigns, campaign, classes, now); });
  }

 private:
  static base::Result<bool> is_over(CampaignStore& campaigns, const std::string& campaign,
                                    std::span<const std::string> classes, store::Time now) {
    std::vector<std::string> ids;
    if (campaign.empty()) {
      const auto all = campaigns.campaigns();
      if (!all) return all.errors();
      // A paused one hands out nothing: only an agent that was asked to work for it waits for its resumption.
      for (const store::StoredCampaign& one : *all) {
        if (!one.paused) ids.push_back(one.campaign.id);
      }
    } else {
      ids.push_back(campaign);
    }
    for (const std::string& id : ids) {
      const auto status = campaigns.status(id, now);
      if (!status) return status.errors();
      if (has_work(*status, classes)) return false;
    }
    return true;
  }

  template <typename Work>
  std::invoke_result_t<Work&, CampaignStore&, store::Time> call(Work work) {
    const std::lock_guard lock(mutex_);
    if (database_ == nullptr) {
      base::Result<std::unique_ptr<store::Database>> opened = store::open_store(place_, store::Access::write);
      if (!opened) return opened.errors();
      database_ = *std::move(opened);
    }
    const base::Result<store::Time> now = database_->now();
    CampaignStore campaigns(*database_);
    std::invoke_result_t<Work&, CampaignStore&, store::Time> result(base::Diagnostics{base::error("not asked")});
    result = now ? work(campaigns, *now) : now.errors();
    const bool lost = !result && base::kind_of(result.errors()) == base::ErrorKind::environment;
    if (lost && database_->engine() == store::Engine::postgresql) database_.reset();
    return result;
  }

  std::mutex mutex_;
  std::string place_;
  std::unique_ptr<store::Database> database_;
};

}  // namespace

base::Result<std::unique_ptr<WorkSource>> store_source(const std::string& place) {
  base::Result<std::unique_ptr<store::Database>> opened = store::open_store(place, store::Access::write);
  if (!opened) return opened.errors();
  return std::unique_ptr<WorkSource>(std::make_unique<StoreSource>(place, *std::move(opened)));
}

}  // namespace weakspot::workbench
