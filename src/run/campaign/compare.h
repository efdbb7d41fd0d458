// SPDX-License-Identifier: MIT
// Compares two sets of runs outcome by outcome: two drivers, two interfaces, two environments.
#pragma once

#include <string>
#include <vector>

#include "campaign/environment_names.h"
#include "campaign/run_record.h"
#include "stats/run_variation.h"

namespace weakspot::campaign {

struct CompareOptions {
  double level = 0.01;     // the chance of at least one false difference among all comparisons
  double least_ratio = 1;  // a difference counts if the whole interval of the ratio lies beyond this or its inverse
  bool pool = false;       // add up environments instead of comparing each with itself
};

struct OutcomeComparison {
  std::string test;
  std::string device;       // empty unless a side has several
  std::string environment;  // the same
  std::string outcome;
  stats::OutcomeClass outcome_class = stats::OutcomeClass::unknown;
  bool matches = false;
  stats::Seen a, b;
  double seconds_a = 0, seconds_b = 0;
  stats::RunVariation variation;  // from run to run, as far as the records tell
  stats::CountDifference difference;
  double adjusted_p = 1;
  stats::RateRatio ratio;  // a to b, with an interval of confidence 1 - level
  bool differs = false;
};

// Runs that one side alone has.
struct LoneRuns {
  char side = 'A';
  std::string test, device, environment;
};

struct Comparison {
  std::vector<OutcomeComparison> outcomes;
  std::vector<LoneRuns> lone;
  std::size_t unknown_variation = 0;  // outcomes whose runs have too few slices to tell how much they vary
};

// Compares the runs of the same test (by its hash, not its name) and, where a side has several devices or environments,
// on the same device and in the same environment. Such runs of one side are added up; runs without instances are left
// out. An outcome that one side never saw counts 0 there.
Comparison compare_runs(const std::vector<RunRecord>& a, const std::vector<RunRecord>& b,
                        const CompareOptions& options);

// "MP on cuda:0 in env 1". Without names, the environment is told by its settings.
std::string place_text(const std::string& test, const std::string& device, const std::string& environment,
                       EnvironmentNames* names);
// Results that cannot be compared, and doubts about the others: a sentence each.
std::vector<std::string> notes_of(const Comparison& comparison, EnvironmentNames* names = nullptr);

// The devices of the records, each once, in order of appearance; likewise the environments, as texts.
std::vector<std::string> devices_of(const std::vector<RunRecord>& records);
std::vector<std::string> environments_of(const std::vector<RunRecord>& records);

}  // namespace weakspot::campaign
