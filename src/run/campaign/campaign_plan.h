// SPDX-License-Identifier: MIT
// The plan of a campaign: every test of a suite, on every class of devices, in the environments of the class, with a
// number of seeds. A plan is a value; its shards follow from it. Planning the same twice gives the same campaign.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/run_record.h"
#include "campaign/shard.h"

namespace weakspot::campaign {

struct DeviceClass {
  std::string name;  // see classes_of() in the workbench: "cuda", "cpu-aarch64", the name of a card
  std::vector<codegen::TestEnvironment> environments;

  friend bool operator==(const DeviceClass&, const DeviceClass&) = default;
};

struct CampaignPlan {
  std::string suite;           // in the user's words
  std::vector<RunTest> tests;  // each hash once
  std::vector<DeviceClass> classes;
  double seconds = 1;           // per run; ignored unless `instances` is 0
  std::uint64_t instances = 0;  // per run
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;            // runs of each test, environment and class
  std::uint64_t seeds_per_shard = 1;  // runs that are claimed and stored together
  std::string model;                  // the judge; empty: the model for the test and the device
  std::uint64_t memory = 0;           // bytes on the device; 0: a quarter of what is free

  // 16 hexadecimal digits: a hash of everything above.
  std::string id() const;
  const RunTest* test_with(std::string_view hash) const;

  friend bool operator==(const CampaignPlan&, const CampaignPlan&) = default;
};

// One JSON text; it reads back the same. docs/results-format.md describes it.
std::string to_json(const CampaignPlan& plan);
base::Result<CampaignPlan> plan_from_json(const base::Source& text);

// In the order in which they are best run: the runs of one test in one environment, which share a program, are
// neighbours.
std::vector<Shard> shards_of(const CampaignPlan& plan);
std::uint64_t count_shards(const CampaignPlan& plan);

// Drops tests that are the same but for their names. Returns how many.
std::size_t drop_duplicates(std::vector<RunTest>& tests);

}  // namespace weakspot::campaign
