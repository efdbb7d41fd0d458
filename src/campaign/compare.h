// Two sets of runs held against each other, outcome by outcome: two drivers, two interfaces, two environments.
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"
#include "stats/compare_counts.h"

namespace weakspot::campaign {

struct CompareOptions {
  double level = 0.01;     // chance of any false difference, all comparisons together
  double least_ratio = 1;  // differences matter if the whole interval of the ratio is beyond this or its inverse
  bool pool = false;       // add up environments instead of comparing each with itself
};

struct OutcomeComparison {
  std::string test;
  std::string device;       // where a side has several; else empty
  std::string environment;  // the same
  std::string outcome;
  stats::OutcomeClass outcome_class = stats::OutcomeClass::unknown;
  bool matches = false;
  stats::Seen a, b;
  double seconds_a = 0, seconds_b = 0;
  stats::CountDifference difference;
  double adjusted_p = 1;
  stats::RateRatio ratio;  // of a to b, its interval with confidence 1 - level
  bool differs = false;
};

struct Comparison {
  std::vector<OutcomeComparison> outcomes;
  std::vector<std::string> notes;  // what could not be compared
};

// Compares what both sides have of the same test (by its hash, whatever its name); where a side has several devices or
// environments, of the same one. Runs without instances are left out.
// Records of the same are added up. An outcome that one side never saw counts 0 there.
Comparison compare_runs(const std::vector<RunRecord>& a, const std::vector<RunRecord>& b,
                        const CompareOptions& options);

// The devices of the records, each once, in their order; the environments as texts.
std::vector<std::string> devices_of(const std::vector<RunRecord>& records);
std::vector<std::string> environments_of(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign
