// Cells that cannot be right: every instance of a test ends in one outcome, so that the counts of a cell must add up to
// its instances.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/study.h"

namespace weakspot::analysis {

struct BadCell {
  std::string study;
  std::string file;
  std::string key;
  std::string test;
  std::uint64_t expected = 0;
  std::uint64_t found = 0;

  friend bool operator==(const BadCell&, const BadCell&) = default;
};

// Where a file does not say how many instances there were, they follow from the parameters: iterations x
// testingWorkgroups x workgroupSize (256 where it is not given), or the iterations alone for tests of one instance. The
// number of iterations, which no published file gives, is the one that most cells of the device agree on; unless that
// is more than half of them nothing can be said.
std::vector<BadCell> bad_cells(const Study& study);

}  // namespace weakspot::analysis
