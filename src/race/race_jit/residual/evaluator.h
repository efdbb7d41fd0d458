// SPDX-License-Identifier: MIT
// Evaluates one thread of a kernel as far as the launch determines it (residual/residual.h).
//
// A point is a place in the code together with everything that is known there: the values that are still needed, and
// private memory. A loop whose rounds differ in something known is followed round by round; one that only waits comes
// back to a point that was there before, and stays a loop. Each value that is not known lives in a register that
// belongs to its instruction, or to its place in private memory, so that equal points have equal registers.
//
// An operation that cannot be followed ends the thread there with a stop, which says why. The judge decides whether a
// thread ever comes there.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "race_jit/hooks/context.h"
#include "race_jit/residual/program.h"
#include "race_jit/residual/values.h"
#include "residual/residual.h"

namespace weakspot::race_jit {

// A range of bytes that some other thread may change, by begin.
class SharedBytes {
 public:
  bool overlaps(std::uint64_t address, std::uint64_t size) const;
  // True if some byte is new.
  bool add(std::uint64_t address, std::uint64_t size);

 private:
  std::set<std::uint64_t> bytes_;
};

// A shuffle, vote or reduction that a lane comes to without waiting for anybody: nothing that others write has decided
// a branch before it. All lanes of the warp take part.
struct WarpStep {
  const llvm::Instruction* instruction = nullptr;
  unsigned phase = 0;          // barriers of the block before it
  unsigned warp_barriers = 0;  // and of the warp
  WarpOperation operation;     // without its result

  bool meets(const WarpStep& other) const {
    return instruction == other.instruction && phase == other.phase && warp_barriers == other.warp_barriers &&
           operation.kind == other.operation.kind;
  }
};

// The knowledge that all threads have of each other; grows from round to round.
struct SharedKnowledge {
  SharedBytes shared;
  residual::Domains values;  // of shared memory
  // Memory of a block that barriers keep apart: between two of them one thread writes it and no other one uses it, or
  // it is only read. By address and size, the value at the end of each phase that writes it; undefined: not known yet.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<unsigned, PartialValue>> quiet;
  std::set<const llvm::Instruction*> split;  // reads whose value is needed: followed for each value
  // The results of the first warp steps of each thread, by block and thread.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> warp_results;
};

// The uses of some bytes by a thread between two barriers of its block.
struct PhaseUse {
  bool read = false, written = false;
  bool loud = false;                   // an atomic, or a write that the thread may leave out
  std::set<std::uint32_t> written_at;  // labels of the thread's code
  std::optional<PartialValue> value;   // the last one that is written
};

struct TouchedBytes {
  bool read = false, written = false;
  std::map<unsigned, PhaseUse> phases;
};

struct ResidualLimits {
  std::size_t points = 4'000;     // of a thread
  std::size_t steps = 2'000'000;  // instructions of a thread
};

struct EvaluatedThread {
  residual::Thread thread;
  std::vector<residual::Stop> stops;                                        // numbered as its code has them
  std::map<std::pair<std::uint64_t, std::uint64_t>, TouchedBytes> touched;  // by address and size
  std::set<const llvm::Instruction*> to_split;                              // new ones
  std::vector<WarpStep> warp_steps;                                         // in the thread's order
};

// `arguments` point to the values, as a launch takes them.
EvaluatedThread evaluate_thread(ResidualProgram& program, const SteadyAddresses& addresses,
                                const race::LaunchShape& launch, void** arguments, std::uint64_t block,
                                std::uint64_t thread, std::uint64_t shared_bytes, const SharedKnowledge& knowledge,
                                const ResidualLimits& limits);

}  // namespace weakspot::race_jit
