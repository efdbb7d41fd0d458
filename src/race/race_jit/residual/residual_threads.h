// SPDX-License-Identifier: MIT
// Evaluates all threads of a launch until none shares memory that the others do not know of.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "race/request.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "residual/residual.h"

namespace weakspot::race_jit {

inline constexpr std::uint64_t kMostResidualThreads = 2048;

// The kernel's launch with the arguments that it states; others are made up. `named` are locations whose contents the
// asker wants to know.
base::Result<residual::Residual> residual_threads(const std::string& bitcode, const Kernel& kernel,
                                                  DeviceModule& module, Machine& device, const race::LaunchSpec& launch,
                                                  std::uint64_t seed, const std::vector<race::NamedLocation>& named,
                                                  const std::vector<std::string>& own_folders);

}  // namespace weakspot::race_jit
