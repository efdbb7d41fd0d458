// SPDX-License-Identifier: MIT
// Runs a program of a CPU and a GPU (codegen/mixed_program.h): the CPU's workers, the rounds, and the counting. The GPU
// is behind an interface, so that tests can play its part.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/device.h"
#include "backend/mixed/delay_tuner.h"
#include "codegen/mixed_program.h"

namespace weakspot::backend {

// Memory that both sides use, at the CPU's addresses.
struct SharedAreas {
  std::byte* memory = nullptr;       // the locations
  std::byte* results = nullptr;      // of the CPU's roles; after fetch() also those of the GPU
  std::uint32_t* meeting = nullptr;  // codegen::MeetingWord
};

// Life cycle: areas() are there from the beginning; then any number of rounds, each start(), state() until it does not
// run any more, fetch().
class GpuSide {
 public:
  enum class State : std::uint8_t { running, done, failed };

  virtual ~GpuSide() = default;
  virtual SharedAreas areas() const = 0;
  virtual base::Status start() = 0;
  virtual State state() = 0;
  virtual std::string failure() const = 0;
  virtual base::Status fetch() = 0;
};

// `functions` are those of the program's CPU roles, in the order of MixedProgram::cpu_roles.
RunResult run_mixed(const codegen::MixedProgram& program, const std::vector<codegen::CpuFunction>& functions,
                    GpuSide& gpu, const codegen::Launch& launch, const std::vector<int>& cores, DelayTuner& tuner,
                    std::chrono::milliseconds deadline);

}  // namespace weakspot::backend
