// SPDX-License-Identifier: MIT
// One run of a search. Its outcome is a value that does not depend on the runs before it, so that runs can be made in
// any order and in other processes.
//
// An access outside of a made-up array means that the array is too small: it grows, and the run is repeated. If the
// kernel still leaves its memory, fails an assertion or does not end, it cannot take the input, and the run is not
// judged.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "race/inputs.h"
#include "race_jit/search/findings.h"

namespace weakspot::race_jit {

// The outcome of a run.
struct Outcome {
  bool judged = false;
  Noticed noticed;
  std::vector<std::uint64_t> counts;                      // elements of the arguments; 0 if not an array
  std::vector<std::uint8_t> marks;                        // those of the kernel: set or not
  std::set<std::pair<race::SiteId, race::SiteId>> pairs;  // sites that accessed one word, ordered or not
  BarrierKnowledge known;
  std::uint64_t accesses = 0;  // in all attempts
  std::uint64_t blocks = 0;    // that came to their end, in the last attempt
  double crowding = 1;         // words per access: the fewer, the nearer to a conflict
  std::uint64_t spread = 0;    // words between the first and the last access
};

// Whether all flags, locks and counters start at zero.
bool starts_at_zero(const Kernel& kernel, const race::Input& input);

class InputRun {
 public:
  InputRun(Machine& device, DeviceModule& module) : device_(device), module_(module), mark_(device.arena().mark()) {}

  // Takes at most `seconds`. Arrays of the input grow as far as they have to.
  Outcome execute(const Kernel& kernel, race::Input& input, double seconds);

  // Lets arrays of the input grow until the kernel stays inside, but for those that `stated` has: those are as somebody
  // wants them. The name of an array that cannot be large enough, or empty. Forgets what else the runs showed.
  std::string fit_arrays(const Kernel& kernel, const race::LaunchSpec& stated, race::Input& input, double seconds);

 private:
  // An array past whose end an access was.
  struct SmallArray {
    race::ArgumentSpec* argument = nullptr;
    std::uint64_t needed = 0;  // elements
  };

  bool attempt(const Kernel& kernel, const race::Input& input, double seconds, Outcome& outcome);
  std::optional<SmallArray> small_array(const Kernel& kernel, race::LaunchSpec& launch, const Incident& incident) const;
  bool grow_arrays(const Kernel& kernel, race::Input& input, const std::vector<Incident>& incidents,
                   const race::LaunchSpec& stated) const;
  bool judge(const Kernel& kernel, const race::Input& input, const Noticed& noticed) const;
  void look_at_cells(Outcome& outcome, std::uint64_t accesses, std::uint64_t shared_bytes) const;

  Machine& device_;
  DeviceModule& module_;
  std::uint64_t mark_;
};

// A run for another copy of this process.
struct Task {
  std::uint64_t kernel = 0;  // its position in the module
  std::chrono::steady_clock::time_point end;
  race::Input input;
};

// For sending between copies of this process.
std::string task_bytes(const Task& task);
std::optional<Task> task_from(const std::string& bytes);
std::string outcome_bytes(const Outcome& outcome);
std::optional<Outcome> outcome_from(const std::string& bytes);

}  // namespace weakspot::race_jit
