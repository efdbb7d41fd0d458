// SPDX-License-Identifier: MIT
#include "race/request.h"

#include <gtest/gtest.h>

#include "base/source.h"

namespace weakspot::race::request_test {
namespace {

TEST(Request, ReadsLaunchesWithTheirArguments) {
  const base::Source source("k.cu",
                            "// weakspot: launch grid=2,3 block=64 shared=128\n"
                            "// weakspot: arg in=int[64] fill=random:0:3\n"
                            "// weakspot: arg n=192\n"
                            "// weakspot: launch grid=1 block=8,4,2\n"
                            "// weakspot: arg v=float[3] values=1,2.5,-3\n");
  const base::Result<Annotations> annotations = read_annotations(source);
  ASSERT_TRUE(annotations) << base::render(annotations.errors());
  ASSERT_EQ(annotations->launches.size(), 2u);
  const LaunchSpec& first = annotations->launches[0];
  EXPECT_EQ(first.grid, (Extent{2, 3, 1}));
  EXPECT_EQ(first.shared, 128u);
  ASSERT_EQ(first.arguments.size(), 2u);
  EXPECT_EQ(first.arguments[0].type, "int");
  EXPECT_EQ(first.arguments[0].count, 64u);
  EXPECT_EQ(first.arguments[0].fill, "random:0:3");
  EXPECT_EQ(first.arguments[1].value, "192");
  const LaunchSpec& second = annotations->launches[1];
  EXPECT_EQ(second.block, (Extent{8, 4, 2}));
  EXPECT_EQ(second.arguments[0].values, (std::vector<double>{1, 2.5, -3}));
}

TEST(Request, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"// weakspot: launch grid=0", "'0' is not an extent; expected one to three positive numbers as in 16,4"},
      {"// weakspot: launch block=1025", "a block of 1025 threads is too large; the limit is 1024"},
      {"// weakspot: launch grid=64 cluster=32", "a cluster of 32 blocks is too large; the limit is 16"},
      {"// weakspot: launch grid=4,3 cluster=2,2", "3 blocks along y do not make whole clusters of 2"},
      {"// weakspot: launch wide",
       "'wide' is not part of a launch; expected grid=, block=, cluster=, shared=, kernel= or cooperative"},
      {"// weakspot: arg n", "'n' is not an argument; expected NAME=VALUE, NAME=TYPE[COUNT] or NAME=@FILE"},
      {"// weakspot: arg a=int[x]", "'int[x]' is not an array; expected TYPE[COUNT]"},
      {"// weakspot: arg a=int[2] values=1", "the array has 2 elements, but 1 values are listed"},
      {"// weakspot: lunch", "expected 'launch', 'arg', 'assert', 'kernel', 'program' or 'search' after 'weakspot:'"},
  };
  for (const auto& [text, message] : cases) {
    const base::Result<Annotations> annotations = read_annotations(base::Source("k.cu", text));
    ASSERT_FALSE(annotations) << text;
    EXPECT_EQ(annotations.errors()[0].message, message);
    EXPECT_EQ(annotations.errors()[0].position.line, 1u);
  }
}

TEST(Request, SurvivesJson) {
  Request request;
  request.file = "a.cu";
  request.compiler_arguments = {"-DN=3"};
  request.architecture = parse_architecture("sm_100a").value();
  LaunchSpec launch;
  launch.grid = {4, 1, 1};
  launch.arguments.push_back({.name = "n", .value = "7"});
  launch.arguments.push_back({.name = "a", .type = "int", .count = 3, .values = {1, 2, 3}});
  request.launches.push_back(launch);
  request.lockstep = true;
  request.front = Front::nvcc;
  const base::Result<Request> back = request_from_json(to_json(request));
  ASSERT_TRUE(back) << base::render(back.errors());
  EXPECT_EQ(to_json(*back), to_json(request));
  EXPECT_EQ(back->launches[0].arguments[1].count, 3u);
  EXPECT_EQ(back->front, Front::nvcc);
}

}  // namespace
}  // namespace weakspot::race::request_test
