// A suite from what a search measured: each mutant with the environment in which it was surely killed most often, and
// how often that was.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
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

// A last line that was cut off is dropped; errors name the line.
base::Result<JournalRates> read_journal_rates(const base::Source& text);

// In place of the suite's environments and rates. What one slice showed may be luck: an environment that did not repeat
// it is taken only if those that did are less than half as good. Mutants that were never killed become `unseen`. Fails
// if a mutant is not in the journal, or was another test then.
base::Result<ConformanceSuite> with_rates(ConformanceSuite suite, const JournalRates& rates);

}  // namespace weakspot::campaign
