// Whole runs on the machine itself. What is asserted holds on every machine, loaded or not: nothing here expects weak
// behaviour, only that what orders forbid never shows and that every instance is accounted for.
#include "backend/cpu.h"

#include <gtest/gtest.h>

#include "support/device_runs.h"

namespace weakspot::backend {
namespace {

using testing_support::DeviceRun;
using testing_support::run_on;

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

class Cpu : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_device("cpu");
    ASSERT_TRUE(opened.ok()) << base::render(opened.errors());
    device_ = *std::move(opened);
  }
  std::unique_ptr<Device> device_;
};

constexpr const char* kMp =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
constexpr const char* kMpRelAcq =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

TEST_F(Cpu, IsADeviceAsOthersAre) {
  EXPECT_EQ("cpu", device_->info().id);
  EXPECT_FALSE(device_->info().name.empty());
  EXPECT_EQ(codegen::Target::cpu, device_->info().target);
  EXPECT_GT(device_->info().multiprocessors, 0u);
  EXPECT_EQ("error: unknown device 'cpu:7'; expected cpu\n", base::render(open_device("cpu:7").errors()));
}

TEST_F(Cpu, RunsMessagePassing) {
  const DeviceRun ran = run_on(*device_, read(kMp), "iterations=40");
  EXPECT_EQ(RunStatus::finished, ran.result.status);
  EXPECT_EQ(2u, ran.result.rounds);
  EXPECT_EQ(ran.planned, ran.decoded.instances);
  EXPECT_EQ(ran.decoded.instances, ran.decoded.histogram.total());
}

TEST_F(Cpu, ReleaseAndAcquireForbidMessagePassing) {
  for (const char* environment : {"basic", "layout=arrays", "layout=arrays,memory_stride=16,workgroup_size=16"}) {
    EXPECT_EQ(0u, run_on(*device_, read(kMpRelAcq), environment).matches) << environment;
  }
}

}  // namespace
}  // namespace weakspot::backend
