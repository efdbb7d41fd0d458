// SPDX-License-Identifier: MIT
#include "campaign/run/loaded_programs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "codegen/environment.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

// Compiles on any thread, for a while, and notes how many did so at once.
class ParallelCompiler final : public backend::Device {
 public:
  explicit ParallelCompiler(bool refuses = false)
      : device_(*backend::open_device(refuses ? "testing:refuse" : "testing:one")), info_(device_->info()) {
    info_.loads_in_parallel = true;
  }

  const backend::DeviceInfo& info() const override { return info_; }
  std::uint64_t free_bytes() override { return device_->free_bytes(); }
  base::Result<std::unique_ptr<backend::LoadedProgram>> load(const codegen::DeviceProgram& program) override {
    ++loads;
    const int now = ++at_once_;
    int most = most_at_once;
    while (most < now && !most_at_once.compare_exchange_weak(most, now)) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    --at_once_;
    return device_->load(program);
  }

  std::atomic<int> loads = 0;
  std::atomic<int> most_at_once = 0;

 private:
  std::unique_ptr<backend::Device> device_;
  backend::DeviceInfo info_;
  std::atomic<int> at_once_ = 0;
};

RunRequest mp_in(const std::string& environment) {
  RunRequest request;
  request.test = litmus::read_tests(base::Source("t",
                                                 "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\n"
                                                 "st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n"))
                     ->front();
  request.environment = *codegen::parse_environment(base::Source("e", environment));
  return request;
}

std::vector<RunRequest> strided(int count) {
  std::vector<RunRequest> made;
  for (int i = 0; i < count; ++i) made.push_back(mp_in("memory_stride=" + std::to_string(i + 1)));
  return made;
}

TEST(LoadedPrograms, AnnouncedProgramsAreCompiledWhileOthersRun) {
  ParallelCompiler device;
  LoadedPrograms programs(device);
  const std::vector<RunRequest> all = strided(12);
  programs.prepare(all);
  programs.prepare(all);
  LoadError error;
  for (const RunRequest& one : all) EXPECT_NE(nullptr, programs.get(one, error)) << error.message;
  for (const RunRequest& one : all) EXPECT_NE(nullptr, programs.get(one, error)) << error.message;
  EXPECT_EQ(12, device.loads);
  EXPECT_GE(device.most_at_once, 2);  // this thread, and one at least
}

TEST(LoadedPrograms, AProgramThatWasNotAnnouncedDoesNotWaitForOthers) {
  ParallelCompiler device;
  LoadedPrograms programs(device);
  const std::vector<RunRequest> all = strided(200);
  programs.prepare(std::span(all).first(199));
  LoadError error;
  EXPECT_NE(nullptr, programs.get(all.back(), error));
  EXPECT_LT(device.loads, 199);  // and the end does not wait for the others
}

TEST(LoadedPrograms, EnvironmentsThatDifferInTheLaunchShareAProgram) {
  ParallelCompiler device;
  LoadedPrograms programs(device);
  const std::vector<RunRequest> two = {mp_in("iterations=64"), mp_in("iterations=128")};
  programs.prepare(two);
  LoadError error;
  const ReadyProgram* first = programs.get(two[0], error);
  ASSERT_NE(nullptr, first);
  const std::shared_ptr<backend::LoadedProgram> loaded = first->loaded;
  const ReadyProgram* second = programs.get(two[1], error);
  ASSERT_NE(nullptr, second);
  EXPECT_EQ(loaded, second->loaded);
  EXPECT_EQ(1, device.loads);
}

TEST(LoadedPrograms, ErrorsShowWhenAProgramIsRun) {
  ParallelCompiler device(true);
  LoadedPrograms programs(device);
  const std::vector<RunRequest> all = strided(2);
  programs.prepare(all);
  for (int again = 0; again < 2; ++again) {
    LoadError error;
    EXPECT_EQ(nullptr, programs.get(all[0], error));
    EXPECT_EQ(RunState::failed, error.state);
    EXPECT_NE(std::string::npos, error.message.find("refuses every program")) << error.message;
  }
  RunRequest devices = all[0];
  devices.test = litmus::read_tests(base::Source("t",
                                                 "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, x ;\n"
                                                 "scopes (dev (wg P0)) (dev (wg P1))\nexists (1:r0=1)\n"))
                     ->front();
  programs.prepare({&devices, 1});
  LoadError error;
  EXPECT_EQ(nullptr, programs.get(devices, error));
  EXPECT_EQ(RunState::refused, error.state);
  EXPECT_NE(std::string::npos, error.message.find("several devices")) << error.message;
}

}  // namespace
}  // namespace weakspot::campaign
