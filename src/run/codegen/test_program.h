// SPDX-License-Identifier: MIT
// A test compiled for a device, and the device's results decoded into outcomes: the face of this module.
//
//   compile() -> TestProgram; the device loads program(); plan() -> Launch for the workgroups that fit; the device runs
//   it; decode() -> outcomes and how often each was seen.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/result.h"
#include "codegen/device_program.h"
#include "codegen/environment.h"
#include "codegen/planned_run.h"
#include "litmus/outcome.h"

namespace weakspot::litmus {
struct LitmusTest;
}  // namespace weakspot::litmus

namespace weakspot::codegen {

struct Harness;       // harness/harness.h
struct KernelModule;  // kernel/kernel.h

struct Decoded {
  litmus::Histogram histogram;
  // For each outcome, one of the first instances that ended in it, if the device recorded one.
  std::map<litmus::Outcome, Sighting> sightings;
  std::uint64_t instances = 0;   // those that ran
  std::uint64_t unfinished = 0;  // those that gave up in a bounded loop and have no outcome
  std::uint64_t barrier_timeouts = 0;
};

// The threads that ran an instance, and the places of its locations.
struct InstancePlace {
  struct Thread {
    std::uint32_t workgroup = 0;  // in the device's numbering
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

  const DeviceProgram& program() const { return program_; }
  // Has the device keep the machine code of the test, which it may then make in another way.
  void inspect();
  // The test as it is meant to run: with the widths that the environment says, without its planted faults.
  const litmus::LitmusTest& asked() const;
  // True for asynchronous tests, whose kernels nothing compares with machine code.
  bool is_asynchronous() const;
  // True for loads through textures or constant memory, which nothing compares with machine code either.
  bool has_views() const;
  std::uint32_t run_entry() const;
  std::uint32_t workgroup_size() const;  // of the entry that runs the test

  // The sources of the program, for tests; a CPU has no kernels.
  const Harness& harness() const { return *harness_; }
  const KernelModule& kernels() const { return *kernels_; }

  // Fails if not even one iteration fits into the memory. If the test needs more workgroups than fit on the device at
  // once, so does the launch; the device accepts or refuses it.
  base::Result<PlannedRun> plan(const PlanOptions& options) const;

  // `buffers` as read back from the device. Fails if the counts do not add up to the instances that ran.
  base::Result<Decoded> decode(const PlannedRun& run, const std::vector<std::vector<std::uint32_t>>& buffers) const;

  InstancePlace locate(const PlannedRun& run, const Sighting& sighting) const;

 private:
  explicit TestProgram(std::shared_ptr<const Harness> harness) : harness_(std::move(harness)) {}

  std::shared_ptr<const Harness> harness_;
  std::shared_ptr<const KernelModule> kernels_;
  DeviceProgram program_;
};

// True if TestProgram::compile() would succeed, found out without emitting a program.
bool can_compile(const litmus::LitmusTest& test, const TestEnvironment& environment, Target target,
                 const TargetLimits& limits);

// True if a device of some kind could run the test in the environment.
bool runs_somewhere(const litmus::LitmusTest& test, const TestEnvironment& environment);

}  // namespace weakspot::codegen
