// SPDX-License-Identifier: MIT
// Finds the files and programs that weakspot-nvcc needs, and starts other programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/architecture.h"
#include "race/front.h"
#include "race/nvcc_command.h"

namespace weakspot::race_jit {

struct NvccPlaces {
  std::string toolkit;  // a folder laid out like that of a CUDA toolkit
  std::string headers;  // our CUDA headers
  std::string clang;
  std::string linker;  // the compiler that links C++
  race::Front front = race::Front::automatic;
  std::optional<race::Architecture> architecture;  // instead of the newest of the command
  std::string gpu;                                 // the same for HIP

  std::string libraries() const { return toolkit + "/lib64"; }
};

// The folder laid out like a toolkit; empty if it is missing.
std::string find_toolkit();

base::Result<NvccPlaces> find_places();

// For people and for CMake, which reads this: folders, and how a program is linked.
std::string verbose_text(const NvccPlaces& places, const race::NvccCommand& command);
std::string version_text();
std::string help_text();
// The same for hipcc. CMake reads the folder and the GPU.
std::string hip_verbose_text(const NvccPlaces& places, const race::NvccCommand& command);
std::string hip_version_text();
std::string hip_help_text();

// Runs a program whose messages are ours. False if it failed.
bool run_tool(const std::vector<std::string>& command, bool verbose);

}  // namespace weakspot::race_jit
