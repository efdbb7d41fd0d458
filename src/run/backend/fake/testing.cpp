// SPDX-License-Identifier: MIT
#include "backend/fake/testing.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "base/names.h"
#include "codegen/buffer_words.h"

namespace weakspot::backend {
namespace {

enum class Behaviour {
  one,
  all,
  lost,
  memory,
  refuse,
  gone,
  segv,
  ill,
  abort,
  exit,
  hang,
  slow,
  old,
  closed,
  parallel,
  mixed
};

constexpr base::Named<Behaviour> kBehaviours[] = {
    {"one", Behaviour::one},       {"all", Behaviour::all},           {"lost", Behaviour::lost},
    {"memory", Behaviour::memory}, {"refuse", Behaviour::refuse},     {"segv", Behaviour::segv},
    {"ill", Behaviour::ill},       {"abort", Behaviour::abort},       {"exit", Behaviour::exit},
    {"hang", Behaviour::hang},     {"slow", Behaviour::slow},         {"old", Behaviour::old},
    {"closed", Behaviour::closed}, {"parallel", Behaviour::parallel}, {"mixed", Behaviour::mixed},
    {"gone", Behaviour::gone},
};

// Removes the handlers of sanitizers and debuggers first.
void die_of(int signal) {
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

class TestingProgram final : public LoadedProgram {
 public:
  explicit TestingProgram(Behaviour behaviour) : behaviour_(behaviour) {}

  std::uint32_t resident_workgroups(std::uint32_t) const override { return 8; }

  base::Result<RunResult> run(const codegen::Launch& launch, std::chrono::milliseconds deadline) override {
    misbehave();
    RunResult result;
    if (behaviour_ == Behaviour::lost) {
      result.status = RunStatus::lost;
      result.message = "the device fell off the bus";
      return result;
    }
    std::uint32_t rounds = launch.rounds;
    const auto start = std::chrono::steady_clock::now();
    if (behaviour_ == Behaviour::slow) {
      if (std::chrono::milliseconds(rounds) > deadline) {
        rounds = static_cast<std::uint32_t>(std::max<std::int64_t>(deadline.count(), 0));
        result.status = RunStatus::stopped;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(rounds));
    }
    result.rounds = rounds;
    // A sleep takes longer than asked for, which is not the caller's fault.
    const std::chrono::duration<double> slept = std::chrono::steady_clock::now() - start;
    result.device_seconds = behaviour_ == Behaviour::slow ? slept.count() : 1e-3 * rounds;
    result.host_seconds = result.device_seconds;
    fill(launch, rounds, result);
    return result;
  }

 private:
  void misbehave() const {
    switch (behaviour_) {
      case Behaviour::segv:
        return die_of(SIGSEGV);
      case Behaviour::ill:
        return die_of(SIGILL);
      case Behaviour::abort:
        return die_of(SIGABRT);
      case Behaviour::exit:
        ::_exit(7);
      case Behaviour::hang:
        while (true) ::pause();
      default:
        return;
    }
  }

  // Counts as the collecting kernel would have left them.
  void fill(const codegen::Launch& launch, std::uint32_t rounds, RunResult& result) const {
    using namespace codegen;
    result.buffers.resize(launch.buffers.size());
    for (std::size_t i = 0; i < launch.buffers.size(); ++i) {
      if (launch.buffers[i].read_back) result.buffers[i].assign(launch.buffers[i].words, 0);
    }
    if (launch.buffers.size() != kBufferCount) return;  // not a test: nothing was done
    const std::vector<std::uint32_t>& control = launch.buffers[kControlBuffer].content;
    const std::uint64_t iterations = std::uint64_t{rounds} * control[kIterations];
    std::uint64_t left = iterations * control[kInstances];
    std::vector<std::uint32_t>& counts = result.buffers[kCountBuffer];
    set_two_words(counts, kCompleted, iterations);
    if (counts.size() == count_words(false, 0)) {
      set_two_words(counts, kCountHead, 1);  // the key of number 0
      set_two_words(counts, kCountHead + kCounterWords, left);
      return;
    }
    if (behaviour_ == Behaviour::all) {
      const std::size_t numbers = (counts.size() - kCountHead) / (kCounterWords + kFirstWords);
      for (std::size_t number = 1; number < numbers && left > 1; ++number, --left) {
        set_two_words(counts, kCountHead + number * kCounterWords, 1);
        const std::size_t first = first_word(true, numbers, number);
        counts[first + kFirstClaimed] = 1;
        counts[first + kFirstEntry] = static_cast<std::uint32_t>(number);
      }
    }
    set_two_words(counts, kCountHead, left);
  }

  Behaviour behaviour_;
};

class TestingDevice final : public Device {
 public:
  TestingDevice(std::string_view id, Behaviour behaviour) : behaviour_(behaviour) {
    info_.id = id;
    info_.name = "a device for tests";
    info_.driver = "none";
    if (behaviour != Behaviour::old) {
      info_.limits.ptx_arch = 90;
      info_.limits.max_cluster = 8;
    }
    info_.loads_in_parallel = behaviour == Behaviour::parallel;
    if (behaviour == Behaviour::mixed) {
      info_.target = codegen::Target::mixed;
      info_.limits.cpu.isa = codegen::CpuIsa::x86_64;
    }
    info_.multiprocessors = 4;
    info_.memory_bytes = std::uint64_t{1} << 30;
  }

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t free_bytes() override { return behaviour_ == Behaviour::memory ? 4096 : info_.memory_bytes; }
  bool lost() const override { return behaviour_ == Behaviour::gone; }
  base::Result<std::unique_ptr<LoadedProgram>> load(const codegen::DeviceProgram&) override {
    if (behaviour_ == Behaviour::refuse) return base::error("testing: the compiler refuses every program");
    if (lost()) return base::error("testing: the device is gone", base::ErrorKind::device);
    return std::unique_ptr<LoadedProgram>(std::make_unique<TestingProgram>(behaviour_));
  }

 private:
  DeviceInfo info_;
  Behaviour behaviour_;
};

}  // namespace

std::vector<DeviceInfo> list_testing_devices() { return {}; }

base::Result<std::unique_ptr<Device>> open_testing_device(std::string_view id) {
  const std::string_view name = id.substr(std::min(id.find(':'), id.size() - 1) + 1);
  const std::optional<Behaviour> behaviour = base::value_of(kBehaviours, name);
  if (!behaviour) {
    return base::error(fmt::format("unknown device '{}'; expected testing: and {}", id, base::list_names(kBehaviours)));
  }
  if (*behaviour == Behaviour::closed) {
    return base::error(fmt::format("testing: {} lacks the feature doors", id), base::ErrorKind::device);
  }
  return std::unique_ptr<Device>(std::make_unique<TestingDevice>(id, *behaviour));
}

}  // namespace weakspot::backend
