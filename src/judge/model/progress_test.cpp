// SPDX-License-Identifier: MIT
#include "model/progress.h"

#include <gtest/gtest.h>

#include "model/library.h"
#include "support/read_one.h"

namespace weakspot::model::progress_test {
namespace {

using Answer = ProgressVerdict::Answer;

// The progress models under which it may not end, in the order of kProgressModels; ? for unknown.
std::string endless(const std::string& text, const std::string& model = "sc") {
  const litmus::LitmusTest test = tests::read_one("weakspot t\n" + text + "exists (true)\n");
  std::string list;
  for (Progress progress : kProgressModels) {
    const ProgressVerdict verdict = ends(test, *load_model(model), progress);
    if (verdict.answer == Answer::ends) continue;
    list +=
        (list.empty() ? "" : " ") + std::string(to_string(progress)) + (verdict.answer == Answer::unknown ? "?" : "");
  }
  return list;
}

struct Case {
  const char* text;
  const char* endless;
};

TEST(Progress, OfWaiting) {
  const Case cases[] = {
      {"P0 | P1 ;\nst x, 1 | ld r0, x ;\n", ""},
      // The waiting thread has the higher number.
      {"P0 | P1 ;\nst x, 1 | L: ;\n | ld r0, x ;\n | beq r0, 0, L ;\n", "obe unfair"},
      // The waiting thread has the lower number: nobody promises to start the other.
      {"P0 | P1 ;\nL: | st x, 1 ;\nld r0, x | ;\nbeq r0, 0, L | ;\n", "lobe hsa-obe obe hsa unfair"},
      // A thread without instructions promises nothing to those before it: it may never have started.
      {"P0 | P1 | P2 ;\nL: | st x, 1 | ;\nld r0, x | | ;\nbeq r0, 0, L | | ;\n", "lobe hsa-obe obe hsa unfair"},
      {"P0 | P1 | P2 ;\n | L: | st x, 1 ;\n | ld r0, x | ;\n | beq r0, 0, L | ;\n", "lobe hsa-obe obe hsa unfair"},
      // Nobody ever writes.
      {"P0 ;\nL: ;\nld r0, x ;\nbeq r0, 0, L ;\n", "fair lobe hsa-obe obe hsa unfair"},
      // Both write, then wait for each other.
      {"P0 | P1 ;\nst x, 1 | st y, 1 ;\nL: | L: ;\nld r0, y | ld r0, x ;\nbeq r0, 0, L | beq r0, 0, L ;\n",
       "lobe hsa-obe obe hsa unfair"},
  };
  for (const Case& one : cases) EXPECT_EQ(endless(one.text), one.endless) << one.text;
}

TEST(Progress, OfLocks) {
  const std::string rest = "st x, 1 | st x, 1 ;\nst.rel m, 0 | st.rel m, 0 ;\n";
  const Case cases[] = {
      {"atom.cas.acq r0, m, 0, 1 | atom.cas.acq r0, m, 0, 1 ;\nbne r0, 0, L | bne r0, 0, L ;\n", "hsa unfair"},
      {"atom.exch.acq r0, m, 1 | atom.exch.acq r0, m, 1 ;\nbne r0, 0, L | bne r0, 0, L ;\n", "hsa unfair"},
      // A weak compare-and-swap does not fail for ever, nor does a store-exclusive.
      {"atom.cas.acq.weak r0, m, 0, 1, r1 | atom.cas.acq.weak r0, m, 0, 1, r1 ;\nbeq r1, 0, L | beq r1, 0, L ;\n",
       "hsa unfair"},
      {"ld.acq.ex r0, m | ld.acq.ex r0, m ;\nbne r0, 0, L | bne r0, 0, L ;\nst.ex r1, m, 1 | st.ex r1, m, 1 ;\n"
       "bne r1, 0, L | bne r1, 0, L ;\n",
       "hsa unfair"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(endless("P0 | P1 ;\nL: | L: ;\n" + (one.text + rest)), one.endless) << one.text;
}

TEST(Progress, OfLoopsThatWrite) {
  // Each waits for the value that the other has just overwritten.
  EXPECT_EQ(endless("P0 | P1 ;\nL: | L: ;\natom.exch r0, x, 0 | atom.exch r0, x, 1 ;\nbeq r0, 1, L | beq r0, 0, L ;\n",
                    "ptx"),
            "fair lobe hsa-obe obe hsa unfair");
  // The exchange reads the value it wrote in the round before.
  EXPECT_EQ(endless("P0 ;\nL: ;\natom.exch r0, x, 1 ;\nbeq r0, 0, L ;\n", "ptx"), "");
  // Two locations. P1 takes back what P0 waits for, as often as P0 has put it there; P0 is then done.
  EXPECT_EQ(endless("P0 | P1 ;\nL: | M: ;\natom.exch r0, x, 1 | ld r0, y ;\nbeq r0, 0, L | beq r0, 0, M ;\n"
                    "st y, 1 | atom.exch r1, x, 0 ;\n | beq r1, 1, M ;\n",
                    "ptx"),
            "obe unfair");
  // The value grows: no steps are taken again and again.
  EXPECT_EQ(endless("P0 | P1 ;\nL: | ld r0, y ;\natom.add r0, x, 1 | ;\nld r1, y | ;\nbeq r1, 0, L | ;\n", "ptx"),
            "fair? lobe? hsa-obe? obe? hsa? unfair?");
}

TEST(Progress, OfBarriers) {
  // The second thread leaves without the barrier.
  const std::string skipped = "P0 | P1 ;\nbar | ld r0, x ;\n | bne r0, 1, end ;\n | bar ;\n | end: ;\n";
  EXPECT_EQ(endless(skipped + "scopes (wg P0 P1)\n", "ptx"), "fair lobe hsa-obe obe hsa unfair");
  EXPECT_EQ(endless("P0 | P1 ;\nbar | st x, 1 ;\nld r0, x | bar ;\nscopes (wg P0 P1)\n", "ptx"), "");
  // The barrier that the second thread leaves out is that of its warp.
  EXPECT_EQ(
      endless("P0 | P1 ;\nbar | ld r0, x ;\n | bne r0, 1, end ;\n | bar.sg ;\n | end: ;\nscopes (wg P0 P1)\n", "ptx"),
      "");
  // The first thread waits for an arrival that comes after the loop which waits for it.
  EXPECT_EQ(endless("P0 | P1 ;\nbar.arrive.cluster | L: ;\nbar.wait.cluster | ld r0, x ;\nst x, 1 | beq r0, 0, L ;\n"
                    " | bar.arrive.cluster ;\nscopes (cluster (wg P0) (wg P1))\n",
                    "ptx"),
            "fair lobe hsa-obe obe hsa unfair");
}

// Under PTX, weak stores of different threads are not ordered: the loop may see its own for ever.
TEST(Progress, DependsOnTheMemoryModel) {
  const std::string text = "P0 | P1 ;\nst.na f, 0 | st.na f, 1 ;\n | L: ;\n | ld.na r0, f ;\n | beq r0, 1, L ;\n";
  const litmus::LitmusTest test = tests::read_one("weakspot t\nArch=ptx\n{ f = 2; }\n" + text + "exists (true)\n");
  const ProgressVerdict verdict = ends(test, *load_model("ptx"), Progress::fair);
  EXPECT_EQ(verdict.answer, Answer::endless);
  ASSERT_EQ(verdict.story.size(), 1u);
  EXPECT_EQ(verdict.story[0], "P1 goes round for ever at `beq r0, 1, L`: `ld.na r0, f` reads 1, from P1 `st.na f, 1`");
}

TEST(Progress, TellsWhatIsNeverSeen) {
  const litmus::LitmusTest test =
      tests::read_one("weakspot t\nP0 | P1 ;\nst x, 1 | L: ;\n | ld r0, x ;\n | beq r0, 0, L ;\nexists (true)\n");
  // Not declared coherent, so that its executions are looked at.
  const base::Source sc("sc.cat", "\"SC\"\nacyclic po | rf | co | fr\n");
  const ProgressVerdict verdict = ends(test, *Model::compile(sc), Progress::obe);
  EXPECT_EQ(verdict.story, (std::vector<std::string>{
                               "P0 never starts: `st x, 1` is never seen",
                               "P1 goes round for ever at `beq r0, 0, L`: `ld r0, x` reads 0, the initial value"}));
}

}  // namespace
}  // namespace weakspot::model::progress_test
