// SPDX-License-Identifier: MIT
// The unit of a campaign: one test in one environment on one class of devices, with a range of seeds. A shard is run by
// one device at one go and has one result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "campaign/run_record.h"
#include "codegen/environment.h"

namespace weakspot::campaign {

struct Shard {
  std::string test;  // its hash
  std::string device_class;
  codegen::TestEnvironment environment;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;      // one run each
  double seconds = 1;           // of each run; ignored unless `instances` is 0
  std::uint64_t instances = 0;  // of each run

  friend bool operator==(const Shard&, const Shard&) = default;
};

base::JsonValue to_json_value(const Shard& shard);
std::string to_json(const Shard& shard);
base::Result<Shard> shard_from_json(std::string_view text);

// Identifies the shard among all shards of all campaigns. The same shard of the same campaign always has the same id.
std::string shard_id(std::string_view campaign, const Shard& shard);

// How many shards of this kind a worker should claim at once: so many that claiming and storing cost little of the
// device's time, and so few that little is lost with a worker. At least one.
std::size_t shards_per_claim(const Shard& shard);

// The runs of one shard, in order of their seeds: what an attempt gave.
struct ShardResult {
  std::string shard;          // its id
  std::uint64_t attempt = 0;  // the first is 1
  std::vector<RunRecord> records;
};

}  // namespace weakspot::campaign
