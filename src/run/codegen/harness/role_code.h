// SPDX-License-Identifier: MIT
// One thread of a test as statements of a kernel: exactly its accesses, fences and branches, in its order.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "codegen/harness/structure.h"
#include "codegen/kernel/kernel_builder.h"
#include "litmus/fence.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The variables and addresses that the code of a role uses.
struct RoleContext {
  std::size_t thread = 0;
  std::vector<Expr> addresses;  // by location, for the current instance; 64 bits
  std::vector<bool> shared;     // by location: in the workgroup's memory
  std::vector<bool> remote;     // by location, or empty: in another workgroup's memory, at a mapped address
  std::vector<Var> registers;   // one per register of the thread
  Expr zero = 0u;               // always 0 but opaque to compilers, so that arithmetically void dependencies survive
  Var unfinished;               // set to 1 when a loop ran into its bound
  std::uint32_t loop_bound = 1;
  std::function<void(const litmus::Barrier&)> barrier;
  std::function<void(const litmus::Instruction&)> asynchronous;
  std::function<void()> gap;  // if set: writes a gap between two instructions that touch memory
  // A number that the gap changes. Compilers take what is read through textures and constant memory for constant and
  // move such loads up; behind a gap, their addresses need this number, so that they stay.
  std::optional<Var> after_gap;
};

Width width_of(litmus::Type type);

// The variables for the registers of a thread.
std::vector<Var> make_registers(KernelBuilder& builder, const litmus::Thread& thread);

// The locations whose addresses the thread needs, in the order of their first use.
std::vector<std::uint32_t> used_locations(const litmus::Thread& thread);

// The locations that the thread reads, as far as its instructions name them.
std::vector<std::uint32_t> read_locations(const litmus::Thread& thread);

// A range of a thread's instructions.
struct Segment {
  std::size_t begin = 0;
  std::size_t end = 0;
  friend bool operator==(const Segment&, const Segment&) = default;
};
// The instructions between a thread's barriers: one segment more than it has barriers.
std::vector<Segment> segments_between_barriers(const litmus::Thread& thread);

// `regions` are find_regions() of the thread's instructions.
void write_role(KernelBuilder& builder, const litmus::LitmusTest& test, const RoleContext& context,
                const std::vector<Region>& regions);

// The same for one segment; the first one sets the registers. No region may reach beyond the segment.
void write_role_segment(KernelBuilder& builder, const litmus::LitmusTest& test, const RoleContext& context,
                        const std::vector<Region>& regions, Segment segment);

bool has_loops(const std::vector<Region>& regions);

}  // namespace weakspot::codegen
