// SPDX-License-Identifier: MIT
#include "backend/device.h"

#include <gtest/gtest.h>

#include "backend/cuda_driver.h"

namespace weakspot::backend::device_test {
namespace {

TEST(Device, UnknownNamesAreRefused) {
  const auto device = open_device("abacus:0");
  ASSERT_FALSE(device.ok());
  EXPECT_TRUE(device.errors().front().message.starts_with("unknown device 'abacus:0'; this machine has "));
  EXPECT_EQ("error: unknown device 'cuda:first'; expected cuda:NUMBER\n",
            base::render(open_device("cuda:first").errors()));
}

TEST(Device, ListingNeverFails) {
  for (const DeviceInfo& info : list_devices()) {
    EXPECT_FALSE(info.id.empty());
    EXPECT_GT(info.multiprocessors, 0u);
  }
}

TEST(Device, StatusesHaveNames) {
  EXPECT_EQ("finished", to_string(RunStatus::finished));
  EXPECT_EQ("stopped", to_string(RunStatus::stopped));
  EXPECT_EQ("lost", to_string(RunStatus::lost));
}

// On a machine with a GPU: a kernel that counts its threads, and a mistake shown with its line.
class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda::driver()) GTEST_SKIP() << "no CUDA driver";
    auto opened = open_device("cuda:0");
    if (!opened) GTEST_SKIP() << "no CUDA device";
    device_ = *std::move(opened);
  }
  std::unique_ptr<Device> device_;
};

codegen::DeviceProgram counting(const std::string& instruction) {
  codegen::DeviceProgram program;
  program.text =
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry count(.param .u64 data) {\n"
      "  .reg .b64 %a; .reg .b32 %o;\n"
      "  ld.param.u64 %a, [data];\n"
      "  cvta.to.global.u64 %a, %a;\n  " +
      instruction + "\n  ret;\n}\n";
  program.entries = {{"count", 64, 0}};
  program.buffers = {"data"};
  return program;
}

TEST_F(Cuda, RunsAProgram) {
  auto program = device_->load(counting("atom.relaxed.gpu.global.add.u32 %o, [%a+8], 1;"));
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  codegen::Launch launch;
  launch.buffers = {{.words = 4, .zero_first = true, .read_back = true}};
  launch.passes = {{0, 3, false}};
  launch.rounds = 5;
  const auto result = (*program)->run(launch, std::chrono::seconds(10));
  ASSERT_TRUE(result.ok()) << base::render(result.errors());
  EXPECT_EQ(RunStatus::finished, result->status);
  EXPECT_EQ(5u * 3 * 64, result->buffers[0][2]);
  EXPECT_EQ(4u, result->buffers[0][0]);  // the last round's number
}

// Four threads copy what they see of `data`, by `load`, to `out`.
codegen::DeviceProgram looking(const std::string& declaration, const std::string& parameter, const std::string& load) {
  codegen::DeviceProgram program;
  program.text = ".version 7.0\n.target sm_70\n.address_size 64\n" + declaration +
                 ".visible .entry look(.param .u64 control, .param .u64 data, .param .u64 out" + parameter +
                 ") {\n"
                 "  .reg .b64 %out, %from, %offset; .reg .b32 %i, %v<4>;\n"
                 "  ld.param.u64 %out, [out];\n"
                 "  cvta.to.global.u64 %out, %out;\n"
                 "  mov.u32 %i, %tid.x;\n"
                 "  mul.wide.u32 %offset, %i, 4;\n"
                 "  add.u64 %out, %out, %offset;\n  " +
                 load + "\n  st.global.b32 [%out], %v0;\n  ret;\n}\n";
  program.entries = {{"look", 4, 0}};
  program.buffers = {"control", "data", "out"};
  program.viewed = 1;
  return program;
}

TEST_F(Cuda, ShowsABufferThroughATextureAndAsConstantMemory) {
  codegen::DeviceProgram texture = looking("", ", .param .u64 texture",
                                           "ld.param.u64 %from, [texture];\n"
                                           "  tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [%from, {%i}];");
  texture.entries[0].texture = true;
  codegen::DeviceProgram constant =
      looking(".const .align 16 .b8 constant_memory[65536];\n", "",
              "mov.u64 %from, constant_memory;\n  add.u64 %from, %from, %offset;\n  ld.const.b32 %v0, [%from];");
  constant.entries[0].constant = true;
  for (const codegen::DeviceProgram& code : {texture, constant}) {
    auto program = device_->load(code);
    ASSERT_TRUE(program.ok()) << base::render(program.errors());
    codegen::Launch launch;
    const std::vector<std::uint32_t> data{7, 8, 9, 0x80000001u};
    launch.buffers = {{.words = 2}, {.words = 4, .content = data}, {.words = 4, .read_back = true}};
    launch.passes = {{0, 1, false}};
    const auto result = (*program)->run(launch, std::chrono::seconds(10));
    ASSERT_TRUE(result.ok()) << base::render(result.errors());
    EXPECT_EQ(RunStatus::finished, result->status) << result->message;
    EXPECT_EQ(data, result->buffers[2]);
  }
}

TEST_F(Cuda, ShowsTheLineOfAMistake) {
  const auto program = device_->load(counting("atom.relaxed.gpu.global.wish.u32 %o, [%a], 1;"));
  ASSERT_FALSE(program.ok());
  EXPECT_NE(std::string::npos, base::render(program.errors()).find("wish"));
}

}  // namespace
}  // namespace weakspot::backend::device_test
