// SPDX-License-Identifier: MIT
#include "model/execution/barriers.h"

#include <gtest/gtest.h>

#include "model/judge.h"
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
