// SPDX-License-Identifier: MIT
#include "store/maintain.h"

#include <fmt/format.h>

#include "base/sha256.h"
#include "store/campaign_store.h"

namespace weakspot::store {
namespace {

void count_one(Added& added, bool is_new) { ++(is_new ? added.added : added.known); }

base::Status merge_records(Database& from, ResultStore& into, Added& added) {
  std::vector<Record> batch;
  const auto flush = [&]() -> base::Status {
    const base::Result<Added> done = into.add(batch);
    if (!done) return done.errors();
    added += *done;
    batch.clear();
    return base::ok_status();
  };
  const base::Status read = ResultStore(from).visit({}, [&](const StoredRecord& record) -> base::Status {
    constexpr std::size_t kBatch = 256;
    batch.push_back(record.record);
    return batch.size() < kBatch ? base::ok_status() : flush();
  });
  return read ? flush() : read;
}

base::Result<std::vector<Shard>> plan_of(Database& database, const std::string& campaign) {
  const base::Result<std::vector<Row>> rows = database.query(
      "SELECT id, device_class, seconds, document FROM shards WHERE campaign = $1 ORDER BY position", {campaign});
  if (!rows) return rows.errors();
  std::vector<Shard> shards;
  for (const Row& row : *rows) {
    shards.push_back({text_of(row[0]), text_of(row[1]), real_of(row[2]), text_of(row[3])});
  }
  return shards;
}

// Makes the result of another store the shard's own, unless it is done already. An attempt that is running has lost
// its lease then.
base::Result<bool> adopt_result(Database& into, ResultStore& records, const std::string& campaign,
                                const ShardResult& result, Time now) {
  return in_transaction(into, [&]() -> base::Result<bool> {
    const base::Result<std::int64_t> changed = into.execute(
        "UPDATE shards SET state = 'done', free_at = NULL, attempt = CASE WHEN attempt > $1 THEN attempt + 1 ELSE $1 "
        "END, agent = $2, device = $3, spent = $4, finished_at = $5 WHERE campaign = $6 AND position = $7 AND state <> "
        "'done'",
        {result.attempt, parameter_of(result.agent), parameter_of(result.device), result.seconds, parameter_of(now),
         campaign, result.position});
    if (!changed) return changed.errors();
    if (*changed == 0) return false;
    std::int64_t number = 0;
    Added added;
    for (const StoredRecord& record : result.records) {
      const base::Result<std::int64_t> id = records.add_within(record.record, added);
      if (!id) return id.errors();
      const base::Result<std::int64_t> linked =
          into.execute("INSERT INTO shard_records (campaign, position, number, record) VALUES ($1, $2, $3, $4)",
                       {campaign, result.position, number++, *id});
      if (!linked) return linked.errors();
    }
    return true;
  });
}

base::Status merge_campaigns(Database& from, Database& into, Merged& merged) {
  CampaignStore theirs(from), ours(into);
  ResultStore records(into);
  const base::Result<std::vector<StoredCampaign>> campaigns = theirs.campaigns();
  if (!campaigns) return campaigns.errors();
  const base::Result<Time> now = into.now();
  if (!now) return now.errors();
  for (const StoredCampaign& campaign : *campaigns) {
    const base::Result<std::vector<Shard>> plan = plan_of(from, campaign.campaign.id);
    if (!plan) return plan.errors();
    const base::Result<bool> made = ours.create(campaign.campaign, *plan, campaign.created);
    if (!made) return made.errors();
    count_one(merged.campaigns, *made);
    const base::Status read =
        theirs.visit_results(campaign.campaign.id, [&](const ShardResult& result) -> base::Status {
          const base::Result<bool> adopted = adopt_result(into, records, campaign.campaign.id, result, *now);
          if (!adopted) return adopted.errors();
          count_one(merged.shard_results, *adopted);
          return base::ok_status();
        });
    if (!read) return read;
  }
  return base::ok_status();
}

constexpr std::string_view kSubmissionColumns =
    "id, hash, token_hash, state, vendor, architecture, device, received, document";
constexpr std::string_view kSubmissionRowColumns =
    "submission, number, test, test_hash, environment, instances, sequential, interleaved, weak, forbidden, unknown, "
    "seconds";

Parameters whole_row(const Row& row) {
  Parameters parameters;
  for (const std::optional<std::string>& field : row) {
    parameters.push_back(field ? Parameter(*field) : Parameter());
  }
  return parameters;
}

base::Result<bool> adopt_submission(Database& from, Database& into, const Row& submission) {
  return in_transaction(into, [&]() -> base::Result<bool> {
    const base::Result<std::vector<Row>> deleted =
        into.query("SELECT id FROM deleted_submissions WHERE id = $1", {text_of(submission[0])});
    if (!deleted) return deleted.errors();
    if (!deleted->empty()) return false;
    const base::Result<std::int64_t> made = into.execute(
        fmt::format("INSERT INTO submissions ({}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
                    kSubmissionColumns),
        whole_row(submission));
    if (!made) return made.errors();
    if (*made == 0) return false;
    const base::Result<std::vector<Row>> rows =
        from.query(fmt::format("SELECT {} FROM submission_rows WHERE submission = $1", kSubmissionRowColumns),
                   {text_of(submission[0])});
    if (!rows) return rows.errors();
    for (const Row& row : *rows) {
      const base::Result<std::int64_t> copied = into.execute(
          fmt::format("INSERT INTO submission_rows ({}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
                      kSubmissionRowColumns),
          whole_row(row));
      if (!copied) return copied.errors();
    }
    return true;
  });
}

// One that was deleted from either store is deleted from both.
base::Status merge_deleted(Database& from, Database& into) {
  const base::Result<std::vector<Row>> deleted = from.query("SELECT id FROM deleted_submissions");
  if (!deleted) return deleted.errors();
  for (const Row& row : *deleted) {
    const base::Status done = in_transaction(into, [&]() -> base::Status {
      const auto noted =
          into.execute("INSERT INTO deleted_submissions (id) VALUES ($1) ON CONFLICT DO NOTHING", {text_of(row[0])});
      if (!noted) return noted.errors();
      const auto gone = into.execute("DELETE FROM submissions WHERE id = $1", {text_of(row[0])});
      return gone ? base::ok_status() : base::Status(gone.errors());
    });
    if (!done) return done;
  }
  return base::ok_status();
}

base::Status merge_submissions(Database& from, Database& into, Added& added) {
  if (base::Status deleted = merge_deleted(from, into); !deleted) return deleted;
  constexpr std::size_t kPage = 256;
  for (std::string after;;) {
    const base::Result<std::vector<Row>> rows = from.query(
        fmt::format("SELECT {} FROM submissions WHERE id > $1 ORDER BY id LIMIT {}", kSubmissionColumns, kPage),
        {after});
    if (!rows) return rows.errors();
    for (const Row& row : *rows) {
      const base::Result<bool> adopted = adopt_submission(from, into, row);
      if (!adopted) return adopted.errors();
      count_one(added, *adopted);
      after = text_of(row[0]);
    }
    if (rows->size() < kPage) return base::ok_status();
  }
}

// Rows that refer to nothing, which foreign keys should have kept out.
struct Reference {
  std::string_view what;
  std::string_view query;
};
constexpr Reference kOrphans[] = {
    {"shards without a campaign",
     "SELECT count(*) FROM shards s LEFT JOIN campaigns c ON c.id = s.campaign WHERE c.id IS NULL"},
    {"results of shards without a record",
     "SELECT count(*) FROM shard_records s LEFT JOIN records r ON r.id = s.record WHERE r.id IS NULL"},
    {"results without a shard",
     "SELECT count(*) FROM shard_records s LEFT JOIN shards h ON h.campaign = s.campaign AND h.position = s.position "
     "WHERE h.id IS NULL"},
    {"results of shards that are not done",
     "SELECT count(*) FROM shard_records s JOIN shards h ON h.campaign = s.campaign AND h.position = s.position WHERE "
     "h.state <> 'done'"},
    {"rows without a submission",
     "SELECT count(*) FROM submission_rows r LEFT JOIN submissions s ON s.id = r.submission WHERE s.id IS NULL"},
};

base::Status check_references(Database& database, std::vector<std::string>& problems) {
  for (const Reference& reference : kOrphans) {
    const base::Result<std::vector<Row>> rows = database.query(reference.query);
    if (!rows) return rows.errors();
    const std::int64_t count = whole_of(rows->at(0).at(0));
    if (count != 0) problems.push_back(fmt::format("{} {}", count, reference.what));
  }
  return base::ok_status();
}

base::Status check_submissions(Database& database, Verified& verified) {
  constexpr std::size_t kPage = 256;
  for (std::string after;;) {
    const base::Result<std::vector<Row>> rows = database.query(
        fmt::format("SELECT id, hash, document FROM submissions WHERE id > $1 ORDER BY id LIMIT {}", kPage), {after});
    if (!rows) return rows.errors();
    for (const Row& row : *rows) {
      ++verified.submissions;
      after = text_of(row[0]);
      if (base::sha256_hex(text_of(row[2])) != text_of(row[1])) {
        verified.problems.push_back(fmt::format("submission {}: the document does not have its hash", after));
      }
    }
    if (rows->size() < kPage) return base::ok_status();
  }
}

}  // namespace

base::Result<Merged> merge_store(Database& from, Database& into) {
  Merged merged;
  ResultStore records(into);
  if (base::Status done = merge_records(from, records, merged.records); !done) return done.errors();
  if (base::Status done = merge_campaigns(from, into, merged); !done) return done.errors();
  if (base::Status done = merge_submissions(from, into, merged.submissions); !done) return done.errors();
  return merged;
}

base::Result<Verified> verify_store(Database& database) {
  Verified verified;
  base::Result<std::vector<std::string>> problems = database.check_integrity();
  if (!problems) return problems.errors();
  verified.problems = *std::move(problems);
  const base::Status read = ResultStore(database).visit({}, [&](const StoredRecord& record) {
    ++verified.records;
    if (content_hash(record.record.document) != record.hash) {
      verified.problems.push_back(
          fmt::format("record {}: the document does not have the hash {}", record.id, record.hash));
    }
    return base::ok_status();
  });
  if (!read) return read.errors();
  if (base::Status done = check_submissions(database, verified); !done) return done.errors();
  if (base::Status done = check_references(database, verified.problems); !done) return done.errors();
  return verified;
}

}  // namespace weakspot::store
