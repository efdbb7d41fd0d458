// SPDX-License-Identifier: MIT
// The simulated device while it runs: memory, detector, threads, and what was noticed.
//
// Threads of a block run in turns, each until it waits. A barrier or warp operation is settled between the turns: if
// all threads that it needs have arrived, the detector is told and they may run again. A thread that polls memory gives
// way now and then, so that the others can change it.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "race/detector.h"
#include "race/mutants.h"
#include "race/request.h"
#include "race/site.h"
#include "race_jit/machine/arena.h"
#include "race_jit/machine/async_copies.h"
#include "race_jit/machine/bulk_copies.h"
#include "race_jit/machine/child_launch.h"
#include "race_jit/machine/context.h"
#include "race_jit/machine/fibre.h"
#include "race_jit/machine/gates.h"
#include "race_jit/machine/incident.h"
#include "race_jit/machine/matrix_reads.h"
#include "race_jit/machine/meeting.h"
#include "race_jit/machine/shared_uses.h"
#include "race_jit/machine/textures.h"
#include "race_jit/machine/touched.h"

namespace weakspot::race_jit {

using race::Extent;
using race::Schedule;

struct MachineOptions {
  race::DetectorOptions detector;
  // Blocks are shared among cores once the first ones have made this many accesses: a millisecond of work.
  std::uint64_t worth_sharing = 100'000;
};

struct BarrierUse {
  std::uint64_t instances = 0;
  std::uint64_t threads = 0;  // the most that met at one instance
};

// Which barriers were met, and which of them were needed to order something.
struct BarrierKnowledge {
  std::map<race::SiteId, BarrierUse> uses;
  std::set<race::SiteId> needed;
};

// What the machine runs. The cluster divides the grid.
struct LaunchRequest : race::LaunchShape {
  void (*entry)(void**) = nullptr;
  void** arguments = nullptr;
  std::uint64_t static_shared = 0;  // bytes of shared variables, beside the dynamic ones
  // Launches that may run at the same time, by their intervals. Their blocks have other numbers.
  std::vector<race::IntervalRange> concurrent;
  race::IntervalRange prerequisite;  // the one of them that this one depends on
  std::uint64_t first_block = 0;
  bool keep_history = false;  // a later launch may be concurrent with earlier ones
  std::uint64_t seed = 1;     // of a random schedule
  unsigned cores = 1;         // that may share the blocks

  std::uint64_t shared_bytes() const { return static_shared + shared; }
};

struct BlockRun;
class Crew;
class ShadowMemory;

class Machine;
// The device that compiled code on this thread of the process runs on, and its thread that runs.
extern constinit thread_local Machine* machine;
extern "C" constinit thread_local ThreadContext* weakspot_current;

class Machine {
 public:
  Machine(std::unique_ptr<Arena> arena, MachineOptions options);
  // A worker that shares the blocks of launches of `main`, with this window of shared memory. It does not become the
  // machine of this thread.
  Machine(Machine& main, Crew& crew, ShadowMemory& shadow, std::uint64_t window);
  ~Machine();

  // Executes a launch to its end; false when it had to be abandoned (an incident says why).
  bool launch(const LaunchRequest& request, Schedule schedule);

  // The intervals of the last launch.
  race::IntervalRange last_intervals() const { return {first_interval_, detector_.last_interval() + 1}; }

  Arena& arena() { return *arena_; }
  race::Detector& detector() { return detector_; }
  const race::Detector& detector() const { return detector_; }
  Gates& gates() { return gates_; }
  AsyncCopies& copies() { return copies_; }
  BulkCopies& bulk() { return bulk_; }
  MatrixReads& matrices() { return matrices_; }
  Textures& textures() { return main_ != nullptr ? main_->textures_ : textures_; }
  std::vector<race::Site>& sites() { return main_ != nullptr ? main_->sites_ : sites_; }
  const std::vector<race::Site>& sites() const { return main_ != nullptr ? main_->sites_ : sites_; }
  const std::vector<Incident>& incidents() const { return incidents_; }
  // Those noted since the last call.
  std::vector<Incident> take_incidents();
  const std::map<race::SiteId, BarrierUse>& barriers() const { return barriers_; }
  // Takes what was learnt since the last call; adds such knowledge.
  BarrierKnowledge take_barriers();
  void add_barriers(const BarrierKnowledge& knowledge);
  std::string& output() { return output_; }
  // What the kernel of the last launch launched, and whether it will run.
  std::vector<ChildLaunch>& children() { return children_; }
  bool runs_children() const { return runs_children_; }
  void run_children(bool may) { runs_children_ = may; }
  std::uint64_t checked_accesses() const { return checked_; }

  // From now on threads skip the barriers at these sites.
  void skip_barriers(const std::vector<race::SiteId>& sites) { mutate(sites, race::MutantKind::no_barrier); }
  // From now on the operations at these sites are weaker; no sites: none is.
  void mutate(const std::vector<race::SiteId>& sites, race::MutantKind kind);
  // Whether the operation at the site is to be changed in that way; counted.
  bool is_mutated(race::SiteId site, race::MutantKind kind) {
    if (site >= skip_.size() || skip_[site] == 0 || kind != mutant_) return false;
    ++skipped_;
    return true;
  }
  // How often an operation was skipped or changed in the last launch.
  std::uint64_t skipped() const { return skipped_; }

  // Where compiled code marks the branches that it takes. They must outlive the machine's launches.
  void set_branch_marks(std::span<std::uint8_t> marks) { marks_ = marks; }

  // What was accessed in the launch that runs or ran last.
  const Touched& touched() const { return touched_; }
  // For a worker: takes part in the launch that the main machine runs.
  void join(const LaunchRequest& request, Schedule schedule);
  // Runs a block to its end; false if the worker has given up, or the launch cannot go on.
  bool run_alone(std::uint64_t index);
  // For the main machine: what workers noticed and counted.
  void add_incident(Incident incident);
  void take_counts(Machine& worker);
  bool is_worker() const { return main_ != nullptr; }
  // On the stack of the current thread: what follows depends on other blocks, so a worker gives up.
  void needs_others() {
    if (main_ != nullptr) leave();
  }
  bool has_given_up() const;

  // The blocks of the running launch in one cluster, and whether there are other clusters.
  bool has_clusters() const { return request_->cluster.count() > 1; }
  bool has_other_clusters() const { return request_->grid.count() > request_->cluster.count(); }

  // For the hooks, on the stack of the current thread.
  void wait(Wait what, race::SiteId site);
  // The thread polls memory there.
  void give_way(const void* address);
  void wait_for_barrier(race::SiteId site, bool computes);
  [[noreturn]] void end_thread();
  void note(Incident incident);
  // Something at that site, 0 for the host, was left out of the run.
  void doubt(race::Effect effect, race::SiteId site);
  bool is_local(const void* address) const { return stacks_.owns(address); }
  // The shared memory of a running block, by the bounds of its launch.
  bool in_shared_bounds(const void* address, unsigned size) const;
  bool is_of_ended_block(const void* address) const;
  // Shared memory of a block is used by another block of its cluster, or by an asynchronous operation, `user` to the
  // detector.
  void note_use(const race::ThreadState& user, const void* address, std::uint64_t size, bool write, race::SiteId site,
                const BulkEnd& end = {});
  void note_arrival(const void* gate, std::uint64_t phase, race::SiteId site);
  void forget_counted(const void* gate);
  // Barriers of several blocks. A thread that has not arrived yet arrives when it waits.
  void arrive(Wait kind, bool relaxed);
  void wait_for_blocks(Wait kind, race::SiteId site);
  char* map_shared(const void* address, std::uint32_t rank);
  std::uint32_t shared_rank(const void* address);
  std::uint32_t cluster_register(int which) const;
  // How many strong accesses a thread may make before it gives way. In the reversed schedule it gives way before each
  // of its first ones, so that everything that can happen between two of them does.
  std::uint32_t patience() {
    if (schedule_ == Schedule::random) return random_patience();
    return schedule_ == Schedule::reversed && weakspot_current->times_given_way < 16 ? 1 : 64;
  }
  void count_change() { ++changes_; }
  // A clock that advances whenever it is read.
  std::uint64_t tick() { return ticks_ += 1000; }
  void count_access() { ++checked_; }
  // Accesses that a copy of this machine has made.
  void count_accesses(std::uint64_t more) { checked_ += more; }
  void* scratch(std::uint64_t size);
  // Lets compiled code find the cells of the allocation that the site accesses, in these ways.
  void remember_window(race::SiteId site, const Allocation& allocation, TouchBits touch);
  void forget_windows();
  // Leaves the launch from a signal handler.
  [[noreturn]] void abandon(Incident incident);

 private:
  void begin_launch(const LaunchRequest& request, Schedule schedule);
  void tell_clusters();
  void end_launch();
  std::uint32_t random_patience();
  [[noreturn]] void leave();
  void give_up();
  bool is_worth_a_crew(std::uint64_t blocks) const;
  Crew& crew(unsigned workers);
  std::unique_ptr<BlockRun> start_block(std::uint64_t index);
  void start_cluster(std::uint64_t number);
  bool step(BlockRun& block);
  ThreadContext* next_ready();
  void* begin(ThreadContext& thread);
  void pass_on(ThreadContext& thread, bool for_good = false);
  StackBounds bounds_of(const ThreadContext* thread) const;
  void end_block(BlockRun& block);
  bool settle_barrier(BlockRun& block);
  void settle_any_barrier(BlockRun& block);
  void note_barrier(race::SiteId site, std::uint64_t threads);
  void judge_barrier(BlockRun& block, const std::vector<ThreadContext*>& waiting, bool some_ended);
  bool settle_warps(BlockRun& block);
  Meeting& meeting(Wait kind);
  bool settle(Meeting& here);
  void open(Meeting& here, bool one_step);
  bool settle_clusters();
  bool settle_grid();
  bool has_left(const BlockRun& block) const;
  const BlockRun* owner_in_cluster(const void* address) const;
  const BlockRun* owner_of(const void* address) const;  // own block or one of the cluster
  bool in_cluster_bounds(const void* address, unsigned size) const;
  bool any_ready() const;
  bool memory_changed();
  bool stop_if_spent();
  bool stop_if_late();
  void release(std::unique_ptr<BlockRun> block);
  void report_stuck();
  void order(BlockRun& block);
  static void mix(BlockRun& block);
  static void thread_main(void* context);

  MachineOptions options_;
  Machine* main_ = nullptr;    // of a worker
  Crew* member_of_ = nullptr;  // the same
  std::unique_ptr<Arena> own_arena_;
  Arena* arena_;
  race::Cell* cells_;  // of its shadow
  race::Detector detector_;
  StackPool stacks_;
  Gates gates_;
  AsyncCopies copies_;
  BulkCopies bulk_;
  MatrixReads matrices_;
  SharedUses uses_;
  Textures textures_;
  std::vector<race::Site> sites_;
  std::vector<Incident> incidents_;
  std::map<NoticedKey, std::size_t> incident_index_;
  std::map<race::SiteId, BarrierUse> barriers_;
  std::string output_;
  std::vector<ChildLaunch> children_;
  bool runs_children_ = false;
  std::vector<char> scratch_;
  std::vector<SiteWindow> windows_;
  Touched touched_;
  std::span<std::uint8_t> marks_;
  std::vector<std::uint8_t> own_marks_;   // of a worker
  std::unique_ptr<Crew> crew_;            // once there was a launch for it
  std::set<void (*)(void**)> dependent_;  // kernels whose blocks need each other

  const LaunchRequest* request_ = nullptr;
  Schedule schedule_ = Schedule::forward;
  race::Interval first_interval_ = 0;
  std::uint32_t launches_ = 0;
  std::vector<std::unique_ptr<BlockRun>> live_;
  std::vector<std::unique_ptr<BlockRun>> idle_;  // kept for their memory
  BlockRun* running_ = nullptr;
  race::ThreadName ended_;  // the first thread of the first block that ended
  race::SiteId ended_at_ = 0;
  bool some_ended_ = false;
  Meeting grid_;
  std::vector<std::uint64_t> free_windows_;
  void* scheduler_stack_ = nullptr;
  StackBounds scheduler_bounds_;
  bool abandoned_ = false;
  bool given_way_ = false;          // some thread, in this round
  std::vector<std::uint8_t> skip_;  // by site; empty where no operation is changed
  race::MutantKind mutant_ = race::MutantKind::no_barrier;
  std::uint64_t skipped_ = 0;
  std::uint64_t ticks_ = 0;  // of the launch
  std::uint64_t changes_ = 0;
  std::uint64_t checked_ = 0;
  std::uint64_t checked_before_ = 0;  // this launch
};

}  // namespace weakspot::race_jit
