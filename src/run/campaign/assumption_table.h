// SPDX-License-Identifier: MIT
// The table of `weakspot assumptions` as plain values: common assumptions of programs beside the behaviour of the
// device. Its rows are the issues of "GPU Concurrency: Weak Behaviours and Programming Assumptions" (ASPLOS 2015),
// Table 2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace weakspot::campaign {

// A test on a device: what its model says of the outcome that the test asks for, and how often the device showed it.
struct AssumptionRun {
  std::string test;
  std::string model;            // the one that judges the device
  std::optional<bool> allowed;  // by that model; nothing: the model cannot tell
  std::uint64_t instances = 0;
  std::uint64_t observed = 0;
  double seconds = 0;
  std::string problem;  // why it did not run; empty: it did
  bool failed = false;  // the problem is the device's, not the platform's

  double rate() const { return seconds > 0 ? static_cast<double>(observed) / seconds : 0; }
  bool is_violation() const { return observed != 0 && allowed == false; }
};

struct Assumption {
  std::string idiom;  // "spin lock by compare-and-swap"
  std::string claim;  // the assumption, in a sentence
  AssumptionRun run;
  std::optional<AssumptionRun> repaired;     // with the fences that programs should have
  std::vector<AssumptionRun> other_repairs;  // with other fences, or dependencies
};

struct AssumptionTable {
  std::string device, device_name, driver;
  std::vector<Assumption> assumptions;
};

// "false" (the device breaks the assumption), "unseen" (the model lets it), "holds" (the model forbids it),
// "FORBIDDEN" (seen, though the model forbids it), "unknown", "unavailable" or "failed".
std::string verdict_word(const AssumptionRun& run);

base::JsonValue to_json(const AssumptionTable& table);
std::string to_html(const AssumptionTable& table);

}  // namespace weakspot::campaign
