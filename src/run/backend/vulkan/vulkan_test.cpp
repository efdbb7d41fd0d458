// SPDX-License-Identifier: MIT
#include "backend/vulkan/vulkan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <thread>

#include "backend/vulkan/vulkan_driver.h"
#include "backend/vulkan/vulkan_features.h"
#include "backend/vulkan/vulkan_host.h"
#include "backend/vulkan/vulkan_program.h"
#include "codegen/kernel/kernel_builder.h"
#include "codegen/spirv/print_spirv.h"
#include "codegen/spirv/spirv_words.h"
#include "support/device_runs.h"
#include "system/subprocess.h"

namespace weakspot::backend::vulkan_test {
namespace {

using testing_support::corpus_tests;
using testing_support::run_on;

TEST(Vulkan, UnknownNamesAreRefused) {
  EXPECT_EQ("error: unknown device 'vulkan:first'; expected vulkan:NUMBER\n",
            base::render(open_device("vulkan:first").errors()));
}

TEST(VulkanDriver, ManifestsNameTheirLibrary) {
  const auto library = [](const char* text) { return vulkan::manifest_library(base::Source("icd.json", text)); };
  EXPECT_EQ("/usr/lib/libvulkan_lvp.so", library("{\n  \"file_format_version\": \"1.0.0\",\n  \"ICD\": {\n"
                                                 "    \"api_version\": \"1.3.230\",\n"
                                                 "    \"library_path\": \"/usr/lib/libvulkan_lvp.so\"\n  }\n}\n"));
  EXPECT_EQ("a\"b.so", library("{\"ICD\":{\"library_path\":\"a\\\"b.so\"}}"));
  EXPECT_EQ("", library("{\"ICD\":{\"library_path\": 3}}"));
  EXPECT_EQ("", library("{\"library_path\":\"elsewhere.so\"}"));
  EXPECT_EQ("", library("{}"));
  EXPECT_EQ("", library("no JSON"));
}

TEST(VulkanDriver, ResultsHaveNames) {
  EXPECT_EQ("VK_ERROR_DEVICE_LOST", vulkan::describe(VK_ERROR_DEVICE_LOST));
  EXPECT_EQ("error -1234", vulkan::describe(static_cast<VkResult>(-1234)));
}

TEST(VulkanFeatures, MissingOnesAreNamed) {
  using spv::Capability;
  vulkan::Features features;
  EXPECT_EQ((std::vector<std::string>{"shaderInt64", "shaderBufferInt64Atomics", "bufferDeviceAddress",
                                      "vulkanMemoryModel", "vulkanMemoryModelDeviceScope"}),
            vulkan::missing_features(features));
  features.core.features.shaderInt64 = VK_TRUE;
  features.v12.vulkanMemoryModel = VK_TRUE;
  auto capability = [](Capability which) { return static_cast<std::uint32_t>(which); };
  const std::vector<std::uint32_t> module = {spv::MagicNumber,
                                             codegen::spirv::kVersion15,
                                             0,
                                             10,
                                             0,
                                             0x00020011,
                                             capability(Capability::Int64),
                                             0x00020011,
                                             capability(Capability::Int8),
                                             0x00020011,
                                             capability(Capability::VulkanMemoryModel),
                                             0x000100fd};
  EXPECT_EQ((std::vector<std::string>{"shaderInt8"}), vulkan::missing_features(features, module));
  EXPECT_EQ(VK_TRUE, vulkan::usable(features).v12.vulkanMemoryModel);
  EXPECT_EQ(VK_FALSE, vulkan::usable(features).v12.shaderInt8);
}

TEST(VulkanOccupancy, TheScarcestDecides) {
  const vulkan::Occupancy host{.units = 4};
  EXPECT_EQ(4u, host.workgroups({"run", 1024, 0}));
  const vulkan::Occupancy gpu{
      .units = 10, .threads_per_unit = 1024, .groups_per_unit = 16, .shared_bytes_per_unit = 48 * 1024};
  EXPECT_EQ(160u, gpu.workgroups({"run", 32, 4}));
  EXPECT_EQ(40u, gpu.workgroups({"run", 256, 4}));
  EXPECT_EQ(20u, gpu.workgroups({"run", 64, 20 * 1024}));
  EXPECT_EQ(10u, gpu.workgroups({"run", 2048, 4}));  // never none

  const vulkan::Occupancy counted{
      .units = 10, .threads_per_unit = 2048, .groups_per_unit = 16, .registers_per_unit = 65536};
  EXPECT_EQ(80u, counted.workgroups({"run", 256, 0}, 32));
  EXPECT_EQ(60u, counted.workgroups({"run", 256, 0}, 33));  // 40 each
  EXPECT_EQ(40u, counted.workgroups({"run", 256, 0}));      // not known
}

TEST(VulkanHost, ThreadsAreCounted) {
  EXPECT_GE(vulkan::host_threads(), 1u);
  EXPECT_GE(vulkan::threads_of_process().size(), 1u);
}

// The driver's compiler may need a masked processor, and a driver may crash: tests that start one run in a child.
constexpr const char* kInside = "WEAKSPOT_TEST_INSIDE_CHILD";

TEST(Vulkan, RunsOnTheHostsDriverInAChild) {
  if (std::getenv(kInside) != nullptr) GTEST_SKIP() << "this is the child";
  const std::string wrapper = std::string(base::kSourceDirectory) + "/tools/plain_cpu";
  const auto check = base::run_process({wrapper, "--check"});
  ASSERT_TRUE(check.ok());
  if (!check->succeeded()) GTEST_SKIP() << "the processor's description cannot be masked: " << check->output;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  // Drivers leak when they end, which we cannot fix.
  const auto child = base::run_process({"env", fmt::format("{}=1", kInside), "ASAN_OPTIONS=detect_leaks=0", wrapper,
                                        self, "--gtest_filter=HostVulkan.*"},
                                       {.deadline = std::chrono::seconds(900)});
  ASSERT_TRUE(child.ok());
  EXPECT_TRUE(child->succeeded()) << child->output << child->errors;
  if (child->output.find("no Vulkan driver for the host") != std::string::npos) {
    GTEST_SKIP() << "there is no Vulkan driver for the host's processor";
  }
}

class HostVulkan : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv(kInside) == nullptr) GTEST_SKIP() << "runs in a child";
    for (const DeviceInfo& info : list_vulkan_devices()) {
      if (!info.is_host) continue;
      auto opened = open_device(info.id);
      ASSERT_TRUE(opened.ok()) << base::render(opened.errors());
      device_ = *std::move(opened);
      return;
    }
    GTEST_SKIP() << "no Vulkan driver for the host";
  }

  static litmus::LitmusTest named(const std::string& name) {
    for (litmus::LitmusTest& test : corpus_tests()) {
      if (test.name == name) return test;
    }
    ADD_FAILURE() << "no test " << name;
    return {};
  }

  std::unique_ptr<Device> device_;
};

// Every thread adds to a word of its own parity.
codegen::DeviceProgram counting() {
  codegen::KernelBuilder b("count");
  b.kernel().workgroup_size = 64;
  codegen::MemoryAccess access;
  access.order = litmus::Order::relaxed;
  access.address = codegen::buffer_address(0) +
                   codegen::mul_wide((codegen::builtin(codegen::Builtin::local_id) & 1u) + codegen::Expr(2u), 4u);
  b.add(codegen::AtomicOn{litmus::RmwOp::add, std::nullopt, access, 1u, std::nullopt});
  const codegen::KernelModule module{{"data"}, {std::move(b).finish()}};
  codegen::DeviceProgram program;
  program.target = codegen::Target::spirv;
  program.words = codegen::print_spirv(module);
  program.entries = {{"count", 64, 0}};
  program.buffers = {"data"};
  return program;
}

TEST_F(HostVulkan, RunsAProgram) {
  auto program = device_->load(counting());
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  codegen::Launch launch;
  launch.buffers = {{.words = 4, .content = {7}, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 3, false}};
  launch.rounds = 5;
  for (int run = 0; run < 2; ++run) {
    const auto result = (*program)->run(launch, std::chrono::seconds(60));
    ASSERT_TRUE(result.ok()) << base::render(result.errors());
    EXPECT_EQ(RunStatus::finished, result->status);
    EXPECT_EQ(5u, result->rounds);
    EXPECT_GT(result->device_seconds, 0);
    EXPECT_EQ((std::vector<std::uint32_t>{4, 0, 5 * 3 * 32, 5 * 3 * 32}), result->buffers[0]);
  }
}

TEST_F(HostVulkan, ThreadsLoadProgramsWhileOneRuns) {
  codegen::Launch launch;
  launch.buffers = {{.words = 4, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 3, false}};
  const codegen::DeviceProgram program = counting();
  const auto first = device_->load(program);
  ASSERT_TRUE(first.ok());
  std::vector<Device::Loaded> loaded;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Device::Loaded made = device_->load(program);
      const std::lock_guard<std::mutex> lock(mutex);
      loaded.push_back(std::move(made));
    });
  }
  for (int run = 0; run < 8; ++run) EXPECT_TRUE((*first)->run(launch, std::chrono::seconds(60)).ok());
  for (std::thread& thread : threads) thread.join();
  for (const Device::Loaded& one : loaded) {
    ASSERT_TRUE(one.ok());
    EXPECT_EQ(96u, (*one)->run(launch, std::chrono::seconds(60))->buffers[0][2]);
  }
}

TEST_F(HostVulkan, AllInstancesAreCounted) {
  const std::string environments[] = {"workgroup_size=64,pairing=half", "interleave,pairing=half",
                                      "stress,workgroup_size=32,iterations=16", "assignment=one,barrier=partner"};
  for (const char* name : {"MP", "SB", "2+2W", "IRIW", "MP+bars", "MP-shared", "CAS-lock", "MP-dev-same-sg"}) {
    for (const std::string& environment : environments) {
      SCOPED_TRACE(fmt::format("{} in {}", name, environment));
      const auto ran = run_on(*device_, named(name), environment);
      EXPECT_EQ(RunStatus::finished, ran.result.status);
      EXPECT_EQ(ran.planned, ran.decoded.instances);
    }
  }
}

TEST_F(HostVulkan, CoherenceHolds) {
  for (const litmus::LitmusTest& test : corpus_tests("conformance/@all")) {
    if (!test.name.starts_with("Co")) continue;
    const auto ran = run_on(*device_, test, device_->info().environment, 4);
    EXPECT_GT(ran.decoded.instances, 0u) << test.name;
    EXPECT_EQ(0u, ran.matches) << test.name;
  }
}

TEST_F(HostVulkan, StopsAtTheDeadline) {
  const auto ran = run_on(*device_, named("SB"), "workgroup_size=256,pairing=half,barrier=none", 100'000,
                          std::chrono::milliseconds(300));
  EXPECT_EQ(RunStatus::stopped, ran.result.status);
  EXPECT_LT(ran.decoded.instances, ran.planned);
  EXPECT_LT(ran.result.rounds, 100'000u);
}

}  // namespace
}  // namespace weakspot::backend::vulkan_test
