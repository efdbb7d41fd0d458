// SPDX-License-Identifier: MIT
// The unit of a campaign: one test in one environment on one class of devices, with a range of seeds. A shard is run by
// one device at one go and has one result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "campaign/run_record.h"
#include "codegen/environment.h"
#include "json/json.h"

namespace weakspot::campaign {

struct Shard {
  std::string test;  // its hash
  std::string device_class;
  codegen::TestEnvironment environment;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;      // one run each
  double seconds = 1;           // per run; ignored unless `instances` is 0
  std::uint64_t instances = 0;  // per run

  friend bool operator==(const Shard&, const Shard&) = default;
};

base::JsonValue to_json_value(const Shard& shard);
std::string to_json(const Shard& shard);
base::Result<Shard> shard_from_json(std::string_view text);

// Identifies the shard among all shards of all campaigns. The same shard of the same campaign always has the same id.
std::string shard_id(std::string_view campaign, const Shard& shard);

// The number of such shards that a worker should claim at once: enough that claiming and storing cost little of the
// device's time, and few enough that little is lost with a worker. At least one.
std::size_t shards_per_claim(const Shard& shard);

// The runs of one attempt at a shard, in order of their seeds.
struct ShardResult {
  std::string shard;          // its id
  std::uint64_t attempt = 0;  // the first is 1
  std::vector<RunRecord> records;
};

}  // namespace weakspot::campaign
