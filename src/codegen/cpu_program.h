// What a CPU runs: one function of machine code per thread of the test, and plain values that say where its memory
// lies, which worker calls which function when, and how outcomes are counted.
//
// A worker is a pinned thread of the operating system. A team of workers runs the test on memory of its own; there are
// as many teams as fit on the machine. An iteration of a team is: run every role of every instance, wait for each
// other, count the outcomes and initialise the memory again, each worker its part. Buffers and their words are those
// of layout.h, so that results are decoded as everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "codegen/cpu_code.h"
#include "codegen/environment.h"
#include "codegen/harness/harness.h"

namespace weakspot::codegen {

// What a function finds its data through. Offsets of the fields are part of the generated code.
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

// In the team's slice: instance i is at `offset + i * stride`, or at `places[i]` where the instances are permuted.
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

// The function runs the role of the first, second, ... instance in the order of its rows. A row holds the offsets of
// the locations that the role uses, then that of its results. Without rows all of these follow from the number.
struct CpuRole {
  CpuCode code;
  std::vector<std::uint32_t> rows;
};

// A digit of an outcome's number: of a value in the team's results or in a location.
struct CpuItem {
  std::optional<std::uint32_t> location;
  std::uint64_t offset = 0;  // of an array in the results, otherwise
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
  bool timed = false;    // workers leave a barrier at a moment that they agree on
  bool rotates = false;  // roles change workers with every workgroup
  RoleOrder order = RoleOrder::ascending;
  Pairing pairing = Pairing::stripe;  // which worker counts and initialises which instances

  std::uint64_t slice_bytes = 0;
  std::uint64_t result_bytes = 0;
  std::uint32_t slot_bytes = 4;  // of one result
  std::uint64_t numbers = 1;     // of outcomes
  bool table = true;             // one counter per number; otherwise pairs of number and counter

  bool memory_stress = false;
  bool pre_stress = false;
  bool spread = false;  // stress goes over the line rather than over one word
  std::uint32_t line_words = 64;

  // How many workers make a team on a machine with that many cores.
  std::uint32_t team_size(std::uint32_t cores) const;
  // Who runs the role in the workgroup, among `workers`.
  std::uint32_t worker_of(std::uint32_t role, std::uint32_t workgroup, std::uint32_t workers) const {
    return (role + (rotates ? workgroup : 0)) % workers;
  }
};

// What a CPU makes of a harness; fails for what it cannot express.
base::Result<CpuProgram> build_cpu_program(const Harness& harness, const CpuFeatures& features);

// The functions as text.
std::string print_cpu(const CpuProgram& program);

// Parts, for tests.
struct CpuResult {
  std::uint32_t reg = 0;
  std::uint64_t offset = 0;
};

struct CpuRoleInput {
  const Harness* harness = nullptr;
  std::size_t thread = 0;
  CpuFeatures features;
  const std::vector<CpuLocation>* locations = nullptr;
  std::vector<CpuResult> results;
  std::optional<std::uint64_t> unfinished;
  std::uint32_t slot_bytes = 4;
  bool rows = false;
};
// The locations whose addresses the thread needs, in order: the columns of its rows.
std::vector<std::uint32_t> used_locations(const litmus::LitmusTest& test, std::size_t thread);
base::Result<CpuCode> lower_role(const CpuRoleInput& input);

}  // namespace weakspot::codegen
