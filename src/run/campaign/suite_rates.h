// SPDX-License-Identifier: MIT
// Makes a suite from the journal of a search: each mutant gets the environment with the highest lower bound of its kill
// rate, and that rate.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "campaign/conformance_suite.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

// All slices of a journal (tune_journal.h), added up.
struct JournalRates {
  struct Cell {
    Slice sum;
    std::size_t slices = 0;
  };
  std::string device_name;
  std::vector<std::string> tests, hashes;          // names, and hashes of what they ask
  std::vector<std::map<std::string, Cell>> cells;  // by test, then by the text of the environment
};

// A last line that was cut off is dropped.
base::Result<JournalRates> read_journal_rates(const base::Source& text);

// Replaces the suite's environments and rates. A single slice may be luck: an environment measured only once is chosen
// only if those measured again are less than half as good. Mutants that were never killed become `unseen`. Fails if a
// mutant is not in the journal or has changed since.
base::Result<ConformanceSuite> with_rates(ConformanceSuite suite, const JournalRates& rates);

}  // namespace weakspot::campaign
