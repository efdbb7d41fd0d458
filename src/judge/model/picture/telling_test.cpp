// SPDX-License-Identifier: MIT
#include "model/picture/telling.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluate/evaluator.h"
#include "model/foreign_words.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/reason/event_texts.h"
#include "support/corpus_folder.h"
#include "support/read_one.h"

namespace weakspot::model::picture {
namespace {

using Lines = std::vector<std::string>;

// Each step as "d P1 reads ...", '!' behind the letter of a remarkable one.
Lines told(const std::string& text, const std::string& name) {
  const litmus::LitmusTest test = tests::read_one(text);
  const Model model = *load_model(name);
  const Verdict verdict = judge(test, model, {.limits = {}, .condition_only = false, .explain = true, .threads = 1});
  if (!verdict.witness) return {"forbidden"};
  const auto story = tell(*verdict.witness);
  if (!story) return {"no story"};
  Lines lines;
  for (std::size_t step = 0; step < story->size(); ++step) {
    const Told& one = (*story)[step];
    lines.push_back(event_letter(verdict.witness->frame, one.event) + (one.remarkable() ? "! " : " ") +
                    told_words(*verdict.witness, *story, step));
  }
  return lines;
}

TEST(Telling, MessagePassingMissesTheOlderWrite) {
  EXPECT_EQ(
      told("weakspot MP\n P0      | P1       ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
           "exists (1:r0=1 /\\ 1:r1=0)\n",
           "ptx"),
      Lines({"a P0 writes x=1.", "b P0 writes y=1.", "c P1 reads y=1, which b wrote.",
             "d! P1 reads x=0, the initial value. It does not see a, although P1 has seen b, which comes after a."}));
}

TEST(Telling, AnInterleavingIsNotRemarkable) {
  EXPECT_EQ(told("weakspot MP\n P0      | P1       ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n"
                 "exists (1:r0=0 /\\ 1:r1=1)\n",
                 "ptx"),
            Lines({"c P1 reads y=0, the initial value.", "a P0 writes x=1.", "b P0 writes y=1.",
                   "d P1 reads x=1, which a wrote."}));
}

TEST(Telling, LoadBufferingTurnsOnePairRound) {
  EXPECT_EQ(told("weakspot LB\n P0       | P1       ;\n ld r0, x | ld r1, y ;\n st y, 1  | st x, 1  ;\n"
                 "exists (0:r0=1 /\\ 1:r1=1)\n",
                 "ptx"),
            Lines({"d! P1 writes x=1. This happens before c, which stands above it in the program.",
                   "a P0 reads x=1, which d wrote.", "b P0 writes y=1.", "c P1 reads y=1, which b wrote."}));
}

TEST(Telling, TheLaterWriteInCoherenceMayComeFirst) {
  EXPECT_EQ(
      told("weakspot 2+2W\n P0      | P1      ;\n st x, 2 | st y, 2 ;\n st y, 1 | st x, 1 ;\nexists (x=2 /\\ y=2)\n",
           "ptx"),
      Lines({"a P0 writes x=2.", "b P0 writes y=1.", "c P1 writes y=2.",
             "d! P1 writes x=1. Memory keeps the value of a: it comes later in the order of writes to x."}));
}

TEST(Telling, ReadModifyWritesAreTold) {
  EXPECT_EQ(told("weakspot lock\n P0                | P1                ;\n atom.add r0, x, 1 | atom.add r1, x, 1 ;\n"
                 "exists (0:r0=0 /\\ 1:r1=1)\n",
                 "ptx"),
            Lines({"a P0 reads x=0, the initial value.", "b P0 writes x=1.", "c P1 reads x=1, which b wrote.",
                   "d P1 writes x=2."}));
}

TEST(Telling, BarriersHaveNoStory) {
  EXPECT_EQ(told("PTX bar\n{ x=0; }\n P0@cta 0,gpu 0  | P1@cta 0,gpu 0  ;\n st.weak x, 1    | bar.sync 0      ;\n"
                 " bar.sync 0      | ld.weak r0, x   ;\nexists (1:r0=1)\n",
                 "ptx"),
            Lines({"no story"}));
}

litmus::LitmusTest asking_for(litmus::LitmusTest test, const litmus::Outcome& outcome) {
  const std::vector<litmus::Observable> observed = test.observed();
  std::vector<litmus::Proposition> parts;
  for (std::size_t i = 0; i < observed.size(); ++i) parts.push_back(litmus::equals(observed[i], outcome[i]));
  test.condition = {litmus::Condition::Quantifier::exists, litmus::all_of(std::move(parts))};
  return test;
}

// An execution has a story without remarks if, and only if, some interleaving of its threads has its reads and writes.
TEST(Telling, WithoutRemarksItIsAnInterleaving) {
  const Model sc = *load_model("sc");
  int plain = 0, remarkable = 0;
  for (const std::string name : {"ptx", "rmo"}) {
    BatchJudge by(*load_model(name));
    for (const litmus::LitmusTest& test : tests::corpus_folder("classic")) {
      if (foreign_word(by.model(), test) || foreign_word(sc, test)) continue;
      for (const litmus::Outcome& outcome : by.judge(test).outcomes) {
        const litmus::LitmusTest asking = asking_for(test, outcome);
        const Verdict verdict = by.judge(asking, {.explain = true});
        ASSERT_TRUE(verdict.witness) << test.name;
        const auto story = tell(*verdict.witness);
        if (!story || story->size() > 12) continue;
        Evaluator evaluator(sc);
        evaluator.begin(verdict.witness->frame);
        const bool remarks =
            std::any_of(story->begin(), story->end(), [](const Told& one) { return one.remarkable(); });
        EXPECT_EQ(!remarks, evaluator.allows(verdict.witness->candidate())) << name << ' ' << test.name;
        ++(remarks ? remarkable : plain);
      }
    }
  }
  EXPECT_GT(remarkable, 20);
  EXPECT_GT(plain, 100);
}

}  // namespace
}  // namespace weakspot::model::picture
