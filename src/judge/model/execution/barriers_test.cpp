// SPDX-License-Identifier: MIT
#include "model/execution/barriers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/judge.h"
#include "model/library.h"
#include "support/compile_model.h"
#include "support/frames.h"
#include "support/read_one.h"

namespace weakspot::model::barriers_test {
namespace {

using tests::frame_of;
using tests::TestFrame;

// The sets of late barriers as the threads they belong to: "0,1 2" is one set of two and one of one.
std::string late_threads(const TestFrame& test, std::size_t most = 100) {
  std::string text;
  Allowance unlimited;
  for (const std::vector<EventId>& set : Barriers(test.frame).late(most, unlimited)) {
    if (!text.empty()) text += ' ';
    if (set.empty()) text += "none";
    for (std::size_t i = 0; i < set.size(); ++i) {
      text += (i == 0 ? "" : ",") + std::to_string(test.frame.events[set[i]].thread->index);
    }
  }
  return text;
}

TEST(Barriers, SomeAreLateWhereTooManyCome) {
  const struct {
    const char* rows;
    const char* late;
  } cases[] = {
      {"P0 | P1 | P2 ;\n bar 1 | bar 1 | bar 1 ;\n", "none"},
      {"P0 | P1 | P2 ;\n bar 1, 1, 3 | bar 1, 1, 3 | bar 1, 1, 3 ;\n", "none"},
      {"P0 | P1 | P2 ;\n bar 1, 1, 2 | bar 1, 1, 2 | bar 1, 1, 2 ;\n", "0 1 2"},
      {"P0 | P1 | P2 ;\n bar 1, 1, 1 | bar 1, 1, 1 | bar 1, 1, 1 ;\n", "0,1 0,2 1,2"},
      // P2 is at another barrier.
      {"P0 | P1 | P2 ;\n bar 1, 1, 2 | bar 1, 1, 2 | bar 1, 2, 1 ;\n", "none"},
      {"P0 | P1 | P2 ;\n bar 1, 1, 1 | bar 1, 1, 1 | bar 2, 1, 1 ;\n", "0 1"},
      // P2 waits for all.
      {"P0 | P1 | P2 ;\n bar 1, 1, 2 | bar 1, 1, 2 | bar 1 ;\n", "none"},
  };
  for (const auto& [rows, late] : cases) {
    EXPECT_EQ(late_threads(frame_of(std::string("weakspot t\n ") + rows + "scopes (wg P0 P1 P2)\n")), late) << rows;
  }
  EXPECT_EQ(late_threads(frame_of("weakspot t\n P0 | P1 ;\n bar 1, 1, 1 | bar 1, 1, 1 ;\nscopes (wg P0 P1)\n"), 1),
            "0");
}

TEST(Barriers, WaitForeverIfTooFewCome) {
  auto forever = [](const std::string& rows) {
    const TestFrame test = frame_of("weakspot t\n P0 | P1 ;\n" + rows + "scopes (wg P0 P1)\n");
    return Barriers(test.frame).wait_forever();
  };
  EXPECT_FALSE(forever(" bar 1, 1, 2 | bar 1, 1, 2 ;\n"));
  EXPECT_TRUE(forever(" bar 1, 1, 3 | bar 1, 1, 3 ;\n"));
  EXPECT_TRUE(forever(" bar 1, 1, 2 | bar 1, 2, 2 ;\n"));
  EXPECT_FALSE(forever(" bar.arrive 1, 1, 3 | bar.arrive 1, 1, 3 ;\n"));
  EXPECT_TRUE(forever(" bar.arrive 1, 1, 3 | bar 1, 1, 3 ;\n"));
}

Verdict judged(const std::string& text) {
  const char* const model =
      "\"barriers\"\ninclude \"cos.cat\"\nlet before = (po | syncbar \\ id)+\nirreflexive (rf | fr); before as order\n";
  return judge(tests::read_one("weakspot t\n" + text), tests::compile_model(model));
}

struct Levels {
  const char* text;
  const char* unreachable;
  const char* reachable;
};

TEST(Barriers, OfDifferentLevelsDoNotMeet) {
  const Levels cases[] = {
      // The warp's barrier is not the first round of the workgroup's, nor the workgroup's that of the cluster.
      {"P0 | P1 ;\n st x, 1 | bar ;\n bar.sg | ld r0, x ;\n bar | ;\nscopes (wg P0 P1)\n", "1:r0=0", "1:r0=1"},
      {"P0 | P1 ;\n st x, 1 | bar.cluster ;\n bar | ld r0, x ;\n bar.cluster | ;\nscopes (cluster (wg P0) (wg P1))\n",
       "1:r0=0", "1:r0=1"},
      // Behind its own warp's barrier, P0 is still beside P1.
      {"P0 | P1 ;\n bar.sg | st x, 1 ;\n ld r0, x | bar ;\n bar | ;\nscopes (wg (sg P0) (sg P1))\n", "false", "0:r0=0"},
      {"P0 | P1 ;\n bar.sg | st x, 1 ;\n ld r0, x | bar ;\n bar | ;\nscopes (wg (sg P0) (sg P1))\n", "false", "0:r0=1"},
      {"P0 | P1 | P2 ;\n bar | bar | st x, 1 ;\n ld r0, x | bar.cluster | bar.cluster ;\n bar.cluster | | ;\n"
       "scopes (cluster (wg P0 P1) (wg P2))\n",
       "false", "0:r0=0"},
      // Two warps, and two workgroups, have barriers of their own.
      {"P0 | P1 ;\n st x, 1 | bar.sg ;\n bar.sg | ld r0, x ;\nscopes (wg (sg P0) (sg P1))\n", "false", "1:r0=0"},
      {"P0 | P1 ;\n st x, 1 | bar ;\n bar | ld r0, x ;\nscopes (cluster (wg P0) (wg P1))\n", "false", "1:r0=0"},
      // Numbers and names are counted apart.
      {"P0 | P1 ;\n st x, 1 | bar 2 ;\n bar 1 | ld r0, x ;\n bar 2 | ;\nscopes (wg P0 P1)\n", "1:r0=0", "1:r0=1"},
      {"P0 | P1 ;\n st x, 1 | bar 1, 8 ;\n bar 1, 7 | ld r0, x ;\n bar 1, 8 | ;\nscopes (wg P0 P1)\n", "1:r0=0",
       "1:r0=1"},
      // A whole barrier counts as an arrival and as a wait.
      {"P0 | P1 ;\n bar.cluster | bar.arrive.cluster ;\n st x, 1 | bar.wait.cluster ;\n bar.cluster | "
       "bar.arrive.cluster ;\n"
       " | bar.wait.cluster ;\n | ld r0, x ;\nscopes (cluster (wg P0) (wg P1))\n",
       "1:r0=0", "1:r0=1"},
      {"P0 | P1 ;\n bar.cluster | bar.arrive.cluster ;\n bar.arrive.cluster | bar.wait.cluster ;\n bar.wait.cluster | "
       "st x, 1 ;\n"
       " ld r0, x | bar.cluster ;\nscopes (cluster (wg P0) (wg P1))\n",
       "0:r0=0", "0:r0=1"},
  };
  for (const auto& [text, unreachable, reachable] : cases) {
    EXPECT_EQ(judged(fmt::format("{}exists ({})\n", text, unreachable)).reach, Verdict::Reach::forbidden) << text;
    EXPECT_EQ(judged(fmt::format("{}exists ({})\n", text, reachable)).reach, Verdict::Reach::allowed) << text;
  }
}

Verdict::Reach under(const char* model, const std::string& text) {
  return judge(tests::read_one(text), *load_model(model)).reach;
}

TEST(Barriers, OfSubgroupsInOpencl) {
  const std::string store = "atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group);";
  const std::string load = "int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group);";
  const std::string subgroup = "sub_group_barrier(CLK_GLOBAL_MEM_FENCE);";
  const std::string workgroup = "barrier(CLK_GLOBAL_MEM_FENCE);";
  auto two = [](const std::string& first, const std::string& second) {
    return fmt::format(
        "OPENCL t\n{{ x=0; }}\nP0@wg 0, dev 0 (global atomic_int* x) {{ {} }}\n"
        "P1@wg 0, dev 0 (global atomic_int* x) {{ {} }}\nexists (1:r0=0)\n",
        first, second);
  };
  using Reach = Verdict::Reach;
  EXPECT_EQ(under("opencl", two(store + subgroup + workgroup, workgroup + load)), Reach::forbidden);
  EXPECT_EQ(under("opencl", two(store + workgroup, subgroup + load + workgroup)), Reach::allowed);
}

TEST(Barriers, TheLateAreNotWaitedFor) {
  using Reach = Verdict::Reach;
  auto reader = [](const std::string& barrier) {
    return judged("P0 | P1 | P2 ;\n st x, 1 | " + barrier + " | " + barrier + " ;\n" + barrier +
                  " | ld r0, x | ;\nscopes (wg P0 P1 P2)\nexists (1:r0=0)\n");
  };
  EXPECT_EQ(reader("bar 1, 1, 3").reach, Reach::forbidden);
  EXPECT_EQ(reader("bar 1, 1, 3").executions, 1u);
  EXPECT_EQ(reader("bar 1, 1, 2").reach, Reach::allowed);
  const Verdict forever = reader("bar 1, 1, 4");
  EXPECT_EQ(forever.reach, Reach::forbidden);
  EXPECT_EQ(forever.executions, 0u);
  EXPECT_EQ(forever.reason, "some barrier waits for more threads than reach it");
  // Only one of the two can be late.
  const std::string writers =
      "P0 | P1 | P2 ;\n st x, 1 | bar 1, 1, 2 | st y, 1 ;\n bar 1, 1, 2 | ld r0, x | bar 1, 1, 2 ;\n | ld r1, y | ;\n"
      "scopes (wg P0 P1 P2)\n";
  EXPECT_EQ(judged(writers + "exists (1:r0=0 /\\ 1:r1=0)\n").reach, Reach::forbidden);
  EXPECT_EQ(judged(writers + "exists (1:r0=0 /\\ 1:r1=1)\n").reach, Reach::allowed);
  EXPECT_EQ(judged(writers + "exists (1:r0=1 /\\ 1:r1=0)\n").reach, Reach::allowed);
}

TEST(Barriers, NamesAndQuorumsInRegisters) {
  using Reach = Verdict::Reach;
  const std::string named =
      "P0 | P1 | P2 ;\n st x, 1 | bar 1, 1 | st z, 1 ;\n ld r2, z | ld r1, x | ;\n bar 1, r2 | | ;\n"
      "scopes (wg P0 P1 P2)\n";
  EXPECT_EQ(judged(named + "exists (0:r2=0 /\\ 1:r1=0)\n").reach, Reach::allowed);
  EXPECT_EQ(judged(named + "exists (0:r2=1 /\\ 1:r1=0)\n").reach, Reach::forbidden);
  const std::string counted =
      "{ z = 3 }\nP0 | P1 ;\n ld r2, z | st x, 1 ;\n bar 1, 1, r2 | bar 1, 1 ;\n ld r1, x | st z, 2 ;\n"
      "scopes (wg P0 P1)\n";
  EXPECT_EQ(judged(counted + "exists (0:r2=3)\n").reach, Reach::forbidden);
  EXPECT_EQ(judged("{ z = 2 }\n" + counted.substr(10) + "exists (0:r1=1)\n").reach, Reach::allowed);
  EXPECT_EQ(judged("{ z = 2 }\n" + counted.substr(10) + "exists (0:r1=0)\n").reach, Reach::forbidden);
}

}  // namespace
}  // namespace weakspot::model::barriers_test
