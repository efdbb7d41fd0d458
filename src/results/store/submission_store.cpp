// SPDX-License-Identifier: MIT
#include "store/submission_store.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/printable.h"
#include "base/sha256.h"
#include "base/source.h"

namespace weakspot::store {
namespace {

constexpr std::string_view kStateNames[] = {"accepted", "withheld", "released"};

// Tokens have a hash of their own, so that none of them is the hash of a document.
std::string hash_of_token(const std::string& token) { return base::sha256_hex("deletion token " + token); }

bool has_forbidden(const Submission& submission) {
  return std::any_of(submission.rows.begin(), submission.rows.end(),
                     [](const SubmissionRow& row) { return row.forbidden != 0; });
}

base::Status insert_submission_rows(Database& database, const std::string& id, const std::vector<SubmissionRow>& rows) {
  Parameters values;
  std::int64_t number = 0;
  for (const SubmissionRow& row : rows) {
    for (Parameter value :
         Parameters{id, number++, row.test, row.test_hash, row.environment, row.instances, row.sequential,
                    row.interleaved, row.weak, row.forbidden, row.unknown, row.seconds}) {
      values.push_back(std::move(value));
    }
  }
  return insert_rows(database,
                     "submission_rows (submission, number, test, test_hash, environment, instances, sequential, "
                     "interleaved, weak, forbidden, unknown, seconds)",
                     12, values);
}

base::Result<SubmissionAnswer> submit_one(Database& database, const Submission& submission, const std::string& id,
                                          Time now) {
  const std::string hash = base::sha256_hex(submission.document);
  const std::string token = hash_of_token(submission.token);
  const SubmissionState state = has_forbidden(submission) ? SubmissionState::withheld : SubmissionState::accepted;
  const base::Result<std::int64_t> made = database.execute(
      "INSERT INTO submissions (id, hash, token_hash, state, vendor, architecture, device, received, document) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (hash) DO NOTHING",
      {id, hash, token, std::string(to_string(state)), submission.vendor, submission.architecture,
       submission.device.empty() ? id : submission.device, parameter_of(now), submission.document});
  if (!made) return made.errors();
  if (*made != 0) {
    if (base::Status inserted = insert_submission_rows(database, id, submission.rows); !inserted)
      return inserted.errors();
    return SubmissionAnswer{Submitted::stored, id, state};
  }
  const base::Result<std::vector<Row>> known =
      database.query("SELECT id, state, token_hash FROM submissions WHERE hash = $1", {hash});
  if (!known) return known.errors();
  if (known->empty() || text_of(known->at(0).at(2)) != token) return SubmissionAnswer{Submitted::duplicate, "", state};
  return SubmissionAnswer{Submitted::already_stored, text_of(known->at(0).at(0)),
                          submission_state_named(text_of(known->at(0).at(1))).value_or(state)};
}

// Rejected documents hold anything.
std::string storable(const std::string& document) {
  const bool fine = document.find('\0') == std::string::npos && base::find_invalid_utf8(document) == std::string::npos;
  return fine ? document : base::printable(document);
}

SubmissionRow sum_of_row(const Row& row) {
  return {.test = text_of(row[2]),
          .test_hash = text_of(row[3]),
          .environment = "",
          .instances = whole_of(row[5]),
          .sequential = whole_of(row[6]),
          .interleaved = whole_of(row[7]),
          .weak = whole_of(row[8]),
          .forbidden = whole_of(row[9]),
          .unknown = whole_of(row[10]),
          .seconds = real_of(row[11])};
}

}  // namespace

std::string_view to_string(SubmissionState state) { return kStateNames[static_cast<std::size_t>(state)]; }

std::optional<SubmissionState> submission_state_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kStateNames); ++i) {
    if (kStateNames[i] == name) return static_cast<SubmissionState>(i);
  }
  return std::nullopt;
}

base::Result<std::string> new_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return base::error(fmt::format("the system gives no random bytes: {}", std::strerror(errno)),
                       base::ErrorKind::environment);
  }
  std::string digits;
  for (const unsigned char byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

base::Result<std::vector<SubmissionAnswer>> SubmissionStore::submit(std::span<const Submission> submissions, Time now) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < submissions.size(); ++i) {
    const base::Result<std::string> id = new_token();
    if (!id) return id.errors();
    ids.push_back(*id);
  }
  return in_transaction(database_, [&]() -> base::Result<std::vector<SubmissionAnswer>> {
    std::vector<SubmissionAnswer> answers;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
      base::Result<SubmissionAnswer> answer = submit_one(database_, submissions[i], ids[i], now);
      if (!answer) return answer.errors();
      answers.push_back(*std::move(answer));
    }
    return answers;
  });
}

base::Status SubmissionStore::reject(const std::string& document, const std::string& reason, Time now,
                                     std::int64_t most) {
  return in_transaction(database_, [&]() -> base::Status {
    const base::Result<std::int64_t> made =
        database_.execute("INSERT INTO rejected_submissions (reason, received, document) VALUES ($1, $2, $3)",
                          {reason, parameter_of(now), storable(document)});
    if (!made) return made.errors();
    const base::Result<std::int64_t> dropped = database_.execute(
        "DELETE FROM rejected_submissions WHERE id IN (SELECT id FROM (SELECT id, sum(length(document)) OVER (ORDER BY "
        "id DESC) AS total FROM rejected_submissions) AS summed WHERE total > $1)",
        {most});
    if (!dropped) return dropped.errors();
    return base::ok_status();
  });
}

base::Result<bool> SubmissionStore::remove(const std::string& token) {
  const base::Result<std::int64_t> removed = in_transaction(database_, [&]() -> base::Result<std::int64_t> {
    const std::string hash = hash_of_token(token);
    const base::Result<std::int64_t> noted = database_.execute(
        "INSERT INTO deleted_submissions (id) SELECT id FROM submissions WHERE token_hash = $1", {hash});
    if (!noted) return noted.errors();
    return database_.execute("DELETE FROM submissions WHERE token_hash = $1", {hash});
  });
  if (!removed) return removed.errors();
  if (*removed == 0) return false;
  // The log still has the pages as they were.
  base::Status gone = database_.run_script(
      database_.engine() == Engine::sqlite ? "PRAGMA wal_checkpoint(TRUNCATE)" : "VACUUM submissions, submission_rows");
  if (!gone) return gone.errors();
  return true;
}

base::Result<bool> SubmissionStore::release(const std::string& id) {
  const base::Result<std::int64_t> changed =
      database_.execute("UPDATE submissions SET state = 'released' WHERE id = $1 AND state = 'withheld'", {id});
  if (!changed) return changed.errors();
  return *changed != 0;
}

base::Result<std::vector<ShownRow>> SubmissionStore::shown(const ShownFilter& filter) {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT s.vendor, s.architecture, r.test, r.test_hash, count(DISTINCT s.device), sum(r.instances), "
      "sum(r.sequential), sum(r.interleaved), sum(r.weak), sum(r.forbidden), sum(r.unknown), sum(r.seconds) "
      "FROM submission_rows r JOIN submissions s ON s.id = r.submission "
      "WHERE s.state <> 'withheld' AND (s.vendor = $1 OR $1 = '') AND (s.architecture = $2 OR $2 = '') "
      "AND (r.test = $3 OR r.test_hash = $3 OR $3 = '') "
      "GROUP BY s.vendor, s.architecture, r.test, r.test_hash HAVING count(DISTINCT s.device) >= $4 "
      "ORDER BY s.vendor, s.architecture, r.test, r.test_hash",
      {filter.vendor, filter.architecture, filter.test, kFewestDevices});
  if (!rows) return rows.errors();
  std::vector<ShownRow> shown;
  for (const Row& row : *rows) shown.push_back({text_of(row[0]), text_of(row[1]), whole_of(row[4]), sum_of_row(row)});
  return shown;
}

base::Result<std::vector<StoredSubmission>> SubmissionStore::in_state(SubmissionState state, std::size_t most) {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT id, vendor, architecture, received, document FROM submissions WHERE state = $1 ORDER BY received, id "
      "LIMIT $2",
      {std::string(to_string(state)), static_cast<std::int64_t>(most)});
  if (!rows) return rows.errors();
  std::vector<StoredSubmission> submissions;
  for (const Row& row : *rows) {
    submissions.push_back({text_of(row[0]), state, text_of(row[1]), text_of(row[2]), time_of(row[3]), text_of(row[4])});
  }
  return submissions;
}

base::Result<std::vector<RejectedSubmission>> SubmissionStore::rejected(std::size_t most) {
  const base::Result<std::vector<Row>> rows =
      database_.query("SELECT reason, received, document FROM rejected_submissions ORDER BY id LIMIT $1",
                      {static_cast<std::int64_t>(most)});
  if (!rows) return rows.errors();
  std::vector<RejectedSubmission> rejected;
  for (const Row& row : *rows) rejected.push_back({text_of(row[0]), time_of(row[1]), text_of(row[2])});
  return rejected;
}

base::Result<SubmissionCounts> SubmissionStore::count() {
  const base::Result<std::vector<Row>> rows = database_.query(
      "SELECT state, count(*) FROM submissions GROUP BY state UNION ALL SELECT 'rejected', count(*) FROM "
      "rejected_submissions");
  if (!rows) return rows.errors();
  SubmissionCounts counts;
  for (const Row& row : *rows) {
    const std::string state = text_of(row[0]);
    const std::int64_t number = whole_of(row[1]);
    if (state == "accepted") counts.accepted = number;
    if (state == "withheld") counts.withheld = number;
    if (state == "released") counts.released = number;
    if (state == "rejected") counts.rejected = number;
  }
  return counts;
}

}  // namespace weakspot::store
