// SPDX-License-Identifier: MIT
#include "store/campaign_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/sha256.h"

namespace weakspot::store {
namespace {

constexpr std::string_view kCampaignColumns = "id, name, document, paused, created";

StoredCampaign campaign_of_row(const Row& row) {
  return {{text_of(row[0]), text_of(row[1]), text_of(row[2])}, whole_of(row[3]) != 0, time_of(row[4])};
}

// A hash that tells two plans apart. Lengths come first, so that no two plans give the same text.
std::string hash_of_plan(const Campaign& campaign, std::span<const Shard> shards) {
  std::string text = fmt::format("{}:{}", campaign.document.size(), campaign.document);
  for (const Shard& shard : shards) {
    text += fmt::format(";{}:{},{}:{},{},{}:{}", shard.id.size(), shard.id, shard.device_class.size(),
                        shard.device_class, shard.seconds, shard.document.size(), shard.document);
  }
  return base::sha256_hex(text);
}

// One row of a statement keeps others from changing it until the transaction ends. SQLite locks the whole store.
std::string_view row_lock(const Database& database) { return database.engine() == Engine::sqlite ? "" : " FOR UPDATE"; }

// A shard as finish() and fail() meet it.
struct Held {
  std::int64_t position = 0;
  std::int64_t attempt = 0;
  std::int64_t failures = 0;
  std::string state;
  std::string agent;
  std::string device;

  // Whether this agent made the attempt, with this device. A shard that nobody claimed has attempt 0.
  bool is_of(const Attempt& asked, const std::string& by, const std::string& with) const {
    return attempt == asked.number && agent == by && (with.empty() || device == with);
  }
};

base::Result<std::optional<Held>> held_shard(Database& database, const Attempt& attempt) {
  const base::Result<std::vector<Row>> rows = database.query(
      fmt::format(
          "SELECT position, attempt, failures, state, agent, device FROM shards WHERE campaign = $1 AND id = $2{}",
          row_lock(database)),
      {attempt.campaign, attempt.shard});
  if (!rows) return rows.errors();
  if (rows->empty()) return std::optional<Held>();
  const Row& row = rows->at(0);
  return std::optional(
      Held{whole_of(row[0]), whole_of(row[1]), whole_of(row[2]), text_of(row[3]), text_of(row[4]), text_of(row[5])});
}

constexpr std::int64_t kFreeAtOnce = 0, kNone = 0;

base::Status insert_shards(Database& database, const std::string& campaign, std::span<const Shard> shards) {
  constexpr std::size_t kBatch = 1024;
  std::int64_t position = 0;
  for (std::size_t begin = 0; begin < shards.size(); begin += kBatch) {
    Parameters values;
    for (const Shard& shard : shards.subspan(begin, std::min(kBatch, shards.size() - begin))) {
      for (Parameter value : Parameters{campaign, position++, shard.id, shard.device_class, shard.seconds,
                                        shard.document, std::string("open"), kFreeAtOnce, kNone, kNone, kNone}) {
        values.push_back(std::move(value));
      }
    }
    const base::Status made = insert_rows(database,
                                          "shards (campaign, position, id, device_class, seconds, document, state, "
                                          "free_at, attempt, failures, expired)",
                                          11, values);
    if (!made) return made;
  }
  // Without figures the server expects few rows, and sorts many for each claim.
  return database.engine() == Engine::postgresql ? database.run_script("ANALYZE shards") : base::ok_status();
}

}  // namespace

std::string_view to_string(Finished finished) {
  switch (finished) {
    case Finished::stored:
      return "stored";
    case Finished::already_stored:
      return "already stored";
    case Finished::lease_lost:
      break;
  }
  return "lease lost";
}

base::Result<bool> CampaignStore::create(const Campaign& campaign, std::span<const Shard> shards, Time now) {
  const std::string plan = hash_of_plan(campaign, shards);
  return in_transaction(database_, [&]() -> base::Result<bool> {
    const base::Result<std::int64_t> made = database_.execute(
        "INSERT INTO campaigns (id, name, document, plan, paused, created) VALUES ($1, $2, $3, $4, 0, $5) "
        "ON CONFLICT (id) DO NOTHING",
        {campaign.id, campaign.name, campaign.document, plan, parameter_of(now)});
    if (!made) return made.errors();
    if (*made != 0) {
      if (base::Status inserted = insert_shards(database_, campaign.id, shards); !inserted) return inserted.errors();
      return true;
    }
    const base::Result<std::vector<Row>> known =
        database_.query("SELECT plan FROM campaigns WHERE id = $1", {campaign.id});
    if (!known) return known.errors();
    if (text_of(known->at(0).at(0)) == plan) return false;
    return base::error_in(database_.place(), fmt::format("campaign '{}' has another plan already", campaign.id));
  });
}

base::Result<std::vector<StoredCampaign>> CampaignStore::campaigns() {
  const base::Result<std::vector<Row>> rows =
      database_.query(fmt::format("SELECT {} FROM campaigns ORDER BY created, id", kCampaignColumns));
  if (!rows) return rows.errors();
  std::vector<StoredCampaign> campaigns;
  for (const Row& row : *rows) campaigns.push_back(campaign_of_row(row));
  return campaigns;
}

base::Result<StoredCampaign> CampaignStore::find(const std::string& id_or_name) {
  const base::Result<std::vector<Row>> rows = database_.query(
      fmt::format("SELECT {} FROM campaigns WHERE id = $1 OR name = $1 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END",
                  kCampaignColumns),
      {id_or_name});
  if (!rows) return rows.errors();
  if (rows->empty()) return base::error_in(database_.place(), fmt::format("no campaign '{}'", id_or_name));
  if (rows->size() > 1 && text_of(rows->at(0).at(0)) != id_or_name) {
    return base::error_in(database_.place(),
                          fmt::format("{} campaigns are named '{}': give an id", rows->size(), id_or_name));
  }
  return campaign_of_row(rows->at(0));
}

base::Result<std::vector<Finished>> CampaignStore::finish(const std::string& agent,
                                                          std::span<const FinishedShard> shards, Time now) {
  return in_transaction(database_, [&]() -> base::Result<std::vector<Finished>> {
    std::vector<Finished> answers;
    for (const FinishedShard& shard : shards) {
      base::Result<Finished> answer = finish_within(agent, shard, now);
      if (!answer) return answer.errors();
      answers.push_back(*answer);
    }
    return answers;
  });
}

base::Result<Finished> CampaignStore::finish(const std::string& agent, const FinishedShard& shard, Time now) {
  const base::Result<std::vector<Finished>> answers = finish(agent, std::span(&shard, 1), now);
  if (!answers) return answers.errors();
  return answers->at(0);
}

base::Result<Finished> CampaignStore::finish_within(const std::string& agent, const FinishedShard& shard, Time now) {
  const base::Result<std::optional<Held>> held = held_shard(database_, shard.attempt);
  if (!held) return held.errors();
  if (!*held || !(*held)->is_of(shard.attempt, agent, shard.device)) return Finished::lease_lost;
  if ((*held)->state == "done") return Finished::already_stored;
  if ((*held)->state != "leased") return Finished::lease_lost;

  std::int64_t number = 0;
  Added added;
  for (const Record& record : shard.records) {
    const base::Result<std::int64_t> id = records_.add_within(record, added);
    if (!id) return id.errors();
    const base::Result<std::int64_t> linked =
        database_.execute("INSERT INTO shard_records (campaign, position, number, record) VALUES ($1, $2, $3, $4)",
                          {shard.attempt.campaign, (*held)->position, number++, *id});
    if (!linked) return linked.errors();
  }
  const base::Result<std::int64_t> done = database_.execute(
      "UPDATE shards SET state = 'done', free_at = NULL, finished_at = $1, spent = $2 WHERE campaign = $3 AND position "
      "= "
      "$4",
      {parameter_of(now), shard.seconds, shard.attempt.campaign, (*held)->position});
  if (!done) return done.errors();
  const base::Result<std::int64_t> forgiven =
      database_.execute("DELETE FROM device_failures WHERE device = $1", {(*held)->device});
  if (!forgiven) return forgiven.errors();
  return Finished::stored;
}

base::Result<bool> CampaignStore::note_device_failure(const FailedShard& failed, std::int64_t position, Time now) {
  const base::Result<std::int64_t> noted = database_.execute(
      "INSERT INTO device_failures (device, campaign, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
      {failed.device, failed.attempt.campaign, position});
  if (!noted) return noted.errors();
  const base::Result<std::vector<Row>> count =
      database_.query("SELECT count(*) FROM device_failures WHERE device = $1", {failed.device});
  if (!count) return count.errors();
  if (whole_of(count->at(0).at(0)) < kMostFailures) return false;
  const base::Result<std::int64_t> quarantined = database_.execute(
      "INSERT INTO quarantined_devices (device, test, reason, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
      {failed.device, parameter_of(failed.test), failed.reason, parameter_of(now)});
  if (!quarantined) return quarantined.errors();
  return true;
}

base::Result<Failure> CampaignStore::fail(const FailedShard& failed, Time now) {
  return in_transaction(database_, [&]() -> base::Result<Failure> {
    const base::Result<std::optional<Held>> held = held_shard(database_, failed.attempt);
    if (!held) return held.errors();
    Failure failure;
    failure.lease_lost =
        !*held || (*held)->state != "leased" || !(*held)->is_of(failed.attempt, failed.agent, failed.device);
    if (failure.lease_lost) return failure;
    failure.shard_quarantined = (*held)->failures + 1 >= kMostFailures;
    // Free since now: shards that never failed are free since time 0 and come first.
    const base::Result<std::int64_t> done = database_.execute(
        "UPDATE shards SET state = $1, free_at = $2, failures = failures + 1, test = $3, reason = $4 WHERE campaign = "
        "$5 AND position = $6",
        {std::string(failure.shard_quarantined ? "quarantined" : "open"),
         failure.shard_quarantined ? Parameter() : parameter_of(now), parameter_of(failed.test), failed.reason,
         failed.attempt.campaign, (*held)->position});
    if (!done) return done.errors();
    if (failed.device.empty()) return failure;
    const base::Result<bool> quarantined = note_device_failure(failed, (*held)->position, now);
    if (!quarantined) return quarantined.errors();
    failure.device_quarantined = *quarantined;
    return failure;
  });
}

base::Status CampaignStore::set_paused(const std::string& campaign, bool paused) {
  const base::Result<std::int64_t> changed =
      database_.execute("UPDATE campaigns SET paused = $1 WHERE id = $2", {std::int64_t{paused ? 1 : 0}, campaign});
  if (!changed) return changed.errors();
  if (*changed == 0) return base::error_in(database_.place(), fmt::format("no campaign '{}'", campaign));
  return base::ok_status();
}

base::Status CampaignStore::pause(const std::string& campaign) { return set_paused(campaign, true); }
base::Status CampaignStore::resume(const std::string& campaign) { return set_paused(campaign, false); }

base::Status CampaignStore::pardon_shards(const std::string& campaign, Time now) {
  const base::Result<std::int64_t> changed = database_.execute(
      "UPDATE shards SET state = 'open', free_at = $1, failures = 0, expired = 0 WHERE campaign = $2 AND state = "
      "'quarantined'",
      {parameter_of(now), campaign});
  if (!changed) return changed.errors();
  return base::ok_status();
}

base::Status CampaignStore::pardon_device(const std::string& device) {
  return in_transaction(database_, [&]() -> base::Status {
    const base::Result<std::int64_t> failures =
        database_.execute("DELETE FROM device_failures WHERE device = $1", {device});
    if (!failures) return failures.errors();
    const base::Result<std::int64_t> freed =
        database_.execute("DELETE FROM quarantined_devices WHERE device = $1", {device});
    if (!freed) return freed.errors();
    if (*freed == 0) return base::error_in(database_.place(), fmt::format("device '{}' is not quarantined", device));
    return base::ok_status();
  });
}

}  // namespace weakspot::store
