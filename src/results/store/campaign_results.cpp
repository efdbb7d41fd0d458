// SPDX-License-Identifier: MIT
// How far a campaign is, and its results.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "store/campaign_store.h"

namespace weakspot::store {
namespace {

constexpr Duration kRateWindow{300'000};

// Adds the numbers of shards in one state.
void add_state(ClassStatus& status, const std::string& state, std::int64_t shards, double seconds) {
  if (state == "done") {
    status.done += shards;
    status.seconds_done += seconds;
  } else if (state == "quarantined") {
    status.quarantined += shards;
  } else {
    (state == "running" ? status.running : status.left) += shards;
    status.seconds_left += seconds;
  }
}

}  // namespace

std::optional<double> ClassStatus::time_left() const {
  if (seconds_left <= 0) return 0;
  if (rate <= 0) return std::nullopt;
  return seconds_left / rate;
}

bool CampaignStatus::over() const {
  return std::all_of(classes.begin(), classes.end(), [](const ClassStatus& c) { return c.running + c.left == 0; });
}

base::Result<CampaignStatus> CampaignStore::status(const std::string& campaign, Time now) {
  const base::Result<StoredCampaign> found = find(campaign);
  if (!found) return found.errors();
  const std::string& id = found->campaign.id;
  const base::Result<std::vector<Row>> states = database_.query(
      "SELECT device_class, CASE WHEN state <> 'leased' THEN state WHEN free_at > $2 THEN 'running' ELSE 'open' END, "
      "count(*), sum(seconds), min(claimed_at) FROM shards WHERE campaign = $1 GROUP BY 1, 2 ORDER BY 1, 2",
      {id, parameter_of(now)});
  if (!states) return states.errors();
  const base::Result<std::vector<Row>> lately = database_.query(
      "SELECT device_class, sum(seconds) FROM shards WHERE campaign = $1 AND finished_at > $2 GROUP BY 1",
      {id, parameter_of(now - kRateWindow)});
  if (!lately) return lately.errors();

  std::map<std::string, ClassStatus> classes;
  std::map<std::string, Time> begun;
  for (const Row& row : *states) {
    const std::string name = text_of(row[0]);
    add_state(classes[name], text_of(row[1]), whole_of(row[2]), real_of(row[3]));
    if (!row[4]) continue;
    const auto [first, is_new] = begun.emplace(name, time_of(row[4]));
    if (!is_new) first->second = std::min(first->second, time_of(row[4]));
  }
  for (const Row& row : *lately) {
    const std::string name = text_of(row[0]);
    const Duration window = std::min(kRateWindow, now - begun[name]);
    if (window.count() > 0) classes[name].rate = real_of(row[1]) * 1000 / static_cast<double>(window.count());
  }
  CampaignStatus status{*found, {}};
  for (auto& [name, numbers] : classes) {
    numbers.device_class = name;
    status.classes.push_back(numbers);
  }
  return status;
}

base::Result<std::vector<QuarantinedShard>> CampaignStore::quarantined_shards(const std::string& campaign) {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT id, test, reason FROM shards WHERE campaign = $1 AND state = 'quarantined' ORDER BY position",
      {campaign});
  if (!rows) return rows.errors();
  std::vector<QuarantinedShard> shards;
  for (const Row& row : *rows) shards.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2])});
  return shards;
}

base::Result<std::vector<QuarantinedDevice>> CampaignStore::quarantined_devices() {
  const base::Result<std::vector<Row>> rows =
      database_.query("SELECT device, test, reason, since FROM quarantined_devices ORDER BY since, device");
  if (!rows) return rows.errors();
  std::vector<QuarantinedDevice> devices;
  for (const Row& row : *rows) {
    devices.push_back({text_of(row[0]), text_of(row[1]), text_of(row[2]), time_of(row[3])});
  }
  return devices;
}

base::Status CampaignStore::visit_results(const std::string& campaign,
                                          const std::function<base::Status(const ShardResult&)>& visit) {
  constexpr std::size_t kPage = 256;
  for (std::int64_t after = -1;;) {
    const base::Result<std::vector<Row>> rows = database_.query(
        "SELECT position, id, attempt, agent, device, spent FROM shards WHERE campaign = $1 AND state = 'done' AND "
        "position > $2 ORDER BY position LIMIT $3",
        {campaign, after, static_cast<std::int64_t>(kPage)});
    if (!rows) return rows.errors();
    for (const Row& row : *rows) {
      after = whole_of(row[0]);
      ShardResult result{text_of(row[1]), after, whole_of(row[2]), text_of(row[3]), text_of(row[4]),
                         real_of(row[5]), {}};
      base::Result<std::vector<StoredRecord>> records = records_.of_shard(campaign, after);
      if (!records) return records.errors();
      result.records = *std::move(records);
      if (base::Status fine = visit(result); !fine) return fine;
    }
    if (rows->size() < kPage) return base::ok_status();
  }
}

}  // namespace weakspot::store
