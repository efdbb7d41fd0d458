// SPDX-License-Identifier: MIT
#include "serve/agents/work_json.h"

#include <algorithm>
#include <optional>

#include "base/source.h"
#include "json/json_fields.h"

namespace weakspot::serve {
namespace {

using base::JsonFields;
using base::JsonValue;

constexpr std::size_t kMostName = 200;
constexpr std::size_t kMostReason = 4000;
constexpr std::uint64_t kMostClaims = 10'000;
constexpr std::uint64_t kMostLease = 24 * 3600 * 1000;
constexpr std::uint64_t kMostAttempt = std::uint64_t{1} << 53;
constexpr double kMostShardSeconds = 1e9;

// Reads one object of a text: `read` takes its fields.
template <typename Read>
auto read_object(const std::string& text, std::string_view what, Read read)
    -> base::Result<std::invoke_result_t<Read&, JsonFields&>> {
  const base::Source source("request", text);
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> value = base::read_json_text(mistakes, 16);
  if (!value) return mistakes.take();
  JsonFields fields(*value, mistakes, what);
  if (!fields.valid()) return mistakes.take();
  auto made = read(fields);
  fields.done();
  if (mistakes.any()) return mistakes.take();
  return made;
}

// A name that people read in tables and messages.
std::string name_of(JsonFields& fields, std::string_view key, bool may_be_empty = false) {
  std::string text = fields.text(key);
  const bool plain = text.size() <= kMostName && std::all_of(text.begin(), text.end(), [](char c) {
                       return static_cast<unsigned char>(c) >= ' ' && c != 0x7f;
                     });
  if (fields.has(key) && (!plain || (text.empty() && !may_be_empty))) {
    fields.unexpected(key, may_be_empty ? "at most 200 plain characters" : "1 to 200 plain characters");
  }
  return text;
}

store::Attempt attempt_of(JsonFields& fields) {
  store::Attempt attempt;
  attempt.campaign = name_of(fields, "campaign");
  attempt.shard = name_of(fields, "shard");
  attempt.number = static_cast<std::int64_t>(fields.whole("attempt", kMostAttempt));
  return attempt;
}

// The objects of a list; `read` takes the fields of each.
template <typename Read>
auto objects_of(JsonFields& fields, std::string_view key, std::string_view what, Read read) {
  std::vector<std::invoke_result_t<Read&, JsonFields&>> made;
  for (const JsonValue& item : fields.list(key)) {
    if (fields.mistakes().full()) break;
    JsonFields one(item, fields.mistakes(), what);
    if (!one.valid()) continue;
    made.push_back(read(one));
    one.done();
  }
  return made;
}

void add_attempt(JsonValue& value, const store::Attempt& attempt) {
  value.add("campaign", attempt.campaign);
  value.add("shard", attempt.shard);
  value.add("attempt", attempt.number);
}

JsonValue attempts_json(std::span<const store::Attempt> attempts) {
  JsonValue list = base::json_array();
  for (const store::Attempt& attempt : attempts) {
    JsonValue value = base::json_object();
    add_attempt(value, attempt);
    list.push_back(std::move(value));
  }
  return list;
}

SentShard sent_shard_of(JsonFields& fields) {
  SentShard shard;
  shard.attempt = attempt_of(fields);
  shard.device = name_of(fields, "device");
  shard.device_class = name_of(fields, "device_class");
  shard.seconds = fields.real("seconds", 0, kMostShardSeconds);
  shard.records = fields.texts("records");
  return shard;
}

store::Claim claim_of(JsonFields& fields) {
  store::Claim claim;
  claim.attempt = attempt_of(fields);
  claim.device_class = fields.text("device_class");
  claim.seconds = fields.real("seconds", 0, kMostShardSeconds);
  claim.document = fields.text("document");
  claim.deadline = store::Time(store::Duration(fields.whole("deadline", kMostAttempt)));
  return claim;
}

}  // namespace

// ---- requests ----

JsonValue to_json(const store::ClaimRequest& request) {
  return base::json_object({{"agent", request.agent},
                            {"device", request.device},
                            {"device_classes", JsonValue(request.device_classes)},
                            {"campaign", request.campaign},
                            {"most", request.most},
                            {"lease", request.lease.count()}});
}

base::Result<store::ClaimRequest> claim_request_from(const std::string& body) {
  return read_object(body, "a claim", [](JsonFields& fields) {
    store::ClaimRequest request;
    request.agent = name_of(fields, "agent");
    request.device = name_of(fields, "device");
    request.device_classes = fields.texts("device_classes");
    request.campaign = name_of(fields, "campaign", true);
    request.most = static_cast<std::size_t>(fields.whole("most", kMostClaims));
    request.lease = store::Duration(fields.whole("lease", kMostLease));
    return request;
  });
}

JsonValue to_json(const HeldAttempts& held) {
  JsonValue value = base::json_object({{"agent", held.agent}, {"attempts", attempts_json(held.attempts)}});
  if (held.lease.count() != 0) value.add("lease", held.lease.count());
  return value;
}

base::Result<HeldAttempts> held_attempts_from(const std::string& body, bool with_lease) {
  return read_object(body, "a request", [&](JsonFields& fields) {
    HeldAttempts held;
    held.agent = name_of(fields, "agent");
    held.attempts = objects_of(fields, "attempts", "an attempt", attempt_of);
    if (with_lease) held.lease = store::Duration(fields.whole("lease", kMostLease));
    return held;
  });
}

JsonValue to_json(const store::FinishedShard& shard) {
  JsonValue value = base::json_object();
  add_attempt(value, shard.attempt);
  value.add("device", shard.device);
  value.add("device_class", shard.records.empty() ? "" : shard.records.front().device_class);
  value.add("seconds", shard.seconds);
  JsonValue records = base::json_array();
  for (const store::Record& record : shard.records) records.push_back(record.document);
  value.add("records", std::move(records));
  return value;
}

base::Result<SentShards> sent_shards_from(const std::string& body) {
  return read_object(body, "results", [](JsonFields& fields) {
    SentShards sent;
    sent.agent = name_of(fields, "agent");
    sent.shards = objects_of(fields, "shards", "a shard", sent_shard_of);
    return sent;
  });
}

JsonValue to_json(const store::FailedShard& failed) {
  JsonValue value = base::json_object({{"agent", failed.agent}});
  add_attempt(value, failed.attempt);
  value.add("device", failed.device);
  value.add("test", failed.test);
  // Compilers can be long-winded.
  value.add("reason", failed.reason.size() > kMostReason ? failed.reason.substr(0, kMostReason / 2) : failed.reason);
  return value;
}

base::Result<store::FailedShard> failed_shard_from(const std::string& body) {
  return read_object(body, "a failure", [](JsonFields& fields) {
    store::FailedShard failed;
    failed.agent = name_of(fields, "agent");
    failed.attempt = attempt_of(fields);
    failed.device = name_of(fields, "device", true);
    failed.test = name_of(fields, "test");
    failed.reason = fields.text("reason");
    if (failed.reason.size() > kMostReason) fields.unexpected("reason", "at most 4000 bytes");
    return failed;
  });
}

JsonValue to_json(const OverQuestion& question) {
  return base::json_object({{"campaign", question.campaign}, {"device_classes", JsonValue(question.device_classes)}});
}

base::Result<OverQuestion> over_question_from(const std::string& body) {
  return read_object(body, "a question", [](JsonFields& fields) {
    OverQuestion question;
    question.campaign = name_of(fields, "campaign", true);
    question.device_classes = fields.texts("device_classes");
    return question;
  });
}

// ---- answers ----

JsonValue to_json(const store::Claims& claims) {
  JsonValue list = base::json_array();
  for (const store::Claim& claim : claims.claims) {
    JsonValue value = base::json_object();
    add_attempt(value, claim.attempt);
    value.add("device_class", claim.device_class);
    value.add("seconds", claim.seconds);
    value.add("document", claim.document);
    value.add("deadline", claim.deadline.time_since_epoch().count());
    list.push_back(std::move(value));
  }
  return base::json_object({{"claims", std::move(list)}, {"quarantined", claims.quarantined}});
}

base::Result<store::Claims> claims_from(const std::string& body) {
  return read_object(body, "an answer", [](JsonFields& fields) {
    store::Claims claims;
    claims.claims = objects_of(fields, "claims", "a claim", claim_of);
    claims.quarantined = fields.text("quarantined");
    return claims;
  });
}

JsonValue lost_json(std::span<const store::Attempt> lost) { return base::json_object({{"lost", attempts_json(lost)}}); }

base::Result<std::vector<store::Attempt>> lost_from(const std::string& body) {
  return read_object(body, "an answer",
                     [](JsonFields& fields) { return objects_of(fields, "lost", "an attempt", attempt_of); });
}

JsonValue finished_json(std::span<const store::Finished> finished) {
  JsonValue list = base::json_array();
  for (const store::Finished one : finished) list.push_back(store::to_string(one));
  return base::json_object({{"finished", std::move(list)}});
}

base::Result<std::vector<store::Finished>> finished_from(const std::string& body) {
  return read_object(body, "an answer", [](JsonFields& fields) {
    std::vector<store::Finished> made;
    for (const std::string& word : fields.texts("finished")) {
      using enum store::Finished;
      constexpr store::Finished kAll[] = {stored, already_stored, lease_lost};
      const auto* found =
          std::find_if(std::begin(kAll), std::end(kAll), [&](store::Finished one) { return to_string(one) == word; });
      if (found == std::end(kAll)) {
        fields.unexpected("finished", "words for what happened");
      } else {
        made.push_back(*found);
      }
    }
    return made;
  });
}

JsonValue to_json(const store::Failure& failure) {
  return base::json_object({{"lease_lost", failure.lease_lost},
                            {"shard_quarantined", failure.shard_quarantined},
                            {"device_quarantined", failure.device_quarantined}});
}

base::Result<store::Failure> failure_from(const std::string& body) {
  return read_object(body, "an answer", [](JsonFields& fields) {
    store::Failure failure;
    failure.lease_lost = fields.flag("lease_lost");
    failure.shard_quarantined = fields.flag("shard_quarantined");
    failure.device_quarantined = fields.flag("device_quarantined");
    return failure;
  });
}

base::Result<bool> over_from(const std::string& body) {
  return read_object(body, "an answer", [](JsonFields& fields) { return fields.flag("over"); });
}

}  // namespace weakspot::serve
