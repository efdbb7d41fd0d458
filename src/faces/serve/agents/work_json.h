// SPDX-License-Identifier: MIT
// The JSON forms of the requests and answers of api/1/work, in which agents and the server talk about shards.
// docs/server.md describes them. Every written form reads back the same; a server reads strictly.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "store/campaign_store.h"

namespace weakspot::serve {

// Asked with POST api/1/work/NAME.
inline constexpr std::string_view kClaim = "claim";
inline constexpr std::string_view kExtend = "extend";
inline constexpr std::string_view kFinish = "finish";
inline constexpr std::string_view kFail = "fail";
inline constexpr std::string_view kRelease = "release";
inline constexpr std::string_view kOver = "over";

// Attempts with their agent: extended, if there is a lease, or given back.
struct HeldAttempts {
  std::string agent;
  std::vector<store::Attempt> attempts;
  store::Duration lease{0};
};

// A finished shard as it is sent: the records are documents, and what a store notes about them the server finds out.
struct SentShard {
  store::Attempt attempt;
  std::string device;
  std::string device_class;
  double seconds = 0;
  std::vector<std::string> records;
};
struct SentShards {
  std::string agent;
  std::vector<SentShard> shards;
};

struct OverQuestion {
  std::string campaign;
  std::vector<std::string> device_classes;
};

base::JsonValue to_json(const store::ClaimRequest& request);
base::JsonValue to_json(const HeldAttempts& held);
base::JsonValue to_json(const store::FinishedShard& shard);  // one of those below
base::JsonValue to_json(const store::FailedShard& failed);
base::JsonValue to_json(const OverQuestion& question);

base::Result<store::ClaimRequest> claim_request_from(const std::string& body);
base::Result<HeldAttempts> held_attempts_from(const std::string& body, bool with_lease);
base::Result<SentShards> sent_shards_from(const std::string& body);
base::Result<store::FailedShard> failed_shard_from(const std::string& body);
base::Result<OverQuestion> over_question_from(const std::string& body);

base::JsonValue to_json(const store::Claims& claims);
base::JsonValue lost_json(std::span<const store::Attempt> lost);
base::JsonValue finished_json(std::span<const store::Finished> finished);
base::JsonValue to_json(const store::Failure& failure);

base::Result<store::Claims> claims_from(const std::string& body);
base::Result<std::vector<store::Attempt>> lost_from(const std::string& body);
base::Result<std::vector<store::Finished>> finished_from(const std::string& body);
base::Result<store::Failure> failure_from(const std::string& body);
base::Result<bool> over_from(const std::string& body);

}  // namespace weakspot::serve
