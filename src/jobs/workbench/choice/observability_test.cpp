// SPDX-License-Identifier: MIT
#include "workbench/choice/observability.h"

#include <gtest/gtest.h>

#include "campaign/runner.h"
#include "workbench/inputs.h"
#include "workbench/rate_source.h"

namespace weakspot::workbench::observability_test {
namespace {

std::string why_not(const std::string& test, codegen::Target target, codegen::CpuIsa isa = codegen::CpuIsa::aarch64) {
  backend::DeviceInfo info;
  info.target = target;
  info.limits.cpu = {.isa = isa, .lse = true, .rcpc = true};
  const TestInputs inputs = load_tests({test});
  EXPECT_EQ(1u, inputs.tests.size()) << test;
  Observability observability(info);
  const auto reason = observability.why_not(inputs.tests.front().test);
  EXPECT_TRUE(reason.ok());
  return reason->value_or("");
}

TEST(Observability, IsDecidedByTheDevicesModel) {
  using codegen::CpuIsa;
  using codegen::Target;
  const std::string forbids = "cannot be seen on this device: ";
  EXPECT_EQ("", why_not("MP", Target::cpu));
  EXPECT_EQ(forbids + "tso forbids it", why_not("MP", Target::cpu, CpuIsa::x86_64));
  EXPECT_EQ("", why_not("SB", Target::cpu, CpuIsa::x86_64));
  EXPECT_EQ(forbids + "aarch64 forbids it", why_not("MP+rel+acq", Target::cpu));
  EXPECT_EQ(forbids + "ptx forbids it", why_not("MP+rel+acq", Target::ptx));
  EXPECT_EQ(forbids + "vulkan forbids it", why_not("MP+rel+acq", Target::spirv));
  EXPECT_EQ("", why_not("MP", Target::wgsl));
}

TEST(Observability, TuneAndScoreLeaveOutWhatCannotBeSeen) {
  const auto executor = campaign::in_process_executor();
  campaign::RunObserver observer;
  const auto source = open_rates({.tests = {"MP", "MP+rel+acq", "SB"}, .device = "testing:all"}, *executor, observer);
  ASSERT_TRUE(source.ok()) << base::render(source.errors());
  EXPECT_EQ((std::vector<std::string>{"MP", "SB"}), source->names);
  EXPECT_EQ(2u, source->hashes.size());
  ASSERT_EQ(1u, source->unobservable.size());
  EXPECT_EQ("MP+rel+acq", source->unobservable.front().test);
  const auto none = open_rates({.tests = {"MP+rel+acq"}, .device = "testing:all"}, *executor, observer);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ("error: MP+rel+acq: cannot be seen on this device: ptx forbids it\n", base::render(none.errors()));
}

}  // namespace
}  // namespace weakspot::workbench::observability_test
