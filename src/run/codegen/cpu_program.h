// SPDX-License-Identifier: MIT
// A test for a CPU: one function of machine code per thread of the test, and plain values for the layout of its memory,
// the functions that each worker calls, and the counting of outcomes.
//
// A worker is a pinned thread of the operating system. A team of workers runs the test on memory of its own; there are
// as many teams as fit on the machine. An iteration of a team is: run every role of every instance, wait for each
// other, count the outcomes and initialise the memory again, each worker for its part. Buffers and their words are
// those of buffer_words.h, so results are decoded the same way as those of a GPU.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/cpu_code.h"
#include "codegen/environment.h"

namespace weakspot::codegen {

// The data of a function. The offsets of the fields are part of the generated code.
struct CpuFrame {
  std::byte* memory = nullptr;          // the team's slice of locations
  std::byte* results = nullptr;         // the team's results
  const std::uint32_t* rows = nullptr;  // CpuRole::rows
};
using CpuFunction = void (*)(const CpuFrame* frame, std::uint64_t first, std::uint64_t count);

// A number, or the address of the instance's own location plus a number.
struct CpuValue {
  std::int64_t number = 0;
  std::optional<std::uint32_t> location;
};

// A location in the team's slice: instance i is at `offset + i * stride`, or at `places[i]` if instances are permuted.
struct CpuLocation {
  std::uint64_t offset = 0;
  std::uint64_t stride = 4;
  std::vector<std::uint32_t> places;
  std::uint8_t bytes = 4;
  CpuValue initial;

  std::uint64_t at(std::uint64_t instance) const {
    return places.empty() ? offset + instance * stride : places[instance];
  }
};

// A register of the test whose last value goes to an array in the results.
struct CpuResult {
  std::uint32_t reg = 0;
  std::uint64_t offset = 0;
};

// The function runs the role of the first, second, ... instance in the order of its rows. A row holds the offsets of
// the locations that the role uses, then the offset of its results. Without rows, all offsets follow from the number.
struct CpuRole {
  CpuCode code;  // empty if another processor runs the role
  std::vector<std::uint32_t> rows;
  std::vector<CpuResult> results;           // stored after every instance
  std::optional<std::uint64_t> unfinished;  // place of the flag that it gave up, if it can
};

// One digit of an outcome's number: the value of an item in the team's results or in a location.
struct CpuItem {
  std::optional<std::uint32_t> location;
  std::uint64_t offset = 0;  // without a location: of the array in the results
  std::uint64_t stride = 4;
  std::uint8_t bytes = 4;
  bool is_signed = true;
  std::vector<CpuValue> values;  // by digit; empty: the value is the digit
  std::uint64_t factor = 1;
};

struct CpuProgram {
  CpuIsa isa = kNativeIsa;
  std::vector<CpuRole> roles;
  std::vector<CpuLocation> locations;
  std::vector<CpuItem> items;
  std::vector<std::uint64_t> unfinished;  // arrays in the results, of 32-bit flags at `slot_bytes`

  std::uint32_t instances = 1;       // per iteration and team; workgroups * workgroup_size
  std::uint32_t workgroup_size = 1;  // instances of one role that a worker runs in a row
  std::uint32_t workgroups = 1;
  std::uint32_t spacing = 1;  // workgroups between two barriers
  bool barrier = true;
  bool timed = false;    // workers leave a barrier at an agreed time
  bool rotates = false;  // roles change workers with every workgroup
  RoleOrder order = RoleOrder::ascending;
  Pairing pairing = Pairing::stripe;  // assigns instances to workers, for counting and initialising

  std::uint64_t slice_bytes = 0;
  std::uint64_t result_bytes = 0;
  std::uint64_t other_result_bytes = 0;  // the first of these, stored by other processors
  std::uint32_t slot_bytes = 4;          // size of one result
  std::uint64_t numbers = 1;             // count of outcome numbers
  bool table = true;                     // one counter per number; otherwise pairs of number and counter

  bool memory_stress = false;
  bool pre_stress = false;
  bool spread = false;  // stress goes over the line rather than over one word
  std::uint32_t line_words = 64;

  // The number of workers in a team on a machine with that many cores.
  std::uint32_t team_size(std::uint32_t cores) const {
    return std::min(static_cast<std::uint32_t>(roles.size()), std::max(cores, 1u));
  }
  // The one of `workers` that runs the role in the workgroup.
  std::uint32_t worker_of(std::uint32_t role, std::uint32_t workgroup, std::uint32_t workers) const {
    return (role + (rotates ? workgroup : 0)) % workers;
  }
};

}  // namespace weakspot::codegen
