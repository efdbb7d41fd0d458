// SPDX-License-Identifier: MIT
// The buffers that a program and its host share, and the words in them. Kernels, CPU workers and fake devices write
// them; test_program.cpp reads them.
//
// Formulas are templates over the number type: std::uint32_t or wider on the host, Expr in a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace weakspot::codegen {

// The buffers of a program, in the order of its arguments.
enum BufferId : std::uint32_t {
  kControlBuffer,   // parameters of the launch
  kPlanBuffer,      // random choices for each iteration
  kMemoryBuffer,    // the test's locations, a fresh slice per iteration
  kResultBuffer,    // results of the threads
  kScratchBuffer,   // memory for stress
  kProgressBuffer,  // counters that start at zero in each round
  kSyncBuffer,      // one counter per instance, for the barrier between partners
  kCountBuffer,     // outcomes and how often they were seen, over all rounds
  kOverflowBuffer,  // outcomes that have no counter
  kBufferCount,
};

inline std::vector<std::string> buffer_names() {
  return {"control", "plan", "memory", "results", "scratch", "progress", "sync", "counts", "overflow"};
}

inline constexpr std::uint32_t kMostInstances = 1u << 20;  // per iteration: products with factors stay below 2^32

// Words of the control buffer. "Automatic" values are resolved by the host.
enum ControlWord : std::uint32_t {
  kRound,
  kStop,
  kZero,            // 0
  kIterations,      // per round
  kTesting,         // workgroups that test
  kWorkgroups,      // in all
  kInstances,       // per iteration
  kSliceBytes,      // bytes of memory per iteration
  kLocationFactor,  // spreads locations over memory
  kResultStride,    // kIterations * kInstances
  kPlanRows,
  kSpinBound,
  kStressRounds,  // per stress call
  kPreStressRounds,
  kStressCalls,     // the most that a stressing workgroup does
  kCollectThreads,  // threads of the collecting kernel, in all
  kTeams,           // on a CPU: teams of workers that run the test
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

// ---- counts ----

// The head of the count buffer; 64-bit numbers take two words, the low one first.
enum CountWord : std::uint32_t {
  kCompleted = 0,    // iterations, 64 bits
  kUnfinished = 2,   // instances whose loops ran into their bound, 64 bits
  kTimeouts = 4,     // barriers that were given up
  kOverflowing = 5,  // outcomes in the overflow buffer, or meant for it
  kCountHead = 8,
};
// After the head: one 64-bit counter per number; or a hash table of pairs, number + 1 and counter. After the counters:
// where each outcome was seen first, kFirstWords per number or slot.
inline constexpr std::uint32_t kCounterWords = 2;
inline constexpr std::uint32_t kSlotWords = 4;
inline constexpr std::uint32_t kHashSlots = 1u << 15;
inline constexpr std::uint32_t kHashProbes = 256;
enum FirstWord : std::uint32_t {
  kFirstClaimed,  // 1 once somebody stores the others
  kFirstRound,
  kFirstEntry,  // iteration * instances + instance
  kFirstWords,
};
// The word where a number, or the number in a slot, has its record of the first sighting.
constexpr std::uint64_t first_word(bool table, std::uint64_t numbers, std::uint64_t index) {
  return kCountHead + (table ? numbers * kCounterWords : std::uint64_t{kHashSlots} * kSlotWords) + index * kFirstWords;
}
// The size of the count buffer with a counter for each of `numbers`, or with a hash table.
constexpr std::uint64_t count_words(bool table, std::uint64_t numbers) {
  return first_word(table, numbers, table ? numbers : kHashSlots);
}

// An entry of the overflow buffer: round, entry, and the value of each item in two words.
inline constexpr std::uint32_t kOverflowEntries = 4096;
inline constexpr std::uint32_t kOverflowHead = 2;
constexpr std::size_t overflow_words(std::size_t items) { return kOverflowHead + 2 * items; }

inline std::uint64_t two_words(const std::vector<std::uint32_t>& words, std::size_t at) {
  return words[at] | static_cast<std::uint64_t>(words[at + 1]) << 32;
}
inline void set_two_words(std::vector<std::uint32_t>& words, std::size_t at, std::uint64_t value) {
  words[at] = static_cast<std::uint32_t>(value);
  words[at + 1] = static_cast<std::uint32_t>(value >> 32);
}
inline void add_to_two_words(std::vector<std::uint32_t>& words, std::size_t at, std::uint64_t amount) {
  set_two_words(words, at, two_words(words, at) + amount);
}

// ---- the plan ----

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
inline constexpr std::uint32_t kPlanRowCount = 32;

template <typename N>
N plan_row_words(N workgroups) {
  return workgroups * N(2u) + N(kPlanHead);
}
// The row that an iteration of a round uses: rounds start at different rows.
template <typename N>
N plan_row_number(N iteration, N round, N rows) {
  return (iteration + round * N(7u)) % rows;
}
// The words of a row that starts at `row`: a workgroup's shuffled number, and the word it stresses.
template <typename N>
N shuffled_number_at(N row, N workgroup) {
  return row + N(kPlanHead) + workgroup;
}
template <typename N>
N stress_target_at(N row, N workgroups, N workgroup) {
  return row + N(kPlanHead) + workgroups + workgroup;
}
// The scratch word of a thread whose workgroup stresses the whole line around `word`; lines are powers of two.
template <typename N>
N word_in_line(N word, N thread, std::uint32_t line_words) {
  const std::uint32_t mask = line_words - 1;
  return (word & N(~mask)) | ((word + thread) & N(mask));
}

}  // namespace weakspot::codegen
