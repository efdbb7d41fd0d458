// SPDX-License-Identifier: MIT
// Locks and other structures of threads, contended by many workgroups, as programs for devices.
//
// One thread per workgroup works on the structure and leaves data behind that is accessed plainly: if the fences are
// missing, stale data is read and updates are lost. A run is one launch of kernel `contend`; kernel `check` then holds
// the data against what was done. All workgroups of a run are resident and every wait is bounded, so that a run ends on
// a device that promises no progress: then it is unfinished, which says nothing about the lock.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"
#include "codegen/lock_kind.h"

namespace weakspot::codegen {

class LockProgram {
 public:
  // Fails if the target cannot express the lock, and says what it lacks.
  static base::Result<LockProgram> compile(LockKind kind, LockFences fences, Target target, const TargetLimits& limits);

  const DeviceProgram& program() const { return program_; }
  static constexpr std::uint32_t kContend = 0;  // the entry whose workgroups must all be resident

  Launch plan(const LockPlan& plan) const;
  LockCounts decode(const std::vector<std::vector<std::uint32_t>>& buffers) const;

 private:
  DeviceProgram program_;
};

}  // namespace weakspot::codegen
