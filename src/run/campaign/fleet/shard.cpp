// SPDX-License-Identifier: MIT
#include "campaign/shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "base/source.h"
#include "json/json_fields.h"

namespace weakspot::campaign {
namespace {

using base::JsonFields;
using base::JsonValue;

constexpr std::uint64_t kAnySeed = std::numeric_limits<std::uint64_t>::max();
constexpr double kLongestRun = 1e7;  // seconds
// Device time that a worker holds claims for, and the most shards.
constexpr double kSecondsPerClaim = 2;
constexpr double kMostPerClaim = 256;
// Claims of runs that end after a number of instances: how long one takes is not known.
constexpr std::size_t kCountedPerClaim = 8;

codegen::TestEnvironment environment_in(JsonFields& fields) {
  const JsonValue* text = fields.take("environment", JsonValue::Kind::string, true);
  if (text == nullptr) return {};
  const auto read = codegen::parse_environment(base::Source("environment", text->text()));
  if (read) return *read;
  fields.mistake(text, base::messages(read.errors()));
  return {};
}

}  // namespace

JsonValue to_json_value(const Shard& shard) {
  return base::json_object({{"test", shard.test},
                            {"device_class", shard.device_class},
                            {"environment", codegen::to_text(shard.environment)},
                            {"first_seed", shard.first_seed},
                            {"seeds", shard.seeds},
                            {"seconds", shard.seconds},
                            {"instances", shard.instances}});
}

std::string to_json(const Shard& shard) { return base::json_compact(to_json_value(shard)); }

base::Result<Shard> shard_from_json(std::string_view text) {
  const base::Source source("shard", std::string(text));
  base::Mistakes mistakes(source);
  const std::optional<JsonValue> json = base::read_json_text(mistakes);
  if (!json) return mistakes.take();
  JsonFields fields(*json, mistakes, "a shard");
  Shard shard;
  shard.test = fields.text("test");
  shard.device_class = fields.text("device_class");
  shard.environment = environment_in(fields);
  shard.first_seed = fields.whole("first_seed", kAnySeed);
  shard.seeds = fields.whole("seeds", kAnySeed);
  shard.seconds = fields.real("seconds", 0, kLongestRun);
  shard.instances = fields.whole("instances", kAnySeed);
  if (mistakes.any()) return mistakes.take();
  return shard;
}

std::string shard_id(std::string_view campaign, const Shard& shard) {
  return base::hash_bytes(fmt::format("{}\n{}", campaign, to_json(shard))).hex();
}

std::size_t shards_per_claim(const Shard& shard) {
  if (shard.instances != 0) return kCountedPerClaim;
  const double seconds = shard.seconds * static_cast<double>(shard.seeds);
  return static_cast<std::size_t>(
      std::clamp(std::floor(kSecondsPerClaim / std::max(seconds, 1e-9)), 1.0, kMostPerClaim));
}

}  // namespace weakspot::campaign
