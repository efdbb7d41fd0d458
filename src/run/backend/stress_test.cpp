// SPDX-License-Identifier: MIT
// Stress on real devices touches exactly the words that were drawn for it.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "backend/device.h"
#include "base/source.h"
#include "codegen/buffer_words.h"
#include "codegen/environment.h"
#include "codegen/harness/stress_plan.h"
#include "codegen/test_program.h"
#include "support/device_runs.h"

namespace weakspot::backend::stress_test {
namespace {

constexpr std::uint32_t kPattern = 0xabcdef01;  // stays in words that nothing stores to

constexpr const char* kEnvironments[] = {
    "pre_stress_percent=100,stress_target_lines=4",
    "pre_stress_percent=100,stress_spread=line,stress_target_lines=3",
    "pre_stress_percent=60,stress_line_words=16,strategy_balance_percent=0",
};

constexpr const char* kMp =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

void check(Device& device, const std::string& text) {
  SCOPED_TRACE(device.info().id + ": " + text);
  const auto environment = codegen::parse_environment(base::Source("--env", text));
  ASSERT_TRUE(environment.ok()) << base::render(environment.errors());
  const auto program = codegen::TestProgram::compile(litmus::read_tests(base::Source("MP", kMp))->front(), *environment,
                                                     device.info().target, device.info().limits);
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  const auto loaded = device.load(program->program());
  ASSERT_TRUE(loaded.ok()) << base::render(loaded.errors());
  auto planned = program->plan({.resident_workgroups = (*loaded)->resident_workgroups(program->run_entry()),
                                .memory_bytes = 1u << 28,
                                .rounds = 1,
                                .seed = 11});
  ASSERT_TRUE(planned.ok()) << base::render(planned.errors());
  codegen::BufferSetup& scratch = planned->launch.buffers[codegen::kScratchBuffer];
  scratch.content.assign(scratch.words, kPattern);
  scratch.read_back = true;
  const auto result = (*loaded)->run(planned->launch, std::chrono::minutes(1));
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  ASSERT_EQ(RunStatus::finished, result->status) << result->message;
  std::vector<std::uint32_t> touched;
  const std::vector<std::uint32_t>& words = result->buffers[codegen::kScratchBuffer];
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    if (words[i] != kPattern) touched.push_back(i);
  }
  EXPECT_EQ(codegen::touched_words(*environment, planned->shape, planned->launch.buffers[codegen::kPlanBuffer].content,
                                   program->workgroup_size()),
            touched);
}

// Every device but those of Vulkan drivers on the host, whose compilers can end the process (vulkan_test.cpp), and of
// browsers, whose compilers need tools/plain_cpu on some hosts (tests/tools/webgpu_test.py). A CPU and a GPU together
// run none of the tests of one of them.
TEST(Stress, TouchesWhatItShouldOnEveryDevice) {
  std::size_t devices = 0;
  for (const DeviceInfo& info : list_devices()) {
    if (info.target == codegen::Target::spirv && info.is_host) continue;
    if (info.target == codegen::Target::wgsl || info.target == codegen::Target::mixed) continue;
    const auto device = open_device(info.id);
    if (!device) continue;
    ++devices;
    for (const char* text : kEnvironments) check(**device, std::string(text) + ",iterations=64,workgroup_size=32");
  }
  if (devices == 0) GTEST_SKIP() << "no device";
}

}  // namespace
}  // namespace weakspot::backend::stress_test
