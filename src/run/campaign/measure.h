// SPDX-License-Identifier: MIT
// Measures how often a test shows its outcome in an environment: the one thing that tuning, mutation scores and
// conformance runs ask of a device. A measurement is a slice of device time; slices of one cell add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "campaign/runner.h"
#include "codegen/environment.h"
#include "litmus/test.h"
#include "stats/rates.h"
#include "stats/run_variation.h"

namespace weakspot::campaign {

// One test in one environment.
struct Cell {
  std::size_t test = 0;
  codegen::TestEnvironment environment;
};

// A test whose outcome a device cannot show. It is not measured and counts nowhere.
struct UnobservableTest {
  std::string test;
  std::string mutator;  // empty if it is not a mutant
  std::string reason;
  std::string model;  // the one that forbids it

  friend bool operator==(const UnobservableTest&, const UnobservableTest&) = default;
};

struct Slice {
  std::uint64_t kills = 0;  // instances in which the proposition of the test's condition held
  std::uint64_t instances = 0;
  double seconds = 0;        // device time
  std::string problem;       // why nothing, or not all, was measured; else empty
  bool lost = false;         // the device itself failed
  bool interrupted = false;  // by the user; what was measured until then counts
  stats::SlicedRun parts{};  // the kills of one run in order of time, as far as they are known; empty in a sum

  void add(const Slice& other);
  stats::Rate rate(double confidence = stats::kConfidence) const {
    return stats::per_second(kills, seconds, confidence);
  }

  friend bool operator==(const Slice&, const Slice&) = default;
};

// Notices when a device is gone for good. A device that its driver has reset, or whose process died of one program, is
// back for the next slice. Three losses in a row are not an accident, and each may take half a minute of waiting.
class Losses {
 public:
  static constexpr int kMost = 3;

  // A short budget calls for fewer.
  explicit Losses(int most = kMost) : most_(most) {}

  void note(bool lost) { in_a_row_ = lost ? in_a_row_ + 1 : 0; }
  void note(const Slice& slice) { note(slice.lost && !slice.interrupted); }
  bool is_gone() const { return in_a_row_ >= most_; }

 private:
  int most_;
  int in_a_row_ = 0;
};

class Measurer {
 public:
  virtual ~Measurer() = default;
  // Announces what will be measured soon, so that it can be compiled together.
  virtual void announce(std::span<const Cell> /*cells*/) {}
  // Measures for about `seconds` of the device's time. The seed decides what is drawn at random.
  virtual Slice measure(const Cell& cell, double seconds, std::uint64_t seed) = 0;
  // The same for a slice that does not influence what is measured next.
  virtual Slice check(const Cell& cell, double seconds, std::uint64_t seed) { return measure(cell, seconds, seed); }
};

// The parameters that all runs share.
struct MeasureSetup {
  std::string device;
  std::uint64_t memory = 0;  // bytes on the device; 0: a quarter of what is free
  std::string started;
  bool optcheck = false;
};

// Returns the measurement of a run. `cancelled`: the user has asked to stop. A device that cannot be opened counts as
// lost.
Slice slice_of(const RunRecord& record, bool cancelled);

// Slices run on a device. The executor and the observer must outlive it.
std::unique_ptr<Measurer> device_measurer(Executor& executor, std::span<const litmus::LitmusTest> tests,
                                          MeasureSetup setup, RunObserver& observer);

// A request for a run of `seconds`, without expectations about its outcomes.
RunRequest slice_request(RunTest test, const codegen::TestEnvironment& environment, const MeasureSetup& setup,
                         double seconds, std::uint64_t seed);

}  // namespace weakspot::campaign
