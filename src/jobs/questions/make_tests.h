// SPDX-License-Identifier: MIT
// Makes tests: from cycles, all over a vocabulary of edges, or by disrupting others.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "litmus/dialect.h"
#include "litmus/test.h"
#include "questions/model_filter.h"

namespace weakspot::questions {

// Takes the tests as they are made. False: make no more.
using TestSink = std::function<bool(const litmus::LitmusTest&)>;

struct GenerateRequest {
  std::vector<std::string> cycles;  // edges ("Rfe PodRR Fre PodWW") or names (MP+fence.sc+addr); none: a search
  std::string config_file;          // the search's configuration; empty: none
  std::vector<std::pair<std::string, std::string>> settings;  // keys of a configuration, over the file's
  std::string minimal;  // a model: gives each cycle the weakest orders with which it is forbidden; empty: none
  ModelFilterRequest filter;
};

// Counts what was made before the end, or before the user asked to stop (the filter holds that flag).
struct GenerateResult {
  std::size_t cycles = 0;    // found by the search
  std::size_t refused = 0;   // cycles among them that the dialect cannot express
  base::Diagnostics errors;  // for cycles that gave no test
};

// Fails if the request gives nothing to do, or a model cannot be read.
base::Result<GenerateResult> generate_tests(const GenerateRequest& request, const TestSink& sink);

struct MutateOptions {
  std::vector<std::string> mutators;  // their words; none: all
  ModelFilterRequest filter;          // empty: mutants that mutant_model() still forbids are dropped
  bool keep_forbidden = false;        // they are kept
};

// The number of mutants that were dropped. Fails if a mutator or a model is unknown.
base::Result<std::size_t> mutate_tests(const std::vector<litmus::LitmusTest>& tests, const MutateOptions& options,
                                       const TestSink& sink);

// The dialect to write a test in if none is asked for: its architecture's, or the canonical form if it has threads on a
// CPU beside a GPU, for which no other has words.
litmus::Dialect usual_dialect(const litmus::LitmusTest& test);

// The words of all mutators: "swap, split, ..."
std::string mutator_list();

}  // namespace weakspot::questions
