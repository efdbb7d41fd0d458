// SPDX-License-Identifier: MIT
// Submissions of people: what they sent in, who may see it, and how it is deleted.
//
// No address, user agent or name is stored. A submission has a token, of which only a hash is kept; who knows the token
// can delete the submission, and then its document and rows are gone from the file, not only hidden. Rejected documents
// are kept in a table of their own with the reason, and nothing reads them but rejected().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"

namespace weakspot::store {

inline constexpr std::int64_t kFewestDevices = 5;  // devices that share a row before anyone sees it

enum class SubmissionState : std::uint8_t {
  accepted,
  withheld,  // has forbidden outcomes: private until a person releases it
  released,
};
std::string_view to_string(SubmissionState state);
std::optional<SubmissionState> submission_state_named(std::string_view name);

// One test on the device of a submission; the counts of its outcomes by class.
struct SubmissionRow {
  std::string test;
  std::string test_hash;
  std::string environment;
  std::int64_t instances = 0;
  std::int64_t sequential = 0;
  std::int64_t interleaved = 0;
  std::int64_t weak = 0;
  std::int64_t forbidden = 0;
  std::int64_t unknown = 0;
  double seconds = 0;

  friend bool operator==(const SubmissionRow&, const SubmissionRow&) = default;
};

struct Submission {
  std::string token;   // new_token(), or one that the sender chose and keeps for a second try
  std::string vendor;  // as results are grouped
  std::string architecture;
  std::string device;  // an opaque key: the same for the same device, so that it counts once; empty: one of its own
  std::string document;
  std::vector<SubmissionRow> rows;
};

enum class Submitted : std::uint8_t {
  stored,
  already_stored,  // the same document with the same token
  duplicate,       // the same document with another token: a replay
};

struct SubmissionAnswer {
  Submitted submitted = Submitted::stored;
  std::string id;  // random; not a secret. Empty for a duplicate
  SubmissionState state = SubmissionState::accepted;
};

struct StoredSubmission {
  std::string id;
  SubmissionState state = SubmissionState::accepted;
  std::string vendor;
  std::string architecture;
  Time received;
  std::string document;
};

struct RejectedSubmission {
  std::string reason;
  Time received;
  std::string document;
};

struct ShownFilter {
  std::string vendor;
  std::string architecture;
  std::string test;  // name or hash
};

// A test on all devices of one vendor and architecture together.
struct ShownRow {
  std::string vendor;
  std::string architecture;
  std::int64_t devices = 0;
  SubmissionRow sum;  // its environment is empty
};

struct SubmissionCounts {
  std::int64_t accepted = 0;
  std::int64_t withheld = 0;
  std::int64_t released = 0;
  std::int64_t rejected = 0;
};

// 128 random bits from the system, in hexadecimal digits.
base::Result<std::string> new_token();

class SubmissionStore {
 public:
  // The database must outlive this.
  explicit SubmissionStore(Database& database) : database_(database) {}

  // All in one transaction, durable when it returns; an answer for each. One with a forbidden outcome is withheld.
  base::Result<std::vector<SubmissionAnswer>> submit(std::span<const Submission> submissions, Time now);
  // The store keeps at most `most` bytes of rejected documents and drops the oldest beyond.
  base::Status reject(const std::string& document, const std::string& reason, Time now, std::int64_t most = 64 << 20);

  // False if no submission has this token.
  base::Result<bool> remove(const std::string& token);
  // A person looked at it. False if there is no withheld one of this id.
  base::Result<bool> release(const std::string& id);

  // Only rows that at least kFewestDevices devices share, without those of withheld submissions.
  base::Result<std::vector<ShownRow>> shown(const ShownFilter& filter = {});
  base::Result<std::vector<StoredSubmission>> in_state(SubmissionState state, std::size_t most = 1000);
  base::Result<std::vector<RejectedSubmission>> rejected(std::size_t most = 1000);
  base::Result<SubmissionCounts> count();

 private:
  Database& database_;
};

}  // namespace weakspot::store
