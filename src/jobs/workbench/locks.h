// SPDX-License-Identifier: MIT
// Measures locks with all, half and none of their fences on a device, and explains those that fail by litmus tests.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/lock_table.h"
#include "campaign/runner.h"
#include "codegen/device_program.h"
#include "workbench/assumptions.h"

namespace weakspot::workbench {

struct LocksRequest {
  std::string device;                       // as find_devices() takes it; empty: the default device
  std::vector<std::string> locks;           // names of locks; empty: all
  double seconds = 0.5;                     // per lock, and per test that explains one
  std::uint32_t contenders = 0;             // workgroups; 0: one per multiprocessor
  std::uint32_t sections = 0;               // per workgroup and run; 0: automatic
  std::string html;                         // the file that the table is written to; empty: none
  const std::atomic<bool>* stop = nullptr;  // the user's wish to end
};

// A finding is a lock that failed with all of its fences. `measured` hears of each lock, before it is explained.
base::Result<TableResult<campaign::LockTable>> locks(const LocksRequest& request, campaign::LockBench& bench,
                                                     campaign::Executor& executor, RunWatch& watch,
                                                     const std::function<void(const campaign::LockRow&)>& measured);

// The programs of the locks that are named, with all their fences if the target has fences.
base::Result<std::vector<codegen::DeviceProgram>> emit_locks(const std::vector<std::string>& locks,
                                                             codegen::Target target);

}  // namespace weakspot::workbench
