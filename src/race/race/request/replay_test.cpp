// SPDX-License-Identifier: MIT
#include "race/replay.h"

#include <gtest/gtest.h>

namespace weakspot::race::replay_test {
namespace {

TEST(Replay, ArgumentsReadBack) {
  for (const char* text : {"n=128", "x=1.5f", "in=int[64]", "in=unsigned int[64] fill=random",
                           "in=float[7] fill=random:0:9", "flags=int[4] values=3,-1,2,0.5", "p=0"}) {
    base::Result<ArgumentSpec> argument = parse_argument(text);
    ASSERT_TRUE(argument) << text;
    EXPECT_EQ(argument_text(*argument), text);
  }
}

TEST(Replay, LaunchesReadBack) {
  for (const char* text :
       {"grid=1 block=64", "grid=2,3 block=16,4,2 shared=1024 cooperative", "grid=4,2 block=32 cluster=2,2"}) {
    base::Result<LaunchSpec> launch = parse_launch(text);
    ASSERT_TRUE(launch) << text;
    EXPECT_EQ(launch_text(*launch), text);
  }
}

TEST(Replay, TheCommandHasAllThatMatters) {
  Request request;
  request.file = "my kernel.cu";
  request.compiler_arguments = {"-DN=4", "-std=c++20"};
  request.lockstep = true;
  request.architecture = parse_architecture("sm_90a").value();
  LaunchSpec launch = *parse_launch("grid=2 block=64");
  launch.arguments.push_back(*parse_argument("in=int[64] fill=random"));
  launch.arguments.push_back(*parse_argument("n=64"));
  EXPECT_EQ(
      replay_command(request, "sum<float>", launch, {Schedule::reversed}, 7),
      "weakspot race 'my kernel.cu' -DN=4 --std=c++20 --arch sm_90a --warp lockstep --kernel 'sum<float>' --launch "
      "'grid=2 block=64' --arg 'in=int[64] fill=random' --arg n=64 --schedule reversed --seed 7");
  request = Request{};
  request.file = "a.cu";
  request.seconds = 300;
  request.compile_seconds = 500.5;
  request.front = Front::nvcc;
  EXPECT_EQ(
      replay_command(request, "k", *parse_launch("grid=1 block=1"), {}, 1),
      "weakspot race a.cu --front nvcc --seconds 300 --compile-seconds 500.5 --kernel k --launch 'grid=1 block=1' "
      "--schedule forward");
}

TEST(Replay, HipKeepsItsLanguageAndGpu) {
  Request request;
  request.file = "k.cpp";
  request.hip = true;
  request.gpu = "gfx1100";
  request.wave = 64;
  EXPECT_EQ(replay_command(request, "k", *parse_launch("grid=1 block=1"), {}, 1),
            "weakspot race k.cpp -x hip --offload-arch=gfx1100 --wave 64 --kernel k --launch 'grid=1 block=1' "
            "--schedule forward");
  request = Request{};
  request.file = "k.hip";
  EXPECT_EQ(replay_program(request), "weakspot race k.hip");
}

TEST(Replay, ACommandStandsBehindTheOptions) {
  Request request;
  request.file = "python3";
  request.command = {"python3", "a b.py", "--fast"};
  request.read = {"/data"};
  request.lockstep = true;
  request.schedules = 5;
  EXPECT_EQ(replay_program(request),
            "weakspot race --read /data --warp lockstep --schedules 5 -- python3 'a b.py' --fast");
}

TEST(Replay, AProgramKeepsItsArguments) {
  Request request;
  request.file = "app.cu";
  request.seed = 3;
  request.program_arguments = {"10", "a b"};
  EXPECT_EQ(replay_program(request), "weakspot race app.cu --seed 3 -- 10 'a b'");
}

TEST(Replay, AProgramKeepsWhatItMayDo) {
  Request request;
  request.file = "app.cu";
  request.clang = "/opt/clang";
  request.trust = true;
  request.memory = 512;
  request.read = {"/data"};
  request.kernel = "k";
  request.schedule = ScheduleChoice{Schedule::random, 4};
  EXPECT_EQ(replay_program(request),
            "weakspot race app.cu --read /data --clang /opt/clang --trust --memory 512 --kernel k --schedule random:4");
}

TEST(Replay, SchedulesReadBack) {
  for (const char* text : {"forward", "reversed", "random:0", "random:12"}) {
    EXPECT_EQ(schedule_text(*parse_schedule(text)), text);
  }
  EXPECT_EQ(parse_schedule("backwards").errors()[0].message,
            "'backwards' is not a schedule; expected forward, reversed, random or random:NUMBER");
  Request request;
  request.schedules = 4;
  std::string all;
  for (const ScheduleChoice& schedule : schedules_of(request)) all += schedule_text(schedule) + " ";
  EXPECT_EQ(all, "forward reversed random:0 random:1 ");
}

}  // namespace
}  // namespace weakspot::race::replay_test
