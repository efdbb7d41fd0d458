// SPDX-License-Identifier: MIT
// Finds cells that cannot be right: every instance of a test ends in one outcome, so the counts of a cell must add up
// to its instances.
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

// If a file does not give the number of instances, it follows from the parameters: iterations x testingWorkgroups x
// workgroupSize (256 if not given), or the iterations alone for tests of one instance. No published file gives the
// number of iterations; it is the one that more than half of the device's cells agree on. If there is no such number,
// no cell is called bad.
std::vector<BadCell> bad_cells(const Study& study);

}  // namespace weakspot::analysis
