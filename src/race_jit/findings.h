// From what the machine noticed to what a person reads.
#pragma once

#include <string>
#include <vector>

#include "race/report.h"
#include "race_jit/device_module.h"
#include "race_jit/machine.h"

namespace weakspot::race_jit {

// A launch as reports name it; index 0 is the machine's launch 1.
struct LaunchRecord {
  std::string kernel;
  std::string text;  // "grid=2 block=64"
  Extent grid, block;
  std::string replay;
  std::uint64_t first_block = 0;  // the number of its first block: launches on several streams have numbers apart
  race::IntervalRange intervals;
};

struct Findings {
  std::vector<race::Finding> findings;
  std::vector<std::string> notes;
};

Findings collect_findings(Machine& device, const DeviceModule& module, const std::vector<LaunchRecord>& launches);

}  // namespace weakspot::race_jit
