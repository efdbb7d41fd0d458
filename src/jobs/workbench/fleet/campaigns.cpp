// SPDX-License-Identifier: MIT
#include "workbench/campaigns.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/source.h"
#include "campaign/record_json.h"
#include "gen/suites.h"
#include "store/open_store.h"
#include "workbench/environments.h"
#include "workbench/fleet/device_classes.h"
#include "workbench/inputs.h"

namespace weakspot::workbench {
namespace {

using campaign::CampaignPlan;
using store::CampaignStore;

constexpr std::uint64_t kMostShards = 10'000'000;

base::Result<std::vector<campaign::RunTest>> planned_tests(const std::vector<std::string>& names) {
  std::vector<campaign::RunTest> tests;
  base::Diagnostics errors;
  for (const std::string& name : names) {
    if (const gen::Suite* suite = base::exists(name) ? nullptr : gen::suite_named(name)) {
      for (litmus::LitmusTest& test : gen::tests_of(*suite)) tests.emplace_back(std::move(test));
      continue;
    }
    TestInputs inputs = load_tests({name});
    errors.insert(errors.end(), inputs.errors.begin(), inputs.errors.end());
    for (TestInput& input : inputs.tests) tests.emplace_back(std::move(input.test));
  }
  if (!errors.empty()) return errors;
  campaign::drop_duplicates(tests);
  if (tests.empty()) return base::error("there are no tests to run");
  return tests;
}

base::Result<campaign::DeviceClass> planned_class(const std::string& name, const std::vector<std::string>& asked) {
  const backend::DeviceInfo example = example_of(name);
  std::vector<std::string> names = asked.empty() ? std::vector<std::string>{"default"} : asked;
  std::replace(names.begin(), names.end(), std::string("default"), example.environment);
  base::Result<Environments> environments = load_environments(names, sweep_for(example));
  if (!environments) return environments.errors();
  return campaign::DeviceClass{name, *std::move(environments)};
}

std::vector<store::Shard> stored_shards(const CampaignPlan& plan) {
  const std::string id = plan.id();
  std::vector<store::Shard> shards;
  for (const campaign::Shard& shard : campaign::shards_of(plan)) {
    const double seconds = shard.instances != 0 ? 0 : shard.seconds * static_cast<double>(shard.seeds);
    shards.push_back({campaign::shard_id(id, shard), shard.device_class, seconds, campaign::to_json(shard)});
  }
  return shards;
}

// Opens the store and finds the campaign; `work` gets both.
template <typename Work>
auto with_campaign(const std::string& place, const std::string& word, store::Access access, Work work)
    -> std::invoke_result_t<Work&, store::Database&, const store::StoredCampaign&> {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, access);
  if (!database) return database.errors();
  CampaignStore campaigns(**database);
  const base::Result<store::StoredCampaign> found = find_campaign(campaigns, word);
  if (!found) return found.errors();
  return work(**database, *found);
}

base::Result<campaign::ShardResult> merged_form(const store::ShardResult& stored) {
  campaign::ShardResult result{stored.shard, static_cast<std::uint64_t>(stored.attempt), {}};
  for (const store::StoredRecord& one : stored.records) {
    base::Result<campaign::RunRecord> record = campaign::record_from_json(one.record.document);
    if (!record) return record.errors();
    result.records.push_back(*std::move(record));
  }
  return result;
}

base::Status add_quarantined(CampaignStore& campaigns, const std::string& id, campaign::CampaignMerge& merge) {
  const auto shards = campaigns.quarantined_shards(id);
  if (!shards) return shards.errors();
  for (const store::QuarantinedShard& one : *shards) {
    merge.add(campaign::Quarantined{"test", one.test, one.reason});
  }
  const auto devices = campaigns.quarantined_devices();
  if (!devices) return devices.errors();
  for (const store::QuarantinedDevice& one : *devices) {
    merge.add(campaign::Quarantined{"device", one.device, fmt::format("{} ({})", one.reason, one.test)});
  }
  return base::ok_status();
}

}  // namespace

base::Result<CampaignPlan> plan_campaign(const PlanRequest& request) {
  CampaignPlan plan;
  for (const std::string& name : request.tests) plan.suite += (plan.suite.empty() ? "" : " ") + name;
  base::Result<std::vector<campaign::RunTest>> tests = planned_tests(request.tests);
  if (!tests) return tests.errors();
  plan.tests = *std::move(tests);
  for (const std::string& name : request.classes) {
    base::Result<campaign::DeviceClass> device_class = planned_class(name, request.environments);
    if (!device_class) return device_class.errors();
    plan.classes.push_back(*std::move(device_class));
  }
  plan.seconds = request.instances != 0 ? 0 : request.seconds;
  plan.instances = request.instances;
  plan.first_seed = request.first_seed;
  plan.seeds = request.seeds;
  plan.seeds_per_shard = std::min(request.seeds_per_shard, request.seeds);
  plan.model = request.model;
  plan.memory = request.memory;
  if (const std::uint64_t shards = campaign::count_shards(plan); shards > kMostShards) {
    return base::error(fmt::format("the campaign has {} shards, and {} is the most; more seeds per shard make fewer",
                                   shards, kMostShards));
  }
  return plan;
}

base::Result<bool> create_campaign(const std::string& place, const std::string& name, const CampaignPlan& plan) {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::create);
  if (!database) return database.errors();
  const base::Result<store::Time> now = (*database)->now();
  if (!now) return now.errors();
  return CampaignStore(**database).create({plan.id(), name, campaign::to_json(plan)}, stored_shards(plan), *now);
}

base::Result<store::StoredCampaign> find_campaign(CampaignStore& campaigns, const std::string& word) {
  if (!word.empty()) return campaigns.find(word);
  const base::Result<std::vector<store::StoredCampaign>> all = campaigns.campaigns();
  if (!all) return all.errors();
  if (all->size() == 1) return all->front();
  if (all->empty()) return base::error("the store has no campaign; 'weakspot campaign init' makes one");
  std::string list;
  for (const store::StoredCampaign& one : *all) {
    list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", one.campaign.id, one.campaign.name);
  }
  return base::error(fmt::format("the store has several campaigns, name one of them: {}", list));
}

base::Result<std::vector<store::CampaignStatus>> campaign_status(const std::string& place, const std::string& word) {
  const base::Result<std::unique_ptr<store::Database>> database = store::open_store(place, store::Access::read);
  if (!database) return database.errors();
  CampaignStore campaigns(**database);
  std::vector<store::StoredCampaign> chosen;
  if (word.empty()) {
    base::Result<std::vector<store::StoredCampaign>> all = campaigns.campaigns();
    if (!all) return all.errors();
    chosen = *std::move(all);
  }
  if (chosen.empty()) {
    base::Result<store::StoredCampaign> found = find_campaign(campaigns, word);
    if (!found) return found.errors();
    chosen.push_back(*std::move(found));
  }
  const base::Result<store::Time> now = (*database)->now();
  if (!now) return now.errors();
  std::vector<store::CampaignStatus> statuses;
  for (const store::StoredCampaign& one : chosen) {
    base::Result<store::CampaignStatus> status = campaigns.status(one.campaign.id, *now);
    if (!status) return status.errors();
    statuses.push_back(*std::move(status));
  }
  return statuses;
}

base::JsonValue status_json(const store::CampaignStatus& status) {
  base::JsonValue classes = base::json_array();
  for (const store::ClassStatus& one : status.classes) {
    const std::optional<double> left = one.time_left();
    classes.push_back(base::json_object({{"device_class", one.device_class},
                                         {"done", one.done},
                                         {"running", one.running},
                                         {"left", one.left},
                                         {"quarantined", one.quarantined},
                                         {"seconds_done", one.seconds_done},
                                         {"seconds_left", one.seconds_left},
                                         {"rate", one.rate},
                                         {"time_left", left ? base::JsonValue(*left) : base::JsonValue()}}));
  }
  return base::json_object({{"campaign", status.campaign.campaign.id},
                            {"name", status.campaign.campaign.name},
                            {"paused", status.campaign.paused},
                            {"over", status.over()},
                            {"classes", std::move(classes)}});
}

base::Result<std::string> pause_campaign(const std::string& place, const std::string& word, bool paused) {
  return with_campaign(
      place, word, store::Access::write,
      [paused](store::Database& database, const store::StoredCampaign& found) -> base::Result<std::string> {
        CampaignStore campaigns(database);
        const base::Status done = paused ? campaigns.pause(found.campaign.id) : campaigns.resume(found.campaign.id);
        if (!done) return done.errors();
        return found.campaign.id;
      });
}

base::Result<std::string> pardon_campaign(const std::string& place, const std::string& word,
                                          const std::string& device) {
  return with_campaign(place, word, store::Access::write,
                       [&](store::Database& database, const store::StoredCampaign& found) -> base::Result<std::string> {
                         const base::Result<store::Time> now = database.now();
                         if (!now) return now.errors();
                         CampaignStore campaigns(database);
                         const base::Status done = device.empty() ? campaigns.pardon_shards(found.campaign.id, *now)
                                                                  : campaigns.pardon_device(device);
                         if (!done) return done.errors();
                         return found.campaign.id;
                       });
}

base::Result<campaign::CampaignReport> report_campaign(const std::string& place, const std::string& word) {
  return with_campaign(
      place, word, store::Access::read,
      [](store::Database& database, const store::StoredCampaign& found) -> base::Result<campaign::CampaignReport> {
        const std::string& id = found.campaign.id;
        const base::Result<CampaignPlan> plan =
            campaign::plan_from_json(base::Source("the plan of " + id, found.campaign.document));
        if (!plan) return plan.errors();
        CampaignStore campaigns(database);
        campaign::CampaignMerge merge(*plan);
        const base::Status visited = campaigns.visit_results(id, [&](const store::ShardResult& stored) -> base::Status {
          base::Result<campaign::ShardResult> result = merged_form(stored);
          if (!result) return result.errors();
          merge.add(*std::move(result));
          return base::ok_status();
        });
        if (!visited) return visited.errors();
        if (const base::Status added = add_quarantined(campaigns, id, merge); !added) return added.errors();
        campaign::CampaignReport report = merge.report();
        report.name = found.campaign.name;
        return report;
      });
}

base::Result<std::size_t> export_campaign(const std::string& place, const std::string& word,
                                          const std::function<void(const std::string& line)>& line) {
  return with_campaign(place, word, store::Access::read,
                       [&](store::Database& database, const store::StoredCampaign& found) -> base::Result<std::size_t> {
                         std::size_t count = 0;
                         CampaignStore campaigns(database);
                         const base::Status visited =
                             campaigns.visit_results(found.campaign.id, [&](const store::ShardResult& result) {
                               for (const store::StoredRecord& one : result.records) {
                                 line(one.record.document);
                                 ++count;
                               }
                               return base::ok_status();
                             });
                         if (!visited) return visited.errors();
                         return count;
                       });
}

}  // namespace weakspot::workbench
