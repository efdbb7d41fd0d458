// A test made ready for a device, and its results turned back into outcomes: the face of this module.
//
//   compile() -> TestProgram; the device loads program(); plan() -> Launch for the workgroups that fit; the device runs
//   it; decode() -> outcomes and how often each was seen.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/rng.h"
#include "codegen/device_program.h"
#include "codegen/harness/harness.h"
#include "codegen/harness/stress_plan.h"
#include "litmus/outcome.h"

namespace weakspot::codegen {

struct PlanOptions {
  std::uint32_t resident_workgroups = 1;  // of entry run_entry() that fit on the device at once
  std::uint64_t memory_bytes = 0;         // the most that the launch may use
  std::uint32_t rounds = 1;
  std::uint64_t seed = 0;  // for what is drawn per iteration
  std::uint32_t multiprocessors = 1;
  std::uint64_t most_instances = 0;  // per round, 0: as the environment says; one iteration is the least
};

// A launch and what is needed to understand its results.
struct PlannedRun {
  Launch launch;
  PlanShape shape;
  std::uint32_t iterations = 0;  // per round
  std::uint64_t instances = 0;   // per iteration
  std::uint64_t instances_per_round() const { return instances * iterations; }
};

// One instance of a run.
struct Sighting {
  std::uint32_t round = 0;
  std::uint32_t iteration = 0;  // of the round
  std::uint32_t instance = 0;   // of the iteration

  friend bool operator==(const Sighting&, const Sighting&) = default;
};

struct Decoded {
  litmus::Histogram histogram;
  // Of every outcome, one of the first instances that ended so, if the device has noted it.
  std::map<litmus::Outcome, Sighting> sightings;
  std::uint64_t instances = 0;   // that ran
  std::uint64_t unfinished = 0;  // of them: ended in a bounded loop, in no outcome
  std::uint64_t barrier_timeouts = 0;
};

// Who ran an instance, and where its memory was.
struct InstancePlace {
  struct Thread {
    std::uint32_t workgroup = 0;  // as the device numbers them
    std::uint32_t local = 0;      // thread of the workgroup

    friend bool operator==(const Thread&, const Thread&) = default;
  };
  std::vector<Thread> threads;  // by thread of the test
  // By location of the test: word of the memory buffer, or of the workgroup's memory.
  std::vector<std::uint64_t> words;
};

class TestProgram {
 public:
  static base::Result<TestProgram> compile(const litmus::LitmusTest& test, const TestEnvironment& environment,
                                           Target target, const TargetLimits& limits);

  const Harness& harness() const { return harness_; }
  const KernelModule& kernels() const { return kernels_; }
  const DeviceProgram& program() const { return program_; }
  std::uint32_t run_entry() const { return !program_.cpu && harness_.needs_init ? 1 : 0; }

  // Fails if not even one iteration fits into the memory. Where the test has more workgroups than fit on the device at
  // once, the launch has, too: that is for the device to take or to refuse.
  base::Result<PlannedRun> plan(const PlanOptions& options) const;

  // `buffers` as the device gave them back. Fails if the counts do not add up to the instances that ran.
  base::Result<Decoded> decode(const PlannedRun& run, const std::vector<std::vector<std::uint32_t>>& buffers) const;

  InstancePlace locate(const PlannedRun& run, const Sighting& sighting) const;

 private:
  TestProgram(Harness harness) : harness_(std::move(harness)) {}  // NOLINT

  Harness harness_;
  KernelModule kernels_;
  DeviceProgram program_;
};

}  // namespace weakspot::codegen
