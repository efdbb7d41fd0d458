// SPDX-License-Identifier: MIT
// How shards are claimed, kept and given back.
#include <fmt/format.h>

#include <algorithm>

#include "store/campaign_store.h"

namespace weakspot::store {
namespace {

// A shard whose lease has expired so often is handed out alone: an agent that dies holds many shards, and only one of
// them can be the reason.
constexpr std::int64_t kSuspect = 2;

enum class Suspects : std::uint8_t { without, only };

// Equality on the first two columns of the index and its order on the others: few rows are read, however many there
// are. The rows are chosen before any is changed, and PostgreSQL passes over those that another agent is about to take.
std::string claim_statement(Engine engine, Suspects suspects) {
  return fmt::format(
      "WITH next AS MATERIALIZED (SELECT position FROM shards WHERE campaign = $1 AND device_class = $2 AND free_at <= "
      "$3 AND expired {} {} ORDER BY free_at, position LIMIT $4{}) "
      "UPDATE shards SET attempt = attempt + 1, expired = expired + CASE state WHEN 'leased' THEN 1 ELSE 0 END, "
      "state = 'leased', free_at = $5, agent = $6, device = $7, claimed_at = $3 "
      "FROM next WHERE shards.campaign = $1 AND shards.position = next.position "
      "RETURNING shards.position, id, attempt, seconds, document, expired",
      suspects == Suspects::only ? ">=" : "<", kSuspect, engine == Engine::sqlite ? "" : " FOR UPDATE SKIP LOCKED");
}

struct Found {
  std::int64_t position = 0;
  Claim claim;
};

}  // namespace

base::Result<std::vector<Claim>> CampaignStore::claim_of(const std::string& campaign, const std::string& device_class,
                                                         const ClaimRequest& request, std::size_t most, Time now) {
  static const std::string kStatements[2][2] = {
      {claim_statement(Engine::sqlite, Suspects::without), claim_statement(Engine::sqlite, Suspects::only)},
      {claim_statement(Engine::postgresql, Suspects::without), claim_statement(Engine::postgresql, Suspects::only)}};
  const auto& statements = kStatements[database_.engine() == Engine::sqlite ? 0 : 1];
  const Time deadline = now + request.lease;
  const auto select = [&](const std::string& statement, std::size_t limit) {
    return database_.query(statement, {campaign, device_class, parameter_of(now), static_cast<std::int64_t>(limit),
                                       parameter_of(deadline), request.agent, request.device});
  };
  base::Result<std::vector<Row>> rows = select(statements[0], most);
  // Suspects that have had their chances are put aside until one is found that has not.
  while (rows && rows->empty()) {
    rows = select(statements[1], 1);
    if (!rows || rows->empty() || whole_of(rows->at(0)[5]) < kMostExpired) break;
    const base::Result<std::int64_t> done = database_.execute(
        "UPDATE shards SET state = 'quarantined', free_at = NULL, reason = $1 WHERE campaign = $2 AND position = $3",
        {fmt::format("its lease expired {} times", kMostExpired), campaign, whole_of(rows->at(0)[0])});
    if (!done) return done.errors();
    rows->clear();
  }
  if (!rows) return rows.errors();
  std::vector<Found> found;
  for (const Row& row : *rows) {
    found.push_back(
        {whole_of(row[0]),
         {{campaign, text_of(row[1]), whole_of(row[2])}, device_class, real_of(row[3]), text_of(row[4]), deadline}});
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.position < b.position; });
  std::vector<Claim> claims;
  for (Found& one : found) claims.push_back(std::move(one.claim));
  return claims;
}

base::Result<Claims> CampaignStore::claim_within(const ClaimRequest& request, Time now) {
  const base::Result<std::vector<Row>> running = database_.query(
      "SELECT id, (SELECT reason FROM quarantined_devices WHERE device = $1) FROM campaigns "
      "WHERE paused = 0 AND (id = $2 OR $2 = '') ORDER BY created, id",
      {request.device, request.campaign});
  if (!running) return running.errors();
  Claims claims;
  for (const Row& row : *running) {
    if (row[1]) {
      claims.quarantined = *row[1];
      return claims;
    }
    for (const std::string& device_class : request.device_classes) {
      if (claims.claims.size() >= request.most) return claims;
      base::Result<std::vector<Claim>> more =
          claim_of(text_of(row[0]), device_class, request, request.most - claims.claims.size(), now);
      if (!more) return more.errors();
      claims.claims.insert(claims.claims.end(), more->begin(), more->end());
    }
  }
  return claims;
}

base::Result<Claims> CampaignStore::claim(const ClaimRequest& request, Time now) {
  // Each statement is whole by itself: only SQLite must be told early that this transaction will write.
  if (database_.engine() == Engine::postgresql) return claim_within(request, now);
  return in_transaction(database_, [&] { return claim_within(request, now); });
}

base::Result<std::vector<Attempt>> CampaignStore::extend(const std::string& agent, std::span<const Attempt> attempts,
                                                         Duration lease, Time now) {
  return in_transaction(database_, [&]() -> base::Result<std::vector<Attempt>> {
    std::vector<Attempt> lost;
    for (const Attempt& attempt : attempts) {
      const base::Result<std::int64_t> changed = database_.execute(
          "UPDATE shards SET free_at = $1 WHERE campaign = $2 AND id = $3 AND attempt = $4 AND agent = $5 AND state = "
          "'leased'",
          {parameter_of(now + lease), attempt.campaign, attempt.shard, attempt.number, agent});
      if (!changed) return changed.errors();
      if (*changed == 0) lost.push_back(attempt);
    }
    return lost;
  });
}

base::Status CampaignStore::release(const std::string& agent, std::span<const Attempt> attempts, Time now) {
  return in_transaction(database_, [&]() -> base::Status {
    for (const Attempt& attempt : attempts) {
      const base::Result<std::int64_t> changed = database_.execute(
          "UPDATE shards SET state = 'open', free_at = $1 WHERE campaign = $2 AND id = $3 AND attempt = $4 AND agent = "
          "$5 AND state = 'leased'",
          {parameter_of(now), attempt.campaign, attempt.shard, attempt.number, agent});
      if (!changed) return changed.errors();
    }
    return base::ok_status();
  });
}

}  // namespace weakspot::store
