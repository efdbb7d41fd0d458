// What is asked of a device and what came of it.
//
// A RunRecord holds enough to repeat the run from the record alone: the test's text, the environment with every
// parameter, the seed, and how long it was to go on. Its JSON form (record_json.h) is described in
// docs/results-format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/environment.h"
#include "codegen/test_program.h"
#include "litmus/test.h"
#include "stats/outcome_class.h"

namespace weakspot::campaign {

struct RunRequest {
  litmus::LitmusTest test;
  std::string device;
  codegen::TestEnvironment environment;
  std::uint64_t seed = 1;
  double seconds = 1;           // of running; not looked at if `instances` is not 0
  std::uint64_t instances = 0;  // at least so many, and less than one iteration more
  std::uint64_t memory = 0;     // bytes on the device; 0: a quarter of what is free
  double deadline = 60;         // seconds, after which the device is told to stop, and then given up
  stats::Expected expected;
  std::string started;  // date and time, for the record; may be empty

  friend bool operator==(const RunRequest&, const RunRequest&) = default;
};

enum class RunState : std::uint8_t {
  running,   // the record is a partial one
  finished,  // as asked
  stopped,   // ended early, by the deadline or by the user; what it did until then counts
  refused,   // the test cannot be run on this device or in this environment
  failed,    // the device could not be used: no memory, a compiler error
  lost,      // the device or the process that used it died, or hung
};
std::string_view to_string(RunState state);
std::optional<RunState> run_state_named(std::string_view name);

// Where an outcome was seen first.
struct FirstSeen {
  std::uint64_t launch = 0;  // of the run; its seed is launch_seed()
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

// A forbidden outcome, with all that is known of one instance that ended so. A device that does not note where outcomes
// are seen leaves `first`, `threads` and `addresses` empty.
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

struct RunRecord {
  std::string program;  // name and version of what ran it
  std::string started;

  std::string test;
  std::string hash;
  std::string text;  // canonical

  std::string device;
  std::string device_name;
  std::string driver;
  std::string code_hash;  // of what the device was given

  codegen::TestEnvironment environment;
  std::uint64_t seed = 0;
  double asked_seconds = 0;
  std::uint64_t asked_instances = 0;
  std::uint64_t asked_memory = 0;
  double deadline = 0;

  std::string model;
  std::string remark;  // of the model: how far it could tell

  std::uint64_t instances = 0;
  std::uint64_t unfinished = 0;  // of them: ended in a bounded loop, in no outcome
  std::uint64_t barrier_timeouts = 0;
  std::uint64_t launches = 0;
  std::uint64_t rounds = 0;
  std::uint32_t workgroups = 0;
  std::uint32_t workgroup_size = 0;
  std::uint32_t iterations = 0;  // per round
  std::uint64_t memory = 0;      // bytes of the largest launch
  double seconds = 0;            // on the device
  double host_seconds = 0;       // of the calls that ran it, device time included
  double compile_seconds = 0;

  std::vector<OutcomeCount> outcomes;
  std::vector<Witness> witnesses;

  RunState status = RunState::running;
  std::string message;  // for refused, failed and lost, and for stopped by the user

  std::uint64_t count(stats::OutcomeClass outcome_class) const;
  std::uint64_t matches() const;
  // Instances per second of the device.
  double rate() const { return seconds > 0 ? static_cast<double>(instances) / seconds : 0; }
  bool deliberately_broken() const { return environment.weaken != codegen::Weaken::none; }

  friend bool operator==(const RunRecord&, const RunRecord&) = default;
};

// A record of the request, before anything was done.
RunRecord begin_record(const RunRequest& request);

// What is drawn in the launches of a run comes from generators with these seeds.
std::uint64_t launch_seed(std::uint64_t seed, std::uint64_t launch);

}  // namespace weakspot::campaign
