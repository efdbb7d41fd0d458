// SPDX-License-Identifier: MIT
// Repeats launches with one operation weakened after the other, to see which of them the runs depend on.
#pragma once

#include <chrono>
#include <vector>

#include "race/mutants.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/search/barrier_trials.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {

// All mutants of the module, by place and kind. Those that are not tried until `end` say so.
std::vector<race::Mutant> try_mutants(Machine& device, const DeviceModule& module, BarrierTrials& trials,
                                      const Collector& collector, std::chrono::steady_clock::time_point end);

}  // namespace weakspot::race_jit
