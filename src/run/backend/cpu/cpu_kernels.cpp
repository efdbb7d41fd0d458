// SPDX-License-Identifier: MIT
#include "backend/cpu/cpu_kernels.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>

#include "backend/cpu/cpu_run.h"

namespace weakspot::backend {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLine = 128;

struct LineDeleter {
  void operator()(std::uint32_t* words) const { ::operator delete[](words, std::align_val_t(kLine)); }
};
using LineWords = std::unique_ptr<std::uint32_t[], LineDeleter>;

// One launch. The first thread prepares each round and runs the passes that nobody else takes part in.
class KernelLaunch {
 public:
  KernelLaunch(const codegen::CpuKernels& program, const CpuFunctions& functions, const codegen::Launch& launch)
      : functions_(functions), launch_(launch) {
    for (const codegen::BufferSetup& setup : launch.buffers) {
      const std::uint64_t words = std::max<std::uint64_t>(setup.words, 1);
      buffers_.emplace_back(new (std::align_val_t(kLine)) std::uint32_t[words]());
      std::copy(setup.content.begin(), setup.content.end(), buffers_.back().get());
    }
    for (const codegen::Pass& pass : launch.passes) threads_ = std::max(threads_, pass.workgroups);
    for (const codegen::CpuKernel& kernel : program.kernels) slots_ = std::max(slots_, kernel.slots);
  }

  RunResult run(const std::vector<int>& cores, std::chrono::milliseconds deadline) {
    const Clock::time_point start = Clock::now();
    std::barrier<> meeting(threads_);
    std::vector<std::thread> threads;
    working_ = threads_;
    for (std::uint32_t number = 0; number < threads_; ++number) {
      threads.emplace_back([&, number] {
        pin_to(cores[number % cores.size()]);
        work(number, meeting);
        const std::lock_guard lock(mutex_);
        if (--working_ == 0) done_.notify_one();
      });
    }
    RunResult result;
    watch(start + deadline, result);
    for (std::thread& thread : threads) thread.join();
    result.rounds = rounds_;
    result.host_seconds = result.device_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.buffers.resize(launch_.buffers.size());
    for (std::size_t i = 0; i < launch_.buffers.size(); ++i) {
      if (!launch_.buffers[i].read_back) continue;
      result.buffers[i].assign(buffers_[i].get(), buffers_[i].get() + launch_.buffers[i].words);
    }
    return result;
  }

 private:
  void watch(Clock::time_point deadline, RunResult& result) {
    std::unique_lock lock(mutex_);
    if (done_.wait_until(lock, deadline, [&] { return working_ == 0; })) return;
    stop_.store(true, std::memory_order_relaxed);
    std::atomic_ref(buffers_[launch_.control][launch_.stop_word]).store(1, std::memory_order_relaxed);
    result.status = RunStatus::stopped;
    done_.wait(lock, [&] { return working_ == 0; });
  }

  void work(std::uint32_t number, std::barrier<>& meeting) {
    std::vector<std::uint64_t> frame = frame_of(number);
    for (std::uint32_t round = 0; round < launch_.rounds; ++round) {
      if (number == 0) prepare(round);
      for (const codegen::Pass& pass : launch_.passes) {
        meeting.arrive_and_wait();
        if (number < pass.workgroups) call(pass.entry, frame);
      }
      meeting.arrive_and_wait();
      if (number == 0) {
        ++rounds_;
        quit_ = stop_.load(std::memory_order_relaxed);
      }
      meeting.arrive_and_wait();
      if (quit_) return;
    }
  }

  std::vector<std::uint64_t> frame_of(std::uint32_t number) const {
    std::vector<std::uint64_t> frame(codegen::kCpuKernelHead + buffers_.size() + slots_);
    frame[0] = reinterpret_cast<std::uintptr_t>(frame.data());
    frame[1] = number;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      frame[codegen::kCpuKernelHead + i] = reinterpret_cast<std::uintptr_t>(buffers_[i].get());
    }
    return frame;
  }

  void prepare(std::uint32_t round) {
    buffers_[launch_.control][launch_.round_word] = round;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const codegen::BufferSetup& setup = launch_.buffers[i];
      if (setup.zero_each_round) std::fill_n(buffers_[i].get(), setup.words, 0);
    }
  }

  // The sanitizer reads a type in front of the function, which assembled code does not have.
#if defined(__clang__)
  [[clang::no_sanitize("function")]]
#endif
  void call(std::uint32_t entry, std::vector<std::uint64_t>& frame) const {
    functions_.at(entry)(reinterpret_cast<const codegen::CpuFrame*>(frame.data()), 0, 0);
  }

  const CpuFunctions& functions_;
  const codegen::Launch& launch_;
  std::vector<LineWords> buffers_;
  std::uint32_t threads_ = 1;
  std::uint32_t slots_ = 0;
  std::uint32_t rounds_ = 0;  // by the first thread
  bool quit_ = false;         // by the first thread, between two meetings
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable done_;
  std::uint32_t working_ = 0;
};

class CpuKernelsLoaded final : public LoadedProgram {
 public:
  CpuKernelsLoaded(std::shared_ptr<const codegen::CpuKernels> program, std::unique_ptr<CpuFunctions> functions,
                   std::vector<int> cores)
      : program_(std::move(program)), functions_(std::move(functions)), cores_(std::move(cores)) {}

  std::uint32_t resident_workgroups(std::uint32_t) const override { return static_cast<std::uint32_t>(cores_.size()); }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    return KernelLaunch(*program_, *functions_, launch).run(cores_, deadline);
  }

 private:
  std::shared_ptr<const codegen::CpuKernels> program_;
  std::unique_ptr<CpuFunctions> functions_;
  std::vector<int> cores_;
};

}  // namespace

std::unique_ptr<LoadedProgram> load_cpu_kernels(std::shared_ptr<const codegen::CpuKernels> program,
                                                std::unique_ptr<CpuFunctions> functions, std::vector<int> cores) {
  return std::make_unique<CpuKernelsLoaded>(std::move(program), std::move(functions), std::move(cores));
}

}  // namespace weakspot::backend
