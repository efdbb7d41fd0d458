// SPDX-License-Identifier: MIT
#include "backend/cpu/cpu_run.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "backend/cpu/cpu_collect.h"
#include "backend/cpu/cpu_ticks.h"
#include "base/check.h"
#include "codegen/buffer_words.h"

namespace weakspot::backend {
namespace {

using codegen::CpuFrame;
using codegen::CpuFunction;
using codegen::CpuProgram;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kPage = 4096;

struct PageDeleter {
  void operator()(std::uint32_t* words) const { ::operator delete[](words, std::align_val_t(kPage)); }
};
using Words = std::unique_ptr<std::uint32_t[], PageDeleter>;

Words allocate(std::uint64_t count) {
  return Words(new (std::align_val_t(kPage)) std::uint32_t[std::max<std::uint64_t>(count, 1)]());
}

// The meetings that a worker has reached: each worker writes its own cache line and reads those of the others.
struct alignas(128) Arrival {
  std::atomic<std::uint64_t> phase{0};
  std::atomic<std::uint64_t> time{0};  // arrival, by ticks()
};

// About the time for a cache line to go from one core to another and back.
std::uint64_t ticks_to_start() {
#if defined(__aarch64__)
  std::uint64_t frequency = 0;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
  return std::max<std::uint64_t>(frequency * 15 / 100'000'000, 1);
#else
  return 400;
#endif
}

struct Team {
  explicit Team(std::uint32_t workers) : arrivals(workers) {}
  std::vector<Arrival> arrivals;
  alignas(128) std::atomic<bool> quit{false};  // decided by the first worker, before the others pass a meeting
  alignas(128) std::atomic<std::uint64_t> iteration{0};  // for those who stress
  // Workers that wait for one that lost its core. Once woken, a sleeper gets a core sooner than a thread that yields.
  alignas(128) std::atomic<std::uint32_t> sleepers{0};
  std::mutex mutex;
  std::condition_variable arrived;
};

struct Shared {
  const CpuProgram& program;
  const std::vector<CpuFunction>& functions;
  std::vector<std::uint32_t> control;
  std::vector<std::uint32_t> plan;
  std::uint64_t iterations = 0;  // per team, over all rounds
  Words memory, results, scratch;
  std::vector<std::unique_ptr<Team>> teams;
  std::atomic<bool> stop{false};
  std::atomic<std::uint32_t> testing{0};  // workers that are not done

  std::mutex mutex;
  std::condition_variable done;

  // The plan's row for an iteration, counted over all rounds; nullptr if nothing was drawn.
  const std::uint32_t* row(std::uint64_t iteration) const {
    const std::uint32_t rows = control[codegen::kPlanRows];
    if (rows == 0) return nullptr;
    return plan.data() + codegen::plan_row_number<std::uint64_t>(iteration, 0, rows) *
                             codegen::plan_row_words<std::size_t>(control[codegen::kWorkgroups]);
  }
};

// Rounds of the two-access pattern on a word, or over its line.
void stress(const CpuProgram& program, std::uint32_t* scratch, std::uint32_t word, std::uint32_t rounds,
            bool store_first, bool store_second) {
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::uint32_t at = word;
    if (program.spread) at = codegen::word_in_line(word, round % program.workgroup_size, program.line_words);
    volatile std::uint32_t* target = scratch + at;
    for (const bool is_store : {store_first, store_second}) {
      if (is_store) {
        *target = round;
      } else {
        static_cast<void>(*target);
      }
    }
  }
}

class Worker {
 public:
  Worker(Shared& shared, Team& team, std::uint32_t team_number, std::uint32_t number)
      : shared_(shared), program_(shared.program), team_(team), me_(number), collector_(shared.program) {
    workers_ = static_cast<std::uint32_t>(team.arrivals.size());
    const std::uint64_t slice = program_.slice_bytes * team_number;
    const std::uint64_t results = program_.result_bytes * team_number;
    for (const codegen::CpuRole& role : program_.roles) {
      CpuFrame frame;
      frame.memory = reinterpret_cast<std::byte*>(shared.memory.get()) + slice;
      frame.results = reinterpret_cast<std::byte*>(shared.results.get()) + results;
      frame.rows = role.rows.data();
      frames_.push_back(frame);
    }
    for (std::uint32_t i = 0; i < program_.workgroups; ++i) order_.push_back(i);
    choose_parts();
  }

  void run() {
    for (const auto& [begin, end] : parts_) collector_.initialise(frames_[0], begin, end);
    meet();
    for (std::uint64_t iteration = 0; iteration < shared_.iterations; ++iteration) {
      run_iteration(iteration);
      meet();
      for (const auto& [begin, end] : parts_) collector_.collect(frames_[0], iteration, begin, end);
      ++completed_;
      if (me_ == 0 && shared_.stop.load(std::memory_order_relaxed)) team_.quit.store(true, std::memory_order_relaxed);
      meet();
      if (team_.quit.load(std::memory_order_relaxed)) break;
    }
  }

  const CpuCollector& collector() const { return collector_; }
  std::uint64_t completed() const { return completed_; }
  std::uint32_t timeouts() const { return timeouts_; }

 private:
  // The instances that this worker counts and initialises, in whole lines: they start the next iteration in its cache.
  void choose_parts() {
    const std::uint32_t blocks = (program_.instances + kPart - 1) / kPart;
    auto add = [&](std::uint64_t from, std::uint64_t to) {
      const auto begin = static_cast<std::uint32_t>(std::min<std::uint64_t>(from * kPart, program_.instances));
      const auto end = static_cast<std::uint32_t>(std::min<std::uint64_t>(to * kPart, program_.instances));
      if (begin < end) parts_.emplace_back(begin, end);
    };
    auto stretch = [&](std::uint32_t of) {
      add(std::uint64_t{blocks} * of / workers_, std::uint64_t{blocks} * (of + 1) / workers_);
    };
    switch (program_.pairing) {
      case codegen::Pairing::stripe:
        for (std::uint32_t block = me_; block < blocks; block += workers_) add(block, block + 1);
        return;
      case codegen::Pairing::half:
        return stretch(me_);
      case codegen::Pairing::neighbour:
        return stretch((me_ + 1) % workers_);
      case codegen::Pairing::next:
        if (me_ + 1 == workers_) add(0, blocks);
        return;
    }
  }

  bool all_here() const {
    for (const Arrival& arrival : team_.arrivals) {
      if (arrival.phase.load(std::memory_order_acquire) < phase_) return false;
    }
    return true;
  }
  void arrive() {
    team_.arrivals[me_].phase.store(++phase_, std::memory_order_release);
    if (team_.sleepers.load(std::memory_order_relaxed) != 0) team_.arrived.notify_all();
  }
  // A wake-up may be missed, so nobody sleeps long.
  void sleep() {
    team_.sleepers.fetch_add(1);
    std::unique_lock lock(team_.mutex);
    team_.arrived.wait_for(lock, std::chrono::milliseconds(1), [&] { return all_here(); });
    team_.sleepers.fetch_sub(1);
  }

  // Waits without a bound: the others always arrive, since all they do is bounded.
  void meet() {
    arrive();
    for (std::uint32_t spins = 0; !all_here(); ++spins) {
      if (spins >= kSpins) sleep();
    }
  }

  // Lets the workers start together if they arrive within the bound.
  void align() {
    team_.arrivals[me_].time.store(ticks(), std::memory_order_relaxed);
    arrive();
    const std::uint32_t bound = shared_.control[codegen::kSpinBound];
    for (std::uint32_t spins = 0; spins < bound; ++spins) {
      if (all_here()) return program_.timed ? start_together() : void();
    }
    for (std::uint32_t sleeps = 0; sleeps < kSleeps; ++sleeps) {
      sleep();
      if (all_here()) return;
      if (shared_.stop.load(std::memory_order_relaxed)) break;
    }
    ++timeouts_;
  }

  // The last worker sees the others at once, but they see it later. An agreed start time makes up for that.
  void start_together() {
    std::uint64_t last = 0;
    for (const Arrival& arrival : team_.arrivals) last = std::max(last, arrival.time.load(std::memory_order_relaxed));
    const std::uint64_t start = last + delay_;
    for (std::uint32_t spins = 0; spins < kSpins && ticks() < start; ++spins) {
    }
  }

  void run_iteration(std::uint64_t iteration) {
    const std::uint32_t* row = shared_.row(iteration);
    const std::uint32_t flags = row == nullptr ? std::uint32_t{codegen::kPlanBarrier} : row[codegen::kPlanFlags];
    if (row != nullptr) {
      const std::uint32_t* numbers = row + codegen::shuffled_number_at(0u, 0u);
      std::copy_if(numbers, numbers + shared_.control[codegen::kWorkgroups], order_.begin(),
                   [&](std::uint32_t number) { return number < program_.workgroups; });
    }
    if (me_ == 0) team_.iteration.store(iteration, std::memory_order_relaxed);
    const bool aligned = program_.barrier && (flags & codegen::kPlanBarrier) != 0;
    for (std::uint32_t group = 0; group < program_.workgroups; group += program_.spacing) {
      const std::uint32_t last = std::min(program_.workgroups, group + program_.spacing);
      if (row != nullptr && (flags & codegen::kPlanPreStress) != 0) pre_stress(row, flags, group, last);
      if (aligned) align();
      run_workgroups(group, last, row == nullptr);
    }
  }

  void pre_stress(const std::uint32_t* row, std::uint32_t flags, std::uint32_t group, std::uint32_t last) {
    const std::uint32_t workgroups = shared_.control[codegen::kWorkgroups];
    for (; group < last; ++group) {
      const std::uint32_t word = row[codegen::stress_target_at(0u, workgroups, order_[group])];
      stress(program_, shared_.scratch.get(), word, shared_.control[codegen::kPreStressRounds],
             (flags & codegen::kPlanPreFirst) != 0, (flags & codegen::kPlanPreSecond) != 0);
    }
  }

  // Workgroups [group, last) in the order of this iteration; `straight`: the order in memory.
  void run_workgroups(std::uint32_t group, std::uint32_t last, bool straight) {
    const auto roles = static_cast<std::uint32_t>(frames_.size());
    const std::uint32_t size = program_.workgroup_size;
    if (straight && !program_.rotates && roles <= workers_) {
      if (me_ < roles) call(me_, group * size, (last - group) * size);
      return;
    }
    for (; group < last; ++group) {
      for (std::uint32_t k = 0; k < roles; ++k) {
        const std::uint32_t role = in_order(k, group, roles);
        if (program_.worker_of(role, group, workers_) != me_) continue;
        // Two threads of one instance on one core must not see each other's stores before all others do. An operating
        // system has the same fence between two threads.
        if (roles > workers_) std::atomic_thread_fence(std::memory_order_seq_cst);
        call(role, order_[group] * size, size);
      }
    }
  }

  std::uint32_t in_order(std::uint32_t k, std::uint32_t group, std::uint32_t roles) const {
    switch (program_.order) {
      case codegen::RoleOrder::ascending:
        return k;
      case codegen::RoleOrder::descending:
        return roles - 1 - k;
      case codegen::RoleOrder::by_warp:
        return (k + me_) % roles;
      case codegen::RoleOrder::by_block:
        return (k + group) % roles;
      case codegen::RoleOrder::by_lane:
        break;
    }
    return (k + group + me_) % roles;
  }

  // The sanitizer reads a type in front of the function. Assembled code has none there, perhaps not even a page.
#if defined(__clang__)
  [[clang::no_sanitize("function")]]
#endif
  void call(std::uint32_t role, std::uint32_t first, std::uint32_t count) {
    shared_.functions[role](&frames_[role], first, count);
  }

  static constexpr std::uint32_t kPart = 64;
  static constexpr std::uint32_t kSpins = 4096;
  static constexpr std::uint32_t kSleeps = 20;

  Shared& shared_;
  const CpuProgram& program_;
  Team& team_;
  std::uint32_t me_;
  std::uint32_t workers_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parts_;
  std::vector<CpuFrame> frames_;      // by role
  std::vector<std::uint32_t> order_;  // order of the workgroups
  CpuCollector collector_;
  const std::uint64_t delay_ = ticks_to_start();
  std::uint64_t phase_ = 0;
  std::uint64_t completed_ = 0;
  std::uint32_t timeouts_ = 0;
};

// The `number`-th worker that only stresses: it follows the row of the first team's iteration.
void run_stress(Shared& shared, std::uint32_t number) {
  const std::uint32_t workgroups = shared.control[codegen::kWorkgroups];
  const std::uint32_t me = shared.control[codegen::kTesting] + number;
  while (shared.testing.load(std::memory_order_relaxed) != 0) {
    const std::uint32_t* row = shared.row(shared.teams[0]->iteration.load(std::memory_order_relaxed));
    const std::uint32_t flags = row[codegen::kPlanFlags];
    if ((flags & codegen::kPlanMemoryStress) == 0 || me >= row[codegen::kPlanActive]) {
      sched_yield();
      continue;
    }
    stress(shared.program, shared.scratch.get(), row[codegen::stress_target_at(0u, workgroups, me)],
           shared.control[codegen::kStressRounds], (flags & codegen::kPlanMemoryFirst) != 0,
           (flags & codegen::kPlanMemorySecond) != 0);
  }
}

void wait_for_workers(Shared& shared, Clock::time_point deadline, RunResult& result) {
  std::unique_lock lock(shared.mutex);
  const auto finished = [&] { return shared.testing.load(std::memory_order_relaxed) == 0; };
  if (shared.done.wait_until(lock, deadline, finished)) return;
  shared.stop.store(true, std::memory_order_relaxed);
  result.status = RunStatus::stopped;
  shared.done.wait(lock, finished);
}

}  // namespace

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

void pin_to(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);  // a worker that cannot be pinned still works
}

RunResult run_cpu(const CpuProgram& program, const std::vector<CpuFunction>& functions, const codegen::Launch& launch,
                  const std::vector<int>& cores, std::chrono::milliseconds deadline) {
  const Clock::time_point start = Clock::now();
  const auto& buffers = launch.buffers;
  Shared shared{program, functions, buffers[codegen::kControlBuffer].content, buffers[codegen::kPlanBuffer].content};
  shared.iterations = std::uint64_t{shared.control[codegen::kIterations]} * launch.rounds;
  shared.memory = allocate(buffers[codegen::kMemoryBuffer].words);
  shared.results = allocate(buffers[codegen::kResultBuffer].words);
  shared.scratch = allocate(buffers[codegen::kScratchBuffer].words);
  const std::vector<std::uint32_t>& pattern = buffers[codegen::kScratchBuffer].content;
  std::copy(pattern.begin(), pattern.end(), shared.scratch.get());

  const std::uint32_t team_size = shared.control[codegen::kTeamSize];
  std::vector<std::unique_ptr<Worker>> workers;
  for (std::uint32_t t = 0; t < shared.control[codegen::kTeams]; ++t) {
    shared.teams.push_back(std::make_unique<Team>(team_size));
    for (std::uint32_t w = 0; w < team_size; ++w) {
      workers.push_back(std::make_unique<Worker>(shared, *shared.teams.back(), t, w));
    }
  }
  shared.testing = static_cast<std::uint32_t>(workers.size());
  const std::uint32_t all = launch.passes.front().workgroups;
  RunResult result;
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < all; ++i) {
    threads.emplace_back([&, i] {
      pin_to(cores[i % cores.size()]);
      if (i >= workers.size()) return run_stress(shared, i - static_cast<std::uint32_t>(workers.size()));
      workers[i]->run();
      const std::lock_guard lock(shared.mutex);
      if (--shared.testing == 0) shared.done.notify_all();
    });
  }
  wait_for_workers(shared, start + deadline, result);
  for (std::thread& thread : threads) thread.join();
  result.device_seconds = std::chrono::duration<double>(Clock::now() - start).count();

  result.buffers.resize(buffers.size());
  std::vector<std::uint32_t>& counts = result.buffers[codegen::kCountBuffer];
  std::vector<std::uint32_t>& overflow = result.buffers[codegen::kOverflowBuffer];
  counts.resize(buffers[codegen::kCountBuffer].words);
  overflow.resize(buffers[codegen::kOverflowBuffer].words);
  std::uint64_t completed = 0;
  std::uint64_t least = shared.iterations;
  for (std::size_t i = 0; i < workers.size(); ++i) {
    workers[i]->collector().add_to(shared.control[codegen::kIterations], counts, overflow);
    counts[codegen::kTimeouts] += workers[i]->timeouts();
    if (i % team_size != 0) continue;
    completed += workers[i]->completed();
    least = std::min(least, workers[i]->completed());
  }
  codegen::set_two_words(counts, codegen::kCompleted, completed);
  result.rounds = static_cast<std::uint32_t>(least / std::max<std::uint64_t>(shared.control[codegen::kIterations], 1));
  if (buffers[codegen::kScratchBuffer].read_back) {
    const std::uint32_t* words = shared.scratch.get();
    result.buffers[codegen::kScratchBuffer].assign(words, words + buffers[codegen::kScratchBuffer].words);
  }
  result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

}  // namespace weakspot::backend
