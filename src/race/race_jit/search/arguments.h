// SPDX-License-Identifier: MIT
// Arguments for a kernel: as stated, or made up from its parameters.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "race/request.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

// The launch with the clusters that the kernel declares, if it states none. With `round_up`, the grid grows to whole
// clusters, for launches that nobody stated.
race::LaunchShape with_cluster(const Kernel& kernel, race::LaunchShape launch, bool round_up);

// The launch with a value for each parameter that it does not state: for a pointer, an array with two elements for each
// thread; for a number, the number of threads. Structures get values for their members.
race::LaunchSpec with_all_arguments(const Kernel& kernel, race::LaunchSpec launch);

// Whether a parameter, or a member of one that is a structure, has the name.
bool has_parameter(const Kernel& kernel, const std::string& name);

// Says that nothing can be made up for a structure or one of its members, which is why the kernel does not do what it
// is written for; else empty.
std::string zero_parameter(const Kernel& kernel);

class Arguments {
 public:
  // Allocates and fills; contents depend on the seed and the parameter's name alone. Arrays lie `gap` bytes apart.
  static base::Result<Arguments> make(const Kernel& kernel, const race::LaunchSpec& launch, Arena& arena,
                                      std::uint64_t seed, std::uint64_t gap = Arena::kGap);

  void** pointers() { return pointers_.data(); }

  struct Array {
    std::string name;
    std::string type;  // an element's
    std::uint64_t element = 0;
    std::string_view bytes;  // in the memory of the device: what is there now
  };
  const std::vector<Array>& arrays() const { return arrays_; }

 private:
  std::vector<std::unique_ptr<char[]>> values_;
  std::vector<void*> pointers_;
  std::vector<Array> arrays_;
};

}  // namespace weakspot::race_jit
