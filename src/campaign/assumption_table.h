// SPDX-License-Identifier: MIT
// What programs assume of a device and what the device does: the tables of `weakspot assumptions`, as plain values.
//
// Both follow "GPU Concurrency: Weak Behaviours and Programming Assumptions" (ASPLOS 2015): the issues of its Table 2,
// and the combinations of incantations of its Table 6.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "codegen/environment.h"

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
  std::string claim;  // what programs assume, in a sentence
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

// The four incantations, in the order of the paper's table.
enum Incantation : std::uint8_t { kMemoryStress = 8, kBankConflicts = 4, kSynchronisation = 2, kRandomisation = 1 };
inline constexpr std::uint32_t kCombinations = 16;
std::string_view incantation_name(Incantation incantation);
inline constexpr std::array kIncantations = {kMemoryStress, kBankConflicts, kSynchronisation, kRandomisation};

// The environments that stand for a combination: the number of the paper's column less one, a sum of incantations. With
// bank conflicts there are two, with and without conflicts, which take turns.
std::vector<codegen::TestEnvironment> incantation_environments(std::uint32_t combination);

struct IncantationTable {
  struct Cell {
    std::uint64_t instances = 0;
    std::uint64_t observed = 0;
    double seconds = 0;
    std::string problem;  // why it did not run; empty: it did

    double per_100k() const {
      return instances > 0 ? 1e5 * static_cast<double>(observed) / static_cast<double>(instances) : 0;
    }
    double rate() const { return seconds > 0 ? static_cast<double>(observed) / seconds : 0; }
  };
  std::string device, device_name, driver;
  std::vector<std::string> tests;
  std::array<std::vector<Cell>, kCombinations> cells;  // by combination and test
};

base::JsonValue to_json(const IncantationTable& table);
std::string to_html(const IncantationTable& table);

}  // namespace weakspot::campaign
