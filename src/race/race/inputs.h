// SPDX-License-Identifier: MIT
// Inputs for a kernel whose launch is not stated anywhere: shapes, sizes and contents worth trying, derived from its
// code. The same seed gives the same inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "race/entry.h"
#include "race/request.h"

namespace weakspot::race {

// The uses of a parameter in the code.
struct ParameterFacts {
  std::string name;
  std::string type;        // the value's, or that of the elements of an array
  bool pointer = false;    // an array
  bool floating = false;   // numbers with a fraction
  bool structure = false;  // always zero: nothing can be made up for it
  bool atomic = false;     // an array of flags, locks or counters, which mostly starts at zero
  bool index = false;      // an array whose values become part of addresses
  bool limits = false;     // an array whose values end loops: offsets of rows
  bool factor = false;     // a number that is multiplied: a pitch, a width
  bool bound = false;      // a number that something is compared with
  bool offset = false;     // a number that is part of an address
};

// A product of numbers that a launch consists of: parameters, "blockDim.x", "gridDim.y".
struct Term {
  std::int64_t constant = 1;
  std::vector<std::string> names;

  auto operator<=>(const Term&) const = default;
};

struct KernelFacts {
  std::vector<ParameterFacts> parameters;
  // Facts about members of structures, by parameter and offset, before they are put into `parameters`.
  std::map<std::pair<std::size_t, std::uint64_t>, ParameterFacts> members;
  unsigned block_axes = 1;                        // axes of threadIdx that are used, at least one
  bool uses_x = true;                             // threadIdx.x is used; else a block may have to be one thread wide
  unsigned grid_axes = 1;                         // axes of blockIdx; 0: the blocks cannot be told apart
  bool one_block = false;                         // host code of the file launches it, always with one block
  std::uint64_t most_threads = kMaxBlockThreads;  // of a block, as __launch_bounds__ states
  bool dynamic_shared = false;
  bool cooperative = false;     // the kernel waits for the whole grid
  Extent cluster;               // its grids consist of whole ones
  std::optional<Extent> block;  // the only one that the kernel may be launched with
  std::uint64_t shared = 0;     // bytes of dynamic shared memory, if its compiler says
  bool compiled_sizes = false;  // sizes are compiled in: the code may be right for one grid only, which is not known
  std::vector<std::int64_t> compared;  // constants that something is compared with
  std::vector<std::int64_t> roles;     // those that blockIdx is compared with
  std::vector<std::int64_t> factors;   // constants that something is multiplied by, and the sides of arrays
  std::vector<std::pair<std::int64_t, std::int64_t>> tiles;  // rows and columns of arrays; simple ones have one row
  std::vector<std::pair<Term, Term>> asserted;               // are equal, or the kernel ends with an assertion

  // Whether all blocks of a launch do the same. That does not say that there is only one.
  bool has_equal_blocks() const { return grid_axes == 0 && cluster.count() == 1; }
  // Whether nothing says that a launch may have several blocks.
  bool supposes_blocks() const { return has_equal_blocks() || compiled_sizes; }
};

struct Input {
  LaunchSpec launch;
  ScheduleChoice schedule;
  std::uint64_t seed = 1;
};

class InputSource {
 public:
  // Keeps the values that `fixed` states; its extents only if `shape_fixed`.
  InputSource(const KernelFacts& facts, LaunchSpec fixed, bool shape_fixed, std::uint64_t seed);

  // The first inputs are natural ones, the rest are drawn at random.
  Input make(std::uint64_t number);
  // A copy of `parent` with one or two changes.
  Input mutated(const Input& parent, std::uint64_t number);

 private:
  void list_shapes();
  ArgumentSpec argument(const ParameterFacts& parameter, const LaunchSpec& launch, bool natural);
  std::int64_t size(const LaunchSpec& launch);
  std::string contents(const ParameterFacts& parameter, const LaunchSpec& launch, bool natural);
  bool is_fixed(const std::string& name) const;
  void finish(Input& input, std::uint64_t number);
  template <typename T>
  const T& pick(const std::vector<T>& list) {
    return list[rng_.below(list.size())];
  }

  const KernelFacts& facts_;
  LaunchSpec fixed_;
  bool shape_fixed_;
  std::uint64_t seed_;
  base::Rng rng_;
  std::vector<LaunchShape> shapes_;  // grids and blocks; the rest is the same for all
};

// Blocks with two axes that have a thread for each element of an array in the code.
std::vector<Extent> tile_blocks(const KernelFacts& facts);

// Makes what the kernel asserts hold, as far as parameters, and the extents unless they are fixed, can be chosen.
void keep_asserted(const KernelFacts& facts, const LaunchSpec& fixed, bool shape_fixed, LaunchSpec& launch);

// Something a kernel may rely on.
struct Relation {
  std::string text;         // "pitch >= width"
  bool for_writes = false;  // explains only conflicts between two writes
  bool of_launch = false;   // is about grid and block; if they are stated, they are meant
  bool for_waits = false;   // may explain why threads wait forever
  bool assumed = false;     // self-evident: nothing is reported for inputs that break it
  std::function<bool(const Input&)> holds;
  std::function<void(Input&)> repair;  // makes it hold
};

std::vector<Relation> possible_relations(const KernelFacts& facts);

}  // namespace weakspot::race
