// Arguments for a kernel: as asked for, or made up from its parameters.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "race/request.h"
#include "race_jit/arena.h"
#include "race_jit/device_module.h"

namespace weakspot::race_jit {

class Arguments {
 public:
  // Allocates and fills. Pointers that nothing is said about get an array of an element per thread, twice over;
  // integers the number of threads.
  static base::Result<Arguments> make(const Kernel& kernel, const race::LaunchSpec& launch, Arena& arena,
                                      base::Rng& rng);

  void** pointers() { return pointers_.data(); }

 private:
  std::vector<std::unique_ptr<char[]>> values_;
  std::vector<void*> pointers_;
};

}  // namespace weakspot::race_jit
