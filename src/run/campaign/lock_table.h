// SPDX-License-Identifier: MIT
// Locks measured on a device: how often they fail with and without their fences, and how fast they are.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/device.h"
#include "campaign/assumption_table.h"
#include "codegen/lock_program.h"
#include "json/json.h"

namespace weakspot::campaign {

struct LockRequest {
  codegen::LockKind kind = codegen::LockKind::none;
  codegen::LockFences fences = codegen::LockFences::full;
  double seconds = 0.5;                     // running time
  std::uint32_t contenders = 0;             // workgroups, never more than fit; 0: one per multiprocessor
  std::uint32_t sections = 0;               // per contender and run; 0: enough for a run of some milliseconds
  const std::atomic<bool>* stop = nullptr;  // the user's wish to end; null: none
};

struct LockRow {
  codegen::LockKind kind = codegen::LockKind::none;
  codegen::LockFences fences = codegen::LockFences::none;
  std::uint32_t contenders = 0;
  std::uint32_t sections = 0;  // per contender and run
  codegen::LockCounts counts;
  double seconds = 0;
  std::string problem;  // why it did not run; empty: it did
  bool failed = false;  // the problem is the device's, not the platform's
  // The test with the same accesses and fences, for a lock that failed.
  std::optional<AssumptionRun> explained_by;

  double throughput() const { return seconds > 0 ? static_cast<double>(counts.sections) / seconds : 0; }
};

struct LockTable {
  std::string device, device_name, driver;
  std::vector<LockRow> rows;
};

// Runs until the time is over. Every way it can end is a row.
LockRow measure_lock(backend::Device& device, const LockRequest& request);

// Measures locks on the devices that are named.
class LockBench {
 public:
  virtual ~LockBench() = default;
  virtual LockRow measure(const std::string& device, const LockRequest& request) = 0;
};
// Runs in this process: a crash or a hang of a driver is ours.
std::unique_ptr<LockBench> in_process_locks();
// Runs in a child process, started again after it died. `worker` is a command that only calls serve_locks().
std::unique_ptr<LockBench> isolated_locks(std::vector<std::string> worker);
// The child's side: reads requests from standard input and answers on standard output until the input ends.
int serve_locks();

// "FAILED" (updates were lost), "unfinished" (most runs did not finish), "holds", "unavailable" or "failed".
std::string verdict_word(const LockRow& row);
// full, half, half, none
std::string fences_word(codegen::LockFences fences);

base::JsonValue to_json(const LockTable& table);
std::string to_html(const LockTable& table);

}  // namespace weakspot::campaign
