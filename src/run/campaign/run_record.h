// SPDX-License-Identifier: MIT
// A request to a device, and the record of its run.
//
// A RunRecord holds enough to repeat the run from the record alone: the test's text, the environment with every
// parameter, the seed, and how long it was to go on. Its JSON form (record_json.h) is described in
// docs/results-format.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/environment.h"
#include "codegen/test_program.h"
#include "litmus/test.h"
#include "optcheck/verdict.h"
#include "stats/outcome_class.h"

namespace weakspot::campaign {

// A test with its canonical text and its hash. Both are made once, here; copies share them.
class RunTest {
 public:
  RunTest() : RunTest(litmus::LitmusTest{}, "", "") {}
  RunTest(litmus::LitmusTest test);  // NOLINT
  // The text and the hash must be the test's own.
  RunTest(litmus::LitmusTest test, std::string text, std::string hash)
      : shared_(std::make_shared<const Shared>(Shared{std::move(test), std::move(text), std::move(hash)})) {}

  operator const litmus::LitmusTest&() const { return shared_->test; }  // NOLINT
  const litmus::LitmusTest& operator*() const { return shared_->test; }
  const litmus::LitmusTest* operator->() const { return &shared_->test; }
  const std::string& text() const { return shared_->text; }
  const std::string& hash() const { return shared_->hash; }

  friend bool operator==(const RunTest& a, const RunTest& b) { return *a == *b; }

 private:
  struct Shared {
    litmus::LitmusTest test;
    std::string text, hash;
  };
  std::shared_ptr<const Shared> shared_;
};

struct RunRequest {
  RunTest test;
  std::string device;
  codegen::TestEnvironment environment;
  std::uint64_t seed = 1;
  double seconds = 1;           // running time; ignored unless `instances` is 0
  std::uint64_t instances = 0;  // the least number; a run exceeds it by less than one iteration
  std::uint64_t memory = 0;     // bytes on the device; 0: a quarter of what is free
  double deadline = 60;         // seconds after which the device is told to stop, and then given up
  double judging = 0;           // seconds that the model was given on request; 0: the default
  bool optcheck = false;        // checks that the code is the test, while it runs
  bool code_later = false;      // the record may come before that is known: Executor::codes() says it
  stats::Expected expected;
  std::string started;  // date and time, for the record; may be empty

  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

enum class RunState : std::uint8_t {
  running,   // the record is a partial one
  finished,  // ran to its end
  stopped,   // ended early, by the deadline or by the user; its results until then count
  refused,   // the test cannot be run on this device or in this environment
  failed,    // the device could not be used: no memory, a compiler error
  lost,      // the device or the process that used it died, or hung
};
std::string_view to_string(RunState state);
std::optional<RunState> run_state_named(std::string_view name);

// The place where an outcome was seen first.
struct FirstSeen {
  std::uint64_t launch = 0;  // number in the run; its seed is codegen::launch_seed()
  codegen::Sighting at;

  friend bool operator==(const FirstSeen&, const FirstSeen&) = default;
};

struct OutcomeCount {
  std::string outcome;  // "1:r0=1; 1:r1=0;"
  std::uint64_t count = 0;
  stats::OutcomeClass outcome_class = stats::OutcomeClass::unknown;
  bool matches = false;  // the proposition of the test's condition
  std::optional<FirstSeen> first;

  friend bool operator==(const OutcomeCount&, const OutcomeCount&) = default;
};

// A stretch of a run. Slices tell how much an outcome's chance varies while nothing is changed.
struct RunSlice {
  std::uint64_t instances = 0;
  std::vector<std::uint64_t> counts;  // by outcome of the record

  friend bool operator==(const RunSlice&, const RunSlice&) = default;
};

// A forbidden outcome, with all that is known about one instance that ended in it. A device that does not note where
// outcomes are seen leaves `first`, `threads` and `addresses` empty.
struct Witness {
  struct Thread {
    std::string name;  // "P0"
    std::uint32_t workgroup = 0;
    std::uint32_t local = 0;
    friend bool operator==(const Thread&, const Thread&) = default;
  };
  struct Address {
    std::string location;
    std::string space;  // "memory" (the buffer) or "shared"
    std::uint64_t word = 0;
    friend bool operator==(const Address&, const Address&) = default;
  };
  std::string outcome;
  std::optional<FirstSeen> first;
  std::uint64_t launch_seed = 0;
  std::vector<Thread> threads;
  std::vector<Address> addresses;

  friend bool operator==(const Witness&, const Witness&) = default;
};

// The verdict on whether the code that ran is the test.
struct CheckedCode {
  optcheck::CodeVerdict verdict = optcheck::CodeVerdict::unknown;
  std::string reason;
  bool afterwards = false;  // nobody asked before the run showed something forbidden: code that was compiled once more

  friend bool operator==(const CheckedCode&, const CheckedCode&) = default;
};

struct RunRecord {
  std::string program;  // name and version of the program that ran it
  std::string started;

  std::string test;
  std::string hash;
  std::string text;  // canonical

  std::string device;
  std::string device_name;
  std::string driver;
  std::string code_hash;            // hash of the program given to the device
  std::optional<CheckedCode> code;  // if it was checked

  codegen::TestEnvironment environment;
  std::uint64_t seed = 0;
  double asked_seconds = 0;
  std::uint64_t asked_instances = 0;
  std::uint64_t asked_memory = 0;
  double deadline = 0;
  double asked_judging = 0;

  std::string model;
  std::string remark;  // the limits of the model's judgement

  std::uint64_t instances = 0;
  std::uint64_t unfinished = 0;  // instances that hit a loop bound and have no outcome
  std::uint64_t barrier_timeouts = 0;
  std::uint64_t launches = 0;
  std::uint64_t rounds = 0;
  std::uint32_t workgroups = 0;
  std::uint32_t workgroup_size = 0;
  std::uint32_t iterations = 0;  // per round
  std::uint64_t memory = 0;      // bytes of the largest launch
  double seconds = 0;            // on the device
  double host_seconds = 0;       // the calls that ran it, device time included
  double compile_seconds = 0;

  std::vector<OutcomeCount> outcomes;
  std::vector<RunSlice> slices;  // in order of time; they add up to the run. Empty while it runs, and in old records
  std::vector<Witness> witnesses;

  RunState status = RunState::running;
  std::string message;  // why the run was refused, failed, was lost or stopped

  std::uint64_t count(stats::OutcomeClass outcome_class) const;
  std::uint64_t matches() const;
  // Instances per second of the device.
  double rate() const { return seconds > 0 ? static_cast<double>(instances) / seconds : 0; }
  // Outcomes of changed code are neither the test's nor forbidden.
  void set_code(CheckedCode checked);
  bool is_changed() const { return code && code->verdict == optcheck::CodeVerdict::changed; }
  bool deliberately_broken() const { return environment.weaken != codegen::Weaken::none; }

  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// The record of a request before anything was done.
RunRecord begin_record(const RunRequest& request);

}  // namespace weakspot::campaign
