// SPDX-License-Identifier: MIT
// A device that is a table of earlier measurements in the form of the MC Mutants data: how often each test showed its
// outcome in each environment. Slices are drawn from Poisson processes of these rates, so that searches can be
// compared, repeated and tested without hardware.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "campaign/measure.h"

namespace weakspot::campaign {

struct RecordedTable {
  std::vector<std::string> tests;
  std::vector<codegen::TestEnvironment> environments;
  std::vector<std::vector<Slice>> cells;  // by test and environment; no seconds: not measured
};

// {"0": {TEST: {seq, interleaved, weak, durationSeconds}, ..., "params": {...}}, "1": ...}. Keys that are not numbers
// are skipped.
base::Result<RecordedTable> read_recorded(const base::Source& text);

// Whether the key is the number of an environment in a file of recorded rates.
bool is_environment_number(std::string_view key);

// The table must outlive it. The same seed gives the same slice.
std::unique_ptr<Measurer> recorded_measurer(const RecordedTable& table);

// Draws the number of events of a Poisson process with this mean.
std::uint64_t poisson(base::Rng& rng, double mean);

}  // namespace weakspot::campaign
