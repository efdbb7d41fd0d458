// Where everything lies: the buffers that harness and host share, the words in them, the test's memory and its results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/environment.h"
#include "codegen/harness/assignment.h"
#include "codegen/harness/structure.h"
#include "codegen/kernel/kernel.h"
#include "litmus/test.h"

namespace weakspot::codegen {

// The buffers of a program, in the order of its arguments.
enum BufferId : std::uint32_t {
  kControlBuffer,   // parameters of the launch
  kPlanBuffer,      // what was drawn for each iteration
  kMemoryBuffer,    // the test's locations, a fresh slice per iteration
  kResultBuffer,    // what threads read
  kScratchBuffer,   // what stress works on
  kProgressBuffer,  // counters that start at zero in each round
  kSyncBuffer,      // one counter per instance, for the barrier between partners
  kCountBuffer,     // outcomes and how often they were seen, over all rounds
  kOverflowBuffer,  // outcomes that have no counter
  kBufferCount,
};

std::vector<std::string> buffer_names();

constexpr std::uint32_t kMostInstances = 1u << 20;  // per iteration: products with factors stay below 2^32
constexpr std::uint32_t kPlanRowCount = 32;

// Words of the control buffer. "Automatic" values are resolved by the host.
enum ControlWord : std::uint32_t {
  kRound,
  kStop,
  kZero,            // 0
  kIterations,      // per round
  kTesting,         // workgroups that test
  kWorkgroups,      // in all
  kInstances,       // per iteration
  kSliceBytes,      // of memory, per iteration
  kLocationFactor,  // spreads locations over memory
  kResultStride,    // kIterations * kInstances
  kPlanRows,
  kSpinBound,
  kStressRounds,  // of one stress call
  kPreStressRounds,
  kStressCalls,     // the most that a stressing workgroup does
  kCollectThreads,  // of the collecting kernel, in all
  kTeams,           // on a CPU: of workers that run the test
  kTeamSize,        // on a CPU: workers per team
  kControlWords,
};

enum ProgressWord : std::uint32_t {
  kArrived,  // at the grid barrier
  kDone,     // testing workgroups that have finished
  kMissing,  // iterations that the slowest workgroup left out when told to stop
  kNoise,    // means nothing: keeps the arithmetic of gaps alive
  kProgressWords = 32,
};

// The head of the count buffer; 64-bit numbers take two words.
enum CountWord : std::uint32_t {
  kCompleted = 0,    // iterations, 64 bits
  kUnfinished = 2,   // instances whose loops ran into their bound, 64 bits
  kTimeouts = 4,     // barriers that were given up
  kOverflowing = 5,  // outcomes in the overflow buffer, or meant for it
  kCountHead = 8,
};
// Behind the head: one 64-bit counter per number; or a hash table of pairs, number + 1 and counter. Behind the
// counters: where each outcome was seen first, kFirstWords per number or slot.
enum FirstWord : std::uint32_t {
  kFirstClaimed,  // 1 once somebody stores the others
  kFirstRound,
  kFirstEntry,  // iteration * instances + instance
  kFirstWords,
};
inline constexpr std::uint32_t kHashSlots = 1u << 15;
inline constexpr std::uint32_t kHashProbes = 256;
// Of the whole count buffer: a counter for each of `numbers`, or a hash table.
constexpr std::uint64_t count_words(bool table, std::uint64_t numbers) {
  return kCountHead + (table ? numbers * (2 + kFirstWords) : std::uint64_t{kHashSlots} * (4 + kFirstWords));
}
// Of the record of where a number, or the number in a slot, was first seen.
constexpr std::uint64_t first_word(bool table, std::uint64_t numbers, std::uint64_t index) {
  return kCountHead + (table ? numbers * 2 : std::uint64_t{kHashSlots} * 4) + index * kFirstWords;
}
// An entry: round, entry, and the value of each item in two words.
inline constexpr std::uint32_t kOverflowEntries = 4096;
inline constexpr std::uint32_t kOverflowHead = 2;

// A row of the plan: the head, then per workgroup its shuffled number, then per workgroup the word it stresses.
enum PlanWord : std::uint32_t { kPlanFlags, kPlanActive, kPlanHead };
enum PlanFlag : std::uint32_t {
  kPlanBarrier = 1,
  kPlanMemoryStress = 2,
  kPlanPreStress = 4,
  kPlanMemoryFirst = 8,
  kPlanMemorySecond = 16,
  kPlanPreFirst = 32,
  kPlanPreSecond = 64,
};

// Where the locations of an instance lie within a slice, in words; in the workgroup's memory, in bytes.
struct MemoryLayout {
  Layout kind = Layout::interleaved;
  std::uint32_t cell_words = 1;        // 2 if any location has 64 bits
  std::vector<bool> shared;            // by location
  std::vector<std::uint32_t> number;   // of the location among those of its kind
  std::vector<std::uint32_t> strides;  // of the global ones, in words
  std::uint32_t shared_count = 0;

  std::uint32_t global_count() const { return static_cast<std::uint32_t>(strides.size()); }

  // Word of a global location that is the `global`-th of its kind, for an instance out of `instances`.
  template <typename N>
  N word(std::uint32_t global, N instance, N instances, N factor) const {
    N place = instance;
    for (std::uint32_t i = 0; i < global; ++i) place = permuted(place, factor, instances);
    if (kind == Layout::interleaved) {
      return place * N(strides[0] * global_count()) + N(global * strides[0]);
    }
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < global; ++i) before += strides[i];
    return instances * N(before) + place * N(strides[global]);
  }
  // Words of one slice.
  std::uint64_t slice_words(std::uint64_t instances) const {
    std::uint64_t sum = 0;
    for (const std::uint32_t stride : strides) sum += stride;
    return sum * instances;
  }
};

MemoryLayout lay_out(const litmus::LitmusTest& test, const TestEnvironment& environment);

// What a thread leaves in the result buffer for each instance: one array per item, kResultStride entries long.
struct ResultItem {
  enum class Kind : std::uint8_t { reg, shared_location, unfinished };
  Kind kind = Kind::reg;
  std::size_t role = 0;        // who stores it
  std::uint32_t reg = 0;       // kind reg
  std::uint32_t location = 0;  // kind shared_location
  Width width = Width::w32;
  std::uint32_t words_before = 0;  // of the items before it, per instance
};

std::vector<ResultItem> result_items(const litmus::LitmusTest& test, const RolePlan& roles,
                                     const std::vector<std::vector<Region>>& regions);
std::uint32_t words_per_instance(const std::vector<ResultItem>& items);

}  // namespace weakspot::codegen
