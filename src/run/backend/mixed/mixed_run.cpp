// SPDX-License-Identifier: MIT
#include "backend/mixed/mixed_run.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <memory>
#include <thread>

#include "backend/cpu/cpu_collect.h"
#include "backend/cpu/cpu_run.h"
#include "backend/cpu/cpu_ticks.h"
#include "codegen/buffer_words.h"

namespace weakspot::backend {
namespace {

using codegen::CpuFunction;
using codegen::MixedProgram;
using Clock = std::chrono::steady_clock;

// About the time of one step of arithmetic on a GPU. The tuner makes up for what is wrong with it.
constexpr double kStepNanoseconds = 5;
constexpr std::uint32_t kPollsBeforeYield = 1u << 14;
constexpr auto kGrace = std::chrono::seconds(3);

double ticks_per_nanosecond() {
  static const double kRate = [] {
    const Clock::time_point start = Clock::now();
    const std::uint64_t first = ticks();
    while (Clock::now() - start < std::chrono::microseconds(500)) {
    }
    const std::uint64_t last = ticks();
    const std::chrono::duration<double, std::nano> passed = Clock::now() - start;
    return static_cast<double>(last - first) / passed.count();
  }();
  return kRate;
}

// When the CPU starts its part of a chunk, in ticks after it saw the word of the GPU.
struct StartPlan {
  std::uint64_t least = 0;
  std::uint64_t span = 0;
  std::uint32_t round = 0;

  // The same for all workers.
  std::uint64_t at(std::uint32_t iteration) const {
    std::uint64_t mixed = (std::uint64_t{round} << 32 | iteration) * 0x9e3779b97f4a7c15u;
    mixed ^= mixed >> 29;
    mixed *= 0xbf58476d1ce4e5b9u;
    return least + (span == 0 ? 0 : (mixed >> 33) % (span + 1));
  }
};

class MixedRun {
 public:
  MixedRun(const MixedProgram& program, const std::vector<CpuFunction>& functions, GpuSide& gpu,
           const codegen::Launch& launch, const std::vector<int>& cores, DelayTuner& tuner)
      : program_(program),
        functions_(functions),
        gpu_(gpu),
        launch_(launch),
        cores_(cores),
        tuner_(tuner),
        areas_(gpu.areas()),
        roles_(static_cast<std::uint32_t>(functions.size())),
        workers_(choose_workers()),
        phase_(static_cast<std::ptrdiff_t>(workers_) + 1) {
    frame_.memory = areas_.memory;
    frame_.results = areas_.results;
    for (std::uint32_t i = 0; i < workers_; ++i) {
      collectors_.push_back(std::make_unique<CpuCollector>(program.host));
    }
  }

  RunResult run(std::chrono::milliseconds deadline) {
    const Clock::time_point start = Clock::now();
    std::vector<std::thread> threads;
    for (std::uint32_t i = 0; i < workers_; ++i) {
      threads.emplace_back([this, i] {
        pin_to(cores_[(i + 1) % cores_.size()]);
        work(i);
      });
    }
    phase_.arrive_and_wait();  // the memory is initialised
    RunResult result;
    while (result.rounds < launch_.rounds && result.status == RunStatus::finished) {
      if (Clock::now() > start + deadline) {
        result.status = RunStatus::stopped;
        break;
      }
      run_round(start + deadline, result);
    }
    quit_ = true;
    phase_.arrive_and_wait();
    for (std::thread& thread : threads) thread.join();
    result.device_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (result.status != RunStatus::lost) report(result);
    result.host_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
  }

 private:
  // A core is left to the thread that waits for the GPU, if there are enough of them.
  std::uint32_t choose_workers() const {
    const auto cores = static_cast<std::uint32_t>(cores_.size());
    const std::uint32_t wanted = std::max(1u, (cores - (cores > 2 ? 1 : 0)) * program_.occupancy_percent / 100);
    const std::uint32_t per_role = std::min(std::max(1u, wanted / roles_), program_.chunk());
    return per_role * roles_;
  }

  std::atomic_ref<std::uint32_t> word(codegen::MeetingWord which) const {
    return std::atomic_ref<std::uint32_t>(areas_.meeting[which]);
  }

  // ---- the thread that waits for the GPU ----

  void run_round(Clock::time_point deadline, RunResult& result) {
    set_delays(tuner_.next(), result.rounds);
    word(codegen::kMeetingGo) = 0;
    word(codegen::kMeetingReady) = 0;
    word(codegen::kMeetingMissed) = 0;
    word(codegen::kMeetingWorkers) = workers_;
    base::Status status = gpu_.start();
    abandoned_ = !status;
    phase_.arrive_and_wait();
    if (status) status = await_gpu(deadline);
    if (status) status = gpu_.fetch();
    if (!status) {
      abandoned_ = true;
      result.status = RunStatus::lost;
      result.message = base::messages(status.errors());
    }
    lost_ = !status;
    missed_ += word(codegen::kMeetingMissed);
    phase_.arrive_and_wait();  // both sides are through
    phase_.arrive_and_wait();  // counted
    if (lost_) return;
    ++result.rounds;
    if (tuner_.tunes()) tuner_.note(variety_of_round());
  }

  void set_delays(std::int32_t delay, std::uint32_t round) {
    const std::int32_t earliest = delay - program_.start_spread;
    const double rate = ticks_per_nanosecond();
    plan_.round = round;
    plan_.least = static_cast<std::uint64_t>(std::max(earliest, 0) * rate);
    plan_.span = static_cast<std::uint64_t>(2.0 * program_.start_spread * rate);
    const double late = std::max(-earliest, 0) / kStepNanoseconds;
    areas_.meeting[codegen::kMeetingDelay] = static_cast<std::uint32_t>(late);
  }

  base::Status await_gpu(Clock::time_point deadline) {
    for (;;) {
      const GpuSide::State state = gpu_.state();
      if (state == GpuSide::State::done) return base::ok_status();
      if (state == GpuSide::State::failed) return base::error(gpu_.failure());
      if (Clock::now() > deadline + kGrace) return base::error("the device did not stop at the deadline");
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  // The variety of the outcomes of the last round. Tests with too many outcomes for a table are not tuned.
  double variety_of_round() {
    if (!program_.host.table) return 0;
    std::vector<std::uint32_t> counts(launch_.buffers[codegen::kCountBuffer].words);
    std::vector<std::uint32_t> overflow(launch_.buffers[codegen::kOverflowBuffer].words);
    for (const auto& collector : collectors_) collector->add_to(1, counts, overflow);
    std::vector<std::uint64_t> all;
    for (std::uint64_t number = 0; number < program_.host.numbers; ++number) {
      all.push_back(codegen::two_words(counts, codegen::kCountHead + number * codegen::kCounterWords));
    }
    std::vector<std::uint64_t> round = all;
    for (std::size_t i = 0; i < before_.size(); ++i) round[i] -= before_[i];
    before_ = std::move(all);
    return variety(round);
  }

  void report(RunResult& result) const {
    const auto& buffers = launch_.buffers;
    result.buffers.resize(buffers.size());
    std::vector<std::uint32_t>& counts = result.buffers[codegen::kCountBuffer];
    std::vector<std::uint32_t>& overflow = result.buffers[codegen::kOverflowBuffer];
    counts.resize(buffers[codegen::kCountBuffer].words);
    overflow.resize(buffers[codegen::kOverflowBuffer].words);
    for (const auto& collector : collectors_) collector->add_to(1, counts, overflow);
    counts[codegen::kTimeouts] += missed_;
    codegen::set_two_words(counts, codegen::kCompleted, std::uint64_t{result.rounds} * program_.iterations);
  }

  // ---- the workers ----

  void work(std::uint32_t me) {
    const auto n = std::uint64_t{program_.host.instances};
    const auto begin = static_cast<std::uint32_t>(n * me / workers_);
    const auto end = static_cast<std::uint32_t>(n * (me + 1) / workers_);
    collectors_[me]->initialise(frame_, begin, end);
    phase_.arrive_and_wait();
    for (std::uint32_t round = 0;; ++round) {
      phase_.arrive_and_wait();
      if (quit_) return;
      run_chunks(me);
      phase_.arrive_and_wait();
      if (!lost_) collectors_[me]->collect(frame_, round, begin, end);
      phase_.arrive_and_wait();
    }
  }

  void run_chunks(std::uint32_t me) {
    const std::uint32_t role = me % roles_;
    const std::uint64_t slice = me / roles_;
    const std::uint64_t slices = workers_ / roles_;
    const std::uint64_t chunk = program_.chunk();
    const std::uint64_t begin = chunk * slice / slices;
    const std::uint64_t count = chunk * (slice + 1) / slices - begin;
    for (std::uint32_t iteration = 0; iteration < program_.iterations; ++iteration) {
      word(codegen::kMeetingReady).fetch_add(1);
      if (!await_go(iteration + 1)) return;
      const std::uint64_t start = ticks() + plan_.at(iteration);
      while (ticks() < start) {
      }
      if (count != 0) call(role, iteration * chunk + begin, count);
    }
  }

  // False if it never comes.
  bool await_go(std::uint32_t wanted) const {
    for (std::uint32_t polls = 0; word(codegen::kMeetingGo).load(std::memory_order_acquire) < wanted; ++polls) {
      if (abandoned_.load(std::memory_order_relaxed)) return false;
      if (polls > kPollsBeforeYield) sched_yield();
    }
    return true;
  }

  // The sanitizer reads a type in front of the function, which assembled code does not have.
#if defined(__clang__)
  [[clang::no_sanitize("function")]]
#endif
  void call(std::uint32_t role, std::uint64_t first, std::uint64_t count) const {
    codegen::CpuFrame frame = frame_;
    frame.rows = program_.host.roles[program_.cpu_roles[role]].rows.data();
    functions_[role](&frame, first, count);
  }

  const MixedProgram& program_;
  const std::vector<CpuFunction>& functions_;
  GpuSide& gpu_;
  const codegen::Launch& launch_;
  const std::vector<int>& cores_;
  DelayTuner& tuner_;
  SharedAreas areas_;
  std::uint32_t roles_;  // roles on the CPU
  std::uint32_t workers_;
  std::barrier<> phase_;
  codegen::CpuFrame frame_;
  std::vector<std::unique_ptr<CpuCollector>> collectors_;  // by worker
  StartPlan plan_;
  std::vector<std::uint64_t> before_;  // counts before the last round
  std::atomic<bool> abandoned_{false};
  bool quit_ = false;  // these three change only while the workers are at a barrier
  bool lost_ = false;
  std::uint32_t missed_ = 0;
};

}  // namespace

RunResult run_mixed(const MixedProgram& program, const std::vector<CpuFunction>& functions, GpuSide& gpu,
                    const codegen::Launch& launch, const std::vector<int>& cores, DelayTuner& tuner,
                    std::chrono::milliseconds deadline) {
  return MixedRun(program, functions, gpu, launch, cores, tuner).run(deadline);
}

}  // namespace weakspot::backend
