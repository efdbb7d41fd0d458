// SPDX-License-Identifier: MIT
#include "race_jit/host/device_link.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/rng.h"

namespace weakspot::race_jit {
namespace {

// Notes what it is asked.
class FakeDevice : public DeviceCalls {
 public:
  char* allocate(std::uint64_t size, const std::string& name, const race::Place& at) override {
    asked += "allocate " + std::to_string(size) + name + at.file + std::to_string(at.line) + ";";
    return reinterpret_cast<char*>(size * 2);
  }
  bool release(const void* pointer) override { return pointer == reinterpret_cast<void*>(8); }
  LaunchAnswer launch(const LaunchCall& call) override {
    asked += "launch " + call.kernel + " " + std::to_string(call.shape.threads()) + " " +
             std::to_string(call.arguments.size()) + " " + std::to_string(call.unordered.size()) + ";";
    return {.made = true, .ended = call.keep_history, .asserted = true, .output = std::string(300'000, 'x')};
  }
  void note_call(const std::string& what, const std::string& file, std::uint32_t line) override {
    asked += "call " + what + " at " + file + ":" + std::to_string(line) + ";";
  }
  void note_unseen(const std::string& what, race::Effect effect, bool doubtful) override {
    asked += "unseen " + what + " " + std::to_string(static_cast<int>(effect)) + std::to_string(doubtful) + ";";
  }
  void note_overlap(const std::string& kernel) override { asked += "overlap " + kernel + ";"; }
  void note_refusal(const std::string& kernel, const std::string& error) override {
    asked += "refusal " + kernel + " " + error + ";";
  }
  void share_with_host(const void* pointer) override {
    asked += "share " + std::to_string(reinterpret_cast<std::uint64_t>(pointer)) + ";";
  }
  std::uint64_t add_texture(const Texture& texture) override { return texture.surface.width; }
  bool remove_texture(std::uint64_t handle) override { return handle == 7; }
  bool add_code() override {
    asked += "add code;";
    return true;
  }
  bool compile_source() override {
    asked += "compile;";
    return true;
  }
  void cannot_load(const std::string& why) override { asked += "cannot load " + why + ";"; }

  std::string asked;
};

class DeviceLinkTest : public testing::Test {
 protected:
  void SetUp() override {
    int both[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, both), 0);
    here = base::UniqueFd(both[0]);
    there = base::UniqueFd(both[1]);
  }

  FakeDevice device;
  base::UniqueFd here, there;
};

TEST_F(DeviceLinkTest, CallsAndAnswersComeThrough) {
  Answered last = Answered::yes;
  std::thread server([&] {
    while (last == Answered::yes) last = answer_request(here.get(), device, [] { return true; });
  });
  {
    DeviceLink link(there.get());
    EXPECT_EQ(link.allocate(21, "name", {"a.cu", 3, 1}), reinterpret_cast<char*>(42));
    EXPECT_TRUE(link.release(reinterpret_cast<void*>(8)));
    EXPECT_FALSE(link.release(nullptr));
    LaunchCall call{.kernel = "k", .shape = {.grid = {2, 1, 1}, .block = {32, 1, 1}}};
    call.arguments = {"abc", ""};
    call.unordered.assign(100'000, 1);
    call.keep_history = true;
    const LaunchAnswer answer = link.launch(call);
    EXPECT_TRUE(answer.made && answer.ended && answer.asserted);
    EXPECT_EQ(answer.output, std::string(300'000, 'x'));
    link.note_call("cudaThing", "a.cu", 3);
    link.note_unseen("launch", race::Effect::memory, true);
    link.note_overlap("k");
    link.note_refusal("k", "error");
    link.share_with_host(reinterpret_cast<void*>(5));
    Texture texture;
    texture.surface.width = 5;
    EXPECT_EQ(link.add_texture(texture), 5u);
    EXPECT_TRUE(link.remove_texture(7));
    EXPECT_TRUE(link.add_code());
    EXPECT_TRUE(link.compile_source());
    link.cannot_load("no main()");
  }
  there.reset();
  server.join();
  EXPECT_EQ(last, Answered::closed);
  EXPECT_EQ(device.asked,
            "allocate 21namea.cu3;launch k 64 2 2048;call cudaThing at a.cu:3;unseen launch 61;overlap k;"
            "refusal k error;share 5;add code;compile;cannot load no main();");
}

TEST_F(DeviceLinkTest, WhatIsNotARequestIsRefused) {
  base::Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes;
    for (std::uint64_t left = 1 + rng.below(100); left > 0; --left) bytes += static_cast<char>(rng.below(256));
    if (static_cast<unsigned char>(bytes[0]) < 13) bytes.resize(1 + rng.below(8));  // too short for its kind
    ASSERT_GT(send(there.get(), bytes.data(), bytes.size(), 0), 0);
    EXPECT_EQ(answer_request(here.get(), device, [] { return true; }), Answered::not_a_request);
  }
  const std::string large(70'000, '\0');
  ASSERT_GT(send(there.get(), large.data(), large.size(), 0), 0);
  EXPECT_EQ(answer_request(here.get(), device, [] { return true; }), Answered::not_a_request);
  EXPECT_EQ(device.asked, "");
}

TEST_F(DeviceLinkTest, ACopyOfTheProgramHasNoDevice) {
  DeviceLink link(there.get());
  const pid_t copy = fork();
  if (copy == 0) _exit(link.allocate(4, "", {}) == nullptr ? 0 : 1);
  int status = 1;
  waitpid(copy, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(DeviceLinkTest, AProgramThatClosedItsEndIsKilled) {
  const pid_t program = fork();
  if (program == 0) {
    DeviceLink link(there.get());
    close(there.get());
    (void)link.allocate(4, "", {});
    _exit(0);
  }
  int status = 0;
  waitpid(program, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

}  // namespace
}  // namespace weakspot::race_jit
