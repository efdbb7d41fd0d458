// SPDX-License-Identifier: MIT
#include "campaign/run/loaded_programs.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "base/source.h"
#include "codegen/environment.h"
#include "litmus/dialect.h"

namespace weakspot::campaign {
namespace {

// Compiles on any thread. What is compiled waits until something else was compiled beside it, if `waits`; on other
// threads than the first one it waits while the device is not `open`.
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
    ++at_once_;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (must_wait() && std::chrono::steady_clock::now() < end) {
      if (at_once_ > 1) met = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    --at_once_;
    return device_->load(program);
  }

  std::atomic<int> loads = 0;
  std::atomic<bool> met = false;
  std::atomic<bool> open = true;
  bool waits = false;

 private:
  bool must_wait() const { return (waits && !met) || (!open && std::this_thread::get_id() != first_); }

  std::thread::id first_ = std::this_thread::get_id();
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
  device.waits = true;
  LoadedPrograms programs(device);
  const std::vector<RunRequest> all = strided(12);
  programs.prepare(all);
  programs.prepare(all);
  LoadError error;
  // No thread has come to the last one: this thread compiles it, and meets one of those.
  EXPECT_NE(nullptr, programs.get(all.back(), error)) << error.message;
  EXPECT_TRUE(device.met);
  for (const RunRequest& one : all) EXPECT_NE(nullptr, programs.get(one, error)) << error.message;
  for (const RunRequest& one : all) EXPECT_NE(nullptr, programs.get(one, error)) << error.message;
  EXPECT_EQ(12, device.loads);
}

TEST(LoadedPrograms, AProgramThatWasNotAnnouncedDoesNotWaitForOthers) {
  ParallelCompiler device;
  device.open = false;
  LoadedPrograms programs(device);
  const std::vector<RunRequest> all = strided(200);
  programs.prepare(std::span(all).first(199));
  LoadError error;
  EXPECT_NE(nullptr, programs.get(all.back(), error));
  device.open = true;  // the end waits for what is being compiled, and not for the others
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

TEST(LoadedPrograms, CodeIsCheckedBesideOtherWork) {
  ParallelCompiler device;
  LoadedPrograms programs(device);
  std::vector<RunRequest> all = strided(5);
  for (RunRequest& request : all) request.optcheck = true;
  LoadError error;
  EXPECT_EQ("the program has not run", programs.code(all[0], true)->reason);
  programs.prepare(all);
  for (const RunRequest& request : all) {
    ASSERT_NE(nullptr, programs.get(request, error)) << error.message;
    const std::optional<CheckedCode> code = programs.code(request, true);
    ASSERT_TRUE(code.has_value());
    EXPECT_EQ("the device does not offer its machine code", code->reason);
    EXPECT_EQ(code, programs.code(request, false));
  }
}

}  // namespace
}  // namespace weakspot::campaign
