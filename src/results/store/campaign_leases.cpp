// SPDX-License-Identifier: MIT
// How shards are claimed, kept and given back.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "store/campaign_store.h"

namespace weakspot::store {
namespace {

// A shard whose lease has expired so often is handed out alone: an agent that dies holds many shards, and only one of
// them can be the reason.
constexpr std::int64_t kSuspect = 2;

enum class Suspects : std::uint8_t { without, only };

// The parts of a claim: its changes, and the columns it returns.
constexpr std::string_view kTake =
    "UPDATE shards SET attempt = attempt + 1, expired = expired + CASE state WHEN 'leased' THEN 1 ELSE 0 END, "
    "state = 'leased', free_at = $2, agent = $3, device = $4, claimed_at = $1 FROM next ";
constexpr std::string_view kGive =
    "RETURNING shards.campaign, shards.device_class, shards.position, shards.id, attempt, seconds, document, expired";

Parameters parameters_of(const ClaimRequest& request, Time now) {
  return {parameter_of(now), parameter_of(now + request.lease), request.agent, request.device};
}

// Equality on the first two columns of the index and its order on the others: few rows are read, however many there
// are. The rows are chosen before any is changed, and PostgreSQL passes over those that another agent is about to take.
std::string claim_statement(Engine engine, Suspects suspects) {
  return fmt::format(
      "WITH next AS MATERIALIZED (SELECT position FROM shards WHERE campaign = $5 AND device_class = $6 AND free_at <= "
      "$1 AND expired {} {} ORDER BY free_at, position LIMIT $7{}) "
      "{} WHERE shards.campaign = $5 AND shards.position = next.position {}",
      suspects == Suspects::only ? ">=" : "<", kSuspect, engine == Engine::sqlite ? "" : " FOR UPDATE SKIP LOCKED",
      kTake, kGive);
}

// The same for all running campaigns and device classes at once: a server is far away, and each question to it costs
// more than its answer. The server plans a statement with a fixed limit once, and one with a parameter every time; what
// claims a single shard should not wait for that.
std::string whole_claim_statement(std::size_t classes, bool single) {
  std::string names;
  for (std::size_t i = 0; i < classes; ++i) names += fmt::format("{}({}, ${})", i == 0 ? "" : ", ", i, i + 6);
  const std::string limit = single ? "1" : fmt::format("${}", classes + 6);
  return fmt::format(
      "WITH running AS MATERIALIZED (SELECT campaigns.id, class.name, created, class.rank FROM campaigns CROSS JOIN "
      "(VALUES {}) AS class (rank, name) WHERE paused = 0 AND (campaigns.id = $5 OR $5 = '') AND NOT EXISTS "
      "(SELECT 1 FROM quarantined_devices WHERE device = $4) ORDER BY created, campaigns.id, class.rank), "
      "next AS MATERIALIZED (SELECT free.campaign, free.position, created, rank FROM running CROSS JOIN LATERAL "
      "(SELECT campaign, position FROM shards WHERE campaign = running.id AND device_class = running.name AND "
      "free_at <= $1 AND expired < {} ORDER BY free_at, position LIMIT {} FOR UPDATE SKIP LOCKED) AS free LIMIT {}) "
      "{} WHERE shards.campaign = next.campaign AND shards.position = next.position {}, created, rank",
      names, kSuspect, limit, limit, kTake, kGive);
}

// A row of kGive.
Claim claim_in(const Row& row, Time deadline) {
  return {{text_of(row[0]), text_of(row[3]), whole_of(row[4])},
          text_of(row[1]),
          real_of(row[5]),
          text_of(row[6]),
          deadline};
}

}  // namespace

base::Result<std::vector<Claim>> CampaignStore::claim_of(const std::string& campaign, const std::string& device_class,
                                                         const ClaimRequest& request, std::size_t most, Time now) {
  static const std::string kStatements[2][2] = {
      {claim_statement(Engine::sqlite, Suspects::without), claim_statement(Engine::sqlite, Suspects::only)},
      {claim_statement(Engine::postgresql, Suspects::without), claim_statement(Engine::postgresql, Suspects::only)}};
  const auto& statements = kStatements[database_.engine() == Engine::sqlite ? 0 : 1];
  const auto select = [&](const std::string& statement, std::size_t limit) {
    Parameters parameters = parameters_of(request, now);
    for (Parameter more : Parameters{campaign, device_class, static_cast<std::int64_t>(limit)}) {
      parameters.push_back(std::move(more));
    }
    return database_.query(statement, parameters);
  };
  base::Result<std::vector<Row>> rows = select(statements[0], most);
  // Suspects that have had their chances are put aside until one is found that has not.
  while (rows && rows->empty()) {
    rows = select(statements[1], 1);
    if (!rows || rows->empty() || whole_of(rows->at(0)[7]) < kMostExpired) break;
    const base::Result<std::int64_t> done = database_.execute(
        "UPDATE shards SET state = 'quarantined', free_at = NULL, reason = $1 WHERE campaign = $2 AND position = $3",
        {fmt::format("its lease expired {} times", kMostExpired), campaign, whole_of(rows->at(0)[2])});
    if (!done) return done.errors();
    rows->clear();
  }
  if (!rows) return rows.errors();
  std::sort(rows->begin(), rows->end(), [](const Row& a, const Row& b) { return whole_of(a[2]) < whole_of(b[2]); });
  std::vector<Claim> claims;
  for (const Row& row : *rows) claims.push_back(claim_in(row, now + request.lease));
  return claims;
}

base::Result<std::vector<Claim>> CampaignStore::claim_at_once(const ClaimRequest& request, Time now) {
  const bool single = request.most == 1;
  Parameters parameters = parameters_of(request, now);
  parameters.emplace_back(request.campaign);
  parameters.insert(parameters.end(), request.device_classes.begin(), request.device_classes.end());
  if (!single) parameters.emplace_back(static_cast<std::int64_t>(request.most));
  const base::Result<std::vector<Row>> rows =
      database_.query(whole_claim_statement(request.device_classes.size(), single), parameters);
  if (!rows) return rows.errors();
  std::vector<const Row*> sorted;
  for (const Row& row : *rows) sorted.push_back(&row);
  const auto place = [](const Row& row) {
    return std::tuple(whole_of(row[8]), text_of(row[0]), whole_of(row[9]), whole_of(row[2]));
  };
  std::sort(sorted.begin(), sorted.end(), [&](const Row* a, const Row* b) { return place(*a) < place(*b); });
  std::vector<Claim> claims;
  claims.reserve(sorted.size());
  for (const Row* row : sorted) claims.push_back(claim_in(*row, now + request.lease));
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
  // Only SQLite must be told early that this transaction will write.
  if (database_.engine() == Engine::sqlite)
    return in_transaction(database_, [&] { return claim_within(request, now); });
  if (request.device_classes.empty()) return claim_within(request, now);
  base::Result<std::vector<Claim>> claims = claim_at_once(request, now);
  if (!claims) return claims.errors();
  if (!claims->empty()) return Claims{*std::move(claims), ""};
  // Nothing that may be claimed with others: suspects may be left, or the device is quarantined. Each statement is
  // whole by itself.
  return claim_within(request, now);
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
