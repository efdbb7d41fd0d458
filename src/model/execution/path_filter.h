// Which choices of a path per thread are worth making a frame of. A path that goes one way only if a read returns 1
// needs someone to store 1, and most combinations of paths have nobody who does.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus/test.h"
#include "model/execution/frames.h"

namespace weakspot::model {

class PathFilter {
 public:
  PathFilter(const litmus::LitmusTest& test, const std::vector<std::vector<SettledPath>>& paths);

  // False: some read of these paths, by index in each thread, must return what none of them stores.
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
