// Arguments for a kernel: as asked for, or made up from its parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/request.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/arena.h"

namespace weakspot::race_jit {

// With the clusters that the kernel says it has, if the launch says nothing; a grid that nobody asked for is made of
// whole ones.
race::LaunchShape with_cluster(const Kernel& kernel, race::LaunchShape launch, bool round_up);

// With something for each parameter that nothing is said about: for a pointer an array of an element per thread, twice
// over; for a number the number of threads. Structures stay unsaid, they are zero.
race::LaunchSpec with_all_arguments(const Kernel& kernel, race::LaunchSpec launch);

class Arguments {
 public:
  // Allocates and fills; contents depend on the seed and the parameter's name alone. Arrays lie `gap` bytes apart.
  static base::Result<Arguments> make(const Kernel& kernel, const race::LaunchSpec& launch, Arena& arena,
                                      std::uint64_t seed, std::uint64_t gap = Arena::kGap);

  void** pointers() { return pointers_.data(); }

 private:
  std::vector<std::unique_ptr<char[]>> values_;
  std::vector<void*> pointers_;
};

}  // namespace weakspot::race_jit
