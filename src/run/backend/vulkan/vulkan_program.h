// SPDX-License-Identifier: MIT
// A program loaded onto a Vulkan device: its pipelines, buffers and command buffers, and how a launch is run.
#pragma once

#include <memory>
#include <optional>

#include "backend/device.h"
#include "backend/driver/shared_kernels.h"
#include "backend/vulkan/vulkan_context.h"

namespace weakspot::backend::vulkan {

class Clearing;
struct Pipeline;

// The number of workgroups that run at the same time, by their size, shared memory and registers per thread.
struct Occupancy {
  std::uint32_t units = 1;             // multiprocessors, or threads of the driver
  std::uint32_t threads_per_unit = 0;  // 0: one workgroup per unit
  std::uint32_t groups_per_unit = 1;
  std::uint32_t shared_bytes_per_unit = 0;
  std::uint32_t registers_per_unit = 0;  // 0: not a limit

  std::uint32_t workgroups(const codegen::Entry& entry, std::optional<std::uint32_t> registers = std::nullopt) const;
};

// Buffers shared by the programs of a device, because one of them runs at a time: the next one need not allocate again.
struct Workplace {
  std::vector<Allocation> buffers;  // by their numbers
  Allocation staging;
};

// From any thread. `context`, `info`, `place` and `clearing` must outlive the program; if `clearing` is null, the
// driver clears memory.
base::Result<std::unique_ptr<LoadedProgram>> load_program(Context& context, const DeviceInfo& info,
                                                          const Occupancy& occupancy, const Clearing* clearing,
                                                          SharedKernels<Pipeline>& shared, Workplace& place,
                                                          const codegen::DeviceProgram& program);

}  // namespace weakspot::backend::vulkan
