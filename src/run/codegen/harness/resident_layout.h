// SPDX-License-Identifier: MIT
// The memory layout of a resident test.
//
// A test is resident if its threads share a workgroup or a cluster and work with what those have: asynchronous copies,
// mbarriers, barriers of the cluster. Its instances stay where they are: each iteration sets their memory up again,
// runs the roles and counts the outcomes on the spot, so that nothing but the test touches global memory.
//
// Slots are the instances side by side in a workgroup, 32 in a row; one row is run by the same lanes of one subgroup
// per role. A thread runs `depth` instances of its role per iteration, one after the other, as barrier_spacing says.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "codegen/environment.h"
#include "codegen/harness/assignment.h"
#include "codegen/harness/encoding.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The place of one location.
struct ResidentCell {
  bool shared = false;
  bool mbarrier = false;
  std::uint32_t owner = 0;  // the workgroup of the test that has it
  std::uint32_t bytes = 4;  // per slot, or per row if it is an mbarrier and copies are joined
  // Shared: the first byte of the cells in the workgroup's memory. Global: bytes that the earlier locations take per
  // instance.
  std::uint32_t at = 0;
  std::uint32_t inner = 0;  // offset in the cell, for elements of arrays
};

// The operations of a test on an mbarrier that copies count on, as far as they are known.
struct ResidentDrain {
  std::uint32_t location = 0;
  std::uint32_t count = 1;     // arrivals that end a phase
  std::uint32_t arrivals = 0;  // those of the test itself
  std::int64_t missing = 0;    // bytes that copies bring and nobody expects
  bool certain = true;         // all of this is known
};

struct ResidentLayout {
  std::uint32_t slots = 32;
  std::uint32_t depth = 1;
  // One lane issues a bulk copy for its whole row, whose words are neighbours. Otherwise every instance has a unit of
  // 16 bytes, the least that a bulk copy moves, and a copy of its own.
  bool joined = false;
  std::uint32_t tx_factor = 1;  // bytes that copies count, for each that the test says
  std::vector<ResidentCell> cells;
  std::vector<ResidentDrain> drains;
  std::vector<bool> waits;  // by role: it may give up
  // The one role whose registers are all that is observed: it counts by itself.
  std::optional<std::uint32_t> counting_role;
  std::uint32_t results_at = 0;  // otherwise: 8 bytes per item and slot, in the memory of the test's first workgroup
  std::uint32_t result_items = 0;
  std::uint32_t table_at = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t global_bytes = 0;  // per instance

  std::uint32_t rows() const { return slots / 32; }
  std::uint32_t instances_per_row() const { return slots * depth; }  // a row: the workgroups of one cluster
  // Cells of a location per instance of a thread.
  std::uint32_t cells_of(std::uint32_t location) const { return joined && cells[location].mbarrier ? rows() : slots; }
};

bool is_resident(const litmus::LitmusTest& test);

// Fails if the workgroup's memory does not suffice or the locations cannot be placed.
base::Result<ResidentLayout> lay_out_resident(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                              const RolePlan& roles, const OutcomeEncoding& encoding,
                                              std::uint32_t max_shared_bytes);

// The workgroup that has each shared location; fails if no place suits all instructions.
base::Result<std::vector<std::uint32_t>> resident_owners(const litmus::LitmusTest& test, const RolePlan& roles);

}  // namespace weakspot::codegen
