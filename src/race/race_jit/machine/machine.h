// SPDX-License-Identifier: MIT
// The simulated device: its memory, the code's sites and textures, its launches, and what was noticed in them. A core
// (core.h) runs the blocks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "race/detector.h"
#include "race/mutants.h"
#include "race/site.h"
#include "race/weak_memory.h"
#include "race_jit/launch/launch_request.h"
#include "race_jit/launch/notes.h"
#include "race_jit/machine/child_launch.h"
#include "race_jit/machine/core.h"
#include "race_jit/machine/textures.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

struct MachineOptions {
  race::DetectorOptions detector;
  // Blocks are shared among cores once the first ones have made this many accesses: a millisecond of work.
  std::uint64_t worth_sharing = 100'000;
};

class Machine {
 public:
  // Compiled code of this thread of the process runs on it from now on.
  Machine(std::unique_ptr<Arena> arena, MachineOptions options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // Executes a launch to its end; false when it had to be abandoned (an incident says why).
  bool launch(const LaunchRequest& request, Schedule schedule);
  std::uint32_t launches() const { return launches_; }
  // The intervals of the last launch.
  race::IntervalRange last_intervals() const { return {first_interval_, detector().last_interval() + 1}; }

  Arena& arena() { return *arena_; }
  race::Detector& detector() { return core_.detector(); }
  const race::Detector& detector() const { return core_.detector(); }
  Textures& textures() { return textures_; }
  std::vector<race::Site>& sites() { return sites_; }
  const std::vector<race::Site>& sites() const { return sites_; }
  Core& core() { return core_; }

  const std::vector<Incident>& incidents() const { return core_.notes().incidents(); }
  // Returns the incidents noted since the last call.
  std::vector<Incident> take_incidents() { return core_.notes().take_incidents(); }
  const std::map<race::SiteId, BarrierUse>& barriers() const { return core_.notes().barriers(); }
  // Takes what was learnt since the last call; adds such knowledge.
  BarrierKnowledge take_barriers() { return core_.take_barriers(); }
  void add_barriers(const BarrierKnowledge& knowledge);
  std::string& output() { return core_.notes().output(); }
  // Something at that site, 0 for the host, was left out of the run.
  void doubt(race::Effect effect, race::SiteId site) { core_.doubt(effect, site); }
  // The launches made by the kernel of the last launch, and whether they will run.
  std::vector<ChildLaunch>& children() { return children_; }
  bool runs_children() const { return runs_children_; }
  void run_children(bool may) { runs_children_ = may; }
  std::uint64_t checked_accesses() const { return core_.counts().checked; }
  // Blocks of all launches that came to their end.
  std::uint64_t ended_blocks() const { return core_.counts().blocks; }
  // Accesses that a copy of this machine has made.
  void count_accesses(std::uint64_t more) { core_.counts().checked += more; }

  // From now on threads skip the barriers at these sites.
  void skip_barriers(const std::vector<race::SiteId>& sites) { mutate(sites, race::MutantKind::no_barrier); }
  // From now on the operations at these sites are weaker; no sites: none is.
  void mutate(const std::vector<race::SiteId>& sites, race::MutantKind kind) {
    core_.mutation().set(sites, kind, sites_.size());
  }
  // From now on strong reads choose among the values that PTX's memory model allows; nothing: they read the newest.
  void set_weak(const std::optional<race::WeakChoices>& choices);
  const race::WeakMemory& weak() const { return weak_; }
  // The number of operations skipped or changed in the last launch.
  std::uint64_t skipped() const { return core_.mutation().applied(); }

  // Sets the bytes in which compiled code marks the branches that it takes. They must outlive the machine's launches.
  void set_branch_marks(std::span<std::uint8_t> marks) { marks_ = marks; }
  std::span<std::uint8_t> marks() const { return marks_; }

  // For its core: lets workers run the blocks from the place `next` of the schedule on, if that is worth it and the
  // blocks are independent. `none`: nothing has changed.
  enum class Sharing : std::uint8_t { none, done, late };
  Sharing share(const LaunchRequest& request, Schedule schedule, std::uint64_t next, std::uint64_t total);
  // For the crew: what a worker counted.
  void take_counts(Core& worker);

 private:
  bool is_worth_a_crew(const LaunchRequest& request, std::uint64_t blocks) const;

  MachineOptions options_;
  std::unique_ptr<Arena> arena_;
  std::vector<race::Site> sites_{1};  // number 0: no site
  Textures textures_;
  std::vector<ChildLaunch> children_;
  bool runs_children_ = false;
  std::span<std::uint8_t> marks_;
  race::WeakMemory weak_;
  Core core_;
  std::unique_ptr<Crew> crew_;            // once there was a launch for it
  std::set<void (*)(void**)> dependent_;  // kernels whose blocks need each other
  race::Interval first_interval_ = 0;
  std::uint32_t launches_ = 0;
};

}  // namespace weakspot::race_jit
