// SPDX-License-Identifier: MIT
// Drops choices of one path per thread that cannot happen. A path that is taken only if a read returns 1 needs a store
// of 1, and most combinations of paths do not have one.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/test.h"
#include "model/execution/frames.h"

namespace weakspot::model {

class PathFilter {
 public:
  // Admits too much if the allowance is used up.
  PathFilter(const litmus::LitmusTest& test, const std::vector<std::vector<SettledPath>>& paths, Allowance& allowance);

  // `choice` has the index of a path for each thread. False: some read must return a value that none of them stores.
  bool admits(const std::vector<std::size_t>& choice) const;

 private:
  using Stores = std::vector<std::uint32_t>;  // numbers of stores, sorted
  struct Entry {
    Stores makes;
    std::vector<Stores> needs;  // one of each
  };
  std::vector<std::vector<Entry>> entries_;  // by thread and path
};

}  // namespace weakspot::model
