// SPDX-License-Identifier: MIT
// Whole rounds of a CPU and a GPU, whose part a thread plays. Nothing here expects weak behaviour, only that every
// instance is accounted for, that the sides meet, and that a GPU that fails does not hold up the CPU.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backend/cpu/cpu_assemble.h"
#include "backend/cpu/cpu_run.h"
#include "backend/device.h"
#include "backend/mixed/delay_tuner.h"
#include "backend/mixed/mixed_run.h"
#include "codegen/buffer_words.h"
#include "codegen/test_program.h"
#include "support/device_runs.h"

namespace weakspot::backend::mixed_test {
namespace {

using codegen::MixedProgram;

constexpr const char* kSb =
    "weakspot SB\nArch=ptx\n P0 | P1 ;\n st.sys x, 1 | st y, 1 ;\n ld.sys r0, y | ld r0, x ;\n"
    "scopes (dev (wg P0)) (cpu (wg P1))\nexists (0:r0=0 /\\ 1:r0=0)\n";

// Plays the GPU's role of SB in the way of the kernel.
class PlayedGpu final : public GpuSide {
 public:
  enum class Manner { well, fails, cannot_start };

  PlayedGpu(const MixedProgram& program, Manner manner) : program_(program), manner_(manner) {
    memory_.resize(program.host.slice_bytes / 4);
    results_.resize(program.host.result_bytes / 4);
    own_results_.resize(program.host.other_result_bytes / 4);
    meeting_.resize(codegen::kMeetingWords);
  }
  ~PlayedGpu() override { join(); }

  SharedAreas areas() const override {
    return {reinterpret_cast<std::byte*>(memory_.data()), reinterpret_cast<std::byte*>(results_.data()),
            meeting_.data()};
  }
  base::Status start() override {
    join();
    if (manner_ == Manner::cannot_start) return base::error("no kernel today");
    done_ = false;
    thread_ = std::thread([this] { play(); });
    ++rounds;
    return base::ok_status();
  }
  State state() override {
    if (!done_) return State::running;
    return manner_ == Manner::fails ? State::failed : State::done;
  }
  std::string failure() const override { return "the kernel fell over"; }
  base::Status fetch() override {
    join();
    std::copy(own_results_.begin(), own_results_.end(), results_.begin());
    return base::ok_status();
  }

  int rounds = 0;

 private:
  void join() {
    if (thread_.joinable()) thread_.join();
  }
  std::atomic_ref<std::uint32_t> at(std::size_t location, std::uint32_t instance) {
    return std::atomic_ref<std::uint32_t>(memory_[program_.host.locations[location].at(instance) / 4]);
  }
  void play() {
    const std::uint32_t chunk = program_.chunk();
    const std::atomic_ref<std::uint32_t> ready(meeting_[codegen::kMeetingReady]), go(meeting_[codegen::kMeetingGo]);
    const std::uint32_t most = manner_ == Manner::fails ? 1 : program_.iterations;
    for (std::uint32_t k = 0; k < most; ++k) {
      while (ready < meeting_[codegen::kMeetingWorkers] * (k + 1)) std::this_thread::yield();
      go = k + 1;
      for (std::uint32_t i = k * chunk; i < (k + 1) * chunk; ++i) {
        at(0, i).store(1, std::memory_order_relaxed);
        own_results_[i] = at(1, i).load(std::memory_order_relaxed);
      }
    }
    done_ = true;
  }

  const MixedProgram& program_;
  Manner manner_;
  mutable std::vector<std::uint32_t> memory_, results_, meeting_;
  std::vector<std::uint32_t> own_results_;
  std::thread thread_;
  std::atomic<bool> done_{true};
};

struct Played {
  RunResult result;
  base::Result<codegen::Decoded> decoded = base::error("it did not run");
  std::uint64_t per_round = 0;
  int rounds = 0;
};

Played play(const std::string& environment, std::uint32_t rounds, PlayedGpu::Manner manner = PlayedGpu::Manner::well) {
  const auto tests = litmus::read_tests(base::Source("test", kSb));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  const auto parsed = codegen::parse_environment(base::Source("--env", environment));
  codegen::TargetLimits limits;
  limits.cpu = list_devices("cpu").front().limits.cpu;
  const auto program = codegen::TestProgram::compile(tests->front(), *parsed, codegen::Target::mixed, limits);
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  const MixedProgram& mixed = *program->program().mixed;
  const auto planned = program->plan({.resident_workgroups = 64, .memory_bytes = 1u << 28, .rounds = rounds});
  EXPECT_TRUE(planned.ok()) << base::render(planned.errors());
  auto functions = CpuFunctions::make({&mixed.host.roles[1].code});
  EXPECT_TRUE(functions.ok()) << base::render(functions.errors());
  PlayedGpu gpu(mixed, manner);
  DelayTuner tuner(mixed.start_delay);
  Played played;
  played.result = run_mixed(mixed, {(*functions)->at(0)}, gpu, planned->launch, usable_cores(), tuner,
                            std::chrono::milliseconds(60'000));
  played.per_round = planned->instances_per_round();
  played.rounds = gpu.rounds;
  if (played.result.status != RunStatus::lost) played.decoded = program->decode(*planned, played.result.buffers);
  return played;
}

TEST(Mixed, CountsEveryInstanceOfEveryRound) {
  for (const char* environment : {"workgroup_size=8,testing_workgroups=2,iterations=5", "mode=site,iterations=7",
                                  "workgroup_size=4,testing_workgroups=3,iterations=3,memory_stride=16,layout=arrays",
                                  "workgroup_size=8,testing_workgroups=2,iterations=5,permute_locations=7"}) {
    const Played played = play(environment, 3);
    EXPECT_EQ(RunStatus::finished, played.result.status) << environment;
    EXPECT_EQ(3u, played.result.rounds);
    ASSERT_TRUE(played.decoded.ok()) << base::render(played.decoded.errors());
    EXPECT_EQ(3 * played.per_round, played.decoded->histogram.total());
    EXPECT_EQ(0u, played.decoded->barrier_timeouts);
  }
}

TEST(Mixed, BothSidesSeeTheSameMemory) {
  // A CPU that starts late finds all that the GPU stored.
  const Played played = play("workgroup_size=4,testing_workgroups=2,iterations=4,start_delay=100000,start_spread=0", 2);
  ASSERT_TRUE(played.decoded.ok());
  std::uint64_t seen = 0;
  for (const auto& [outcome, count] : played.decoded->histogram.counts()) {
    if (outcome[1] == litmus::integer(1)) seen += count;
  }
  EXPECT_GT(seen, 0u);
}

TEST(Mixed, AGpuThatFailsEndsTheRun) {
  const Played failed = play("workgroup_size=4,testing_workgroups=2,iterations=4", 3, PlayedGpu::Manner::fails);
  EXPECT_EQ(RunStatus::lost, failed.result.status);
  EXPECT_EQ("the kernel fell over", failed.result.message);
  EXPECT_EQ(1, failed.rounds);
  const Played never = play("workgroup_size=4,testing_workgroups=2,iterations=4", 3, PlayedGpu::Manner::cannot_start);
  EXPECT_EQ(RunStatus::lost, never.result.status);
  EXPECT_EQ("no kernel today", never.result.message);
}

TEST(Mixed, ADeviceNeedsCuda) {
  for (const char* id : {"cuda:93+cpu", "cuda:x+cpu"}) EXPECT_FALSE(open_device(id).ok()) << id;
  const auto opened = open_device("cuda:93+cpu");
  EXPECT_EQ("cuda:93+cpu needs the CUDA device cuda:93, which this machine does not have",
            opened.errors().front().message);
  EXPECT_EQ(base::ErrorKind::device, base::kind_of(opened.errors()));
}

TEST(DelayTuner, FindsTheDelayWithTheMostVariety) {
  DelayTuner tuner;
  int rounds = 0;
  for (; tuner.tunes() && rounds < 100; ++rounds) tuner.note(1.0 / (1 + std::abs(tuner.next() - 1300)));
  EXPECT_EQ(22, rounds);
  EXPECT_EQ(1500, tuner.next());
}

TEST(DelayTuner, WhatIsAskedForIsUsed) {
  DelayTuner tuner(-700);
  EXPECT_FALSE(tuner.tunes());
  EXPECT_EQ(-700, tuner.next());
}

TEST(DelayTuner, VarietyIsEntropy) {
  EXPECT_EQ(0, variety({}));
  EXPECT_EQ(0, variety({0, 5, 0}));
  EXPECT_EQ(1, variety({4, 4}));
  EXPECT_EQ(2, variety({3, 3, 3, 0, 3}));
  EXPECT_LT(variety({1000, 1}), variety({900, 101}));
}

}  // namespace
}  // namespace weakspot::backend::mixed_test
