// A device that is a table: how often each test showed its outcome in each environment when someone measured it, in the
// form of the MC Mutants data. Slices are drawn as a Poisson process would give them, so that searches can be compared,
// repeated and tested without a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "base/source.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

struct RecordedTable {
  std::vector<std::string> tests;
  std::vector<codegen::TestEnvironment> environments;
  std::vector<std::vector<Slice>> cells;  // by test and environment; no seconds: not measured
};

// {"0": {TEST: {seq, interleaved, weak, durationSeconds}, ..., "params": {...}}, "1": ...}; what has no number as its
// key is passed over. Errors name file, key and cell.
base::Result<RecordedTable> read_recorded(const base::Source& text);

// The table must outlive it. The same seed gives the same slice.
std::unique_ptr<Measurer> recorded_measurer(const RecordedTable& table);

// The number of events of a Poisson process that has so many on average.
std::uint64_t poisson(base::Rng& rng, double mean);

}  // namespace weakspot::campaign
