// Inputs for a kernel of which nothing says how it is launched: shapes, sizes and contents that are worth trying, made
// up from what its code tells. The same seed gives the same inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "race/request.h"

namespace weakspot::race {

// What the code does with a parameter.
struct ParameterFacts {
  std::string name;
  std::string type;        // of the value, or of the elements of an array
  bool pointer = false;    // an array
  bool floating = false;   // numbers with a fraction
  bool structure = false;  // nothing can be made up for it: zero
  bool atomic = false;     // an array of flags, locks or counters: starts at zero, mostly
  bool index = false;      // an array whose values become part of addresses
  bool limits = false;     // an array whose values end loops: offsets of rows
  bool factor = false;     // a number that is multiplied: a pitch, a width
  bool bound = false;      // a number that something is compared with
};

struct KernelFacts {
  std::vector<ParameterFacts> parameters;
  unsigned block_axes = 1;  // of threadIdx that are used, at least one
  unsigned grid_axes = 1;   // of blockIdx; 0: the blocks cannot be told apart
  bool dynamic_shared = false;
  bool cooperative = false;            // it waits for the whole grid
  Extent cluster;                      // of which its grids are made
  std::vector<std::int64_t> compared;  // constants that something is compared with
  std::vector<std::int64_t> factors;   // constants that something is multiplied by, and the sides of arrays
};

struct Input {
  LaunchSpec launch;
  ScheduleChoice schedule;
  std::uint64_t seed = 1;
};

class InputSource {
 public:
  // What `fixed` says is left as it is; its extents count if `shape_fixed`.
  InputSource(const KernelFacts& facts, LaunchSpec fixed, bool shape_fixed, std::uint64_t seed);

  // The first are the natural ones, then they are drawn.
  Input make(std::uint64_t number);
  // Like a given one but for one thing or two.
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

// Something a kernel may rely on.
struct Relation {
  std::string text;         // "pitch >= width"
  bool for_writes = false;  // explains only conflicts of two writes
  bool of_launch = false;   // is about grid and block, which whoever states them means
  bool for_plain = false;   // explains no conflict of two atomics
  bool for_waits = false;   // may explain that threads wait for ever
  bool assumed = false;     // goes without saying: what breaks it is not worth a word
  std::function<bool(const Input&)> holds;
  std::function<void(Input&)> mend;
};

std::vector<Relation> possible_relations(const KernelFacts& facts);

}  // namespace weakspot::race
