// SPDX-License-Identifier: MIT
// The machine code of one thread on a CPU -> its events. Which accesses are the test's is told by their addresses: they
// come from the memory of the frame that the function is called with, those of the harness from its other fields.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_program.h"
#include "optcheck/compare/event.h"

namespace weakspot::optcheck {

// Maps addresses of the program to locations of the test.
struct CpuPlaces {
  const std::vector<codegen::CpuLocation>* locations = nullptr;
  std::vector<std::uint32_t> columns;  // locations by column of the rows; empty without rows

  // The location that holds this byte of the slice of the first instance.
  std::optional<Where> find(std::int64_t stride, std::int64_t byte) const;
};

base::Result<MachineThread> read_cpu(codegen::CpuIsa isa, std::span<const std::uint8_t> bytes, const CpuPlaces& places);

}  // namespace weakspot::optcheck
