// SPDX-License-Identifier: MIT
#include "model/judge.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/evaluate/evaluator.h"
#include "model/execution/frame.h"
#include "model/library.h"
#include "support/compile_model.h"
#include "support/read_one.h"

namespace weakspot::model::judge_test {
namespace {

using tests::read_one;
using Reach = Verdict::Reach;

const Model& sc() {
  static const Model model = tests::compile_model(
      "\"SC\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\nempty rmw & (fr; co) as atomicity\n"
      "flag ~empty (rf & ext) as communicates\n");
  return model;
}

// Threads may see anything, but no value comes from nowhere.
const Model& weak() {
  static const Model model = tests::compile_model("\"weak\"\ninclude \"cos.cat\"\nacyclic rf | data as no-thin-air\n");
  return model;
}

const Model& partial() {
  static const Model model = tests::compile_model(
      "\"partial\"\nwith co from generate_partial_cos(co0)\nlet fr = rf^-1; co\nacyclic po & loc | rf | co | fr as "
      "c\n");
  return model;
}

const char* const kMp = "weakspot MP\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\n";

TEST(Judge, OutcomesAndCounts) {
  const litmus::LitmusTest test = read_one(kMp + std::string("exists (1:r0=1 /\\ 1:r1=0)\n"));
  const Verdict verdict = judge(test, sc());
  EXPECT_EQ(verdict.reach, Reach::forbidden);
  EXPECT_EQ(verdict.condition, Verdict::Condition::never);
  EXPECT_TRUE(verdict.complete);
  EXPECT_EQ(verdict.executions, 3u);
  EXPECT_EQ(verdict.outcomes.size(), 3u);
  EXPECT_EQ(verdict.flags, (std::vector<std::string>{"communicates"}));
  EXPECT_FALSE(verdict.witness);
  const Verdict allowed = judge(test, weak());
  EXPECT_EQ(allowed.reach, Reach::allowed);
  EXPECT_EQ(allowed.condition, Verdict::Condition::sometimes);
  EXPECT_EQ(allowed.executions, 4u);
}

// Whether each thread of load buffering may read what the other one stores, if the stores stand so behind the reads.
Reach load_buffering(const Model& model, std::string_view rest) {
  std::string cells;
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', begin), rest.size());
    const std::string mine(rest.substr(begin, end - begin));
    std::string theirs = mine;
    for (char& c : theirs) c = c == 'x' ? 'y' : c == 'y' ? 'x' : c;
    cells += fmt::format("{} | {} ;\n", mine, theirs);
    begin = end + 1;
  }
  const std::string text = "weakspot LB\n{ 0:pred p; 1:pred p; }\nP0 | P1 ;\nld r0, x | ld r0, y ;\n" + cells +
                           "exists (0:r0=1 /\\ 1:r0=1)\n";
  return judge(read_one(text), model).reach;
}

TEST(Judge, ControlEndsWhereBothWaysFromABranchLead) {
  const auto compiled = [](const std::string& dependency) {
    return tests::compile_model("\"d\"\ninclude \"cos.cat\"\nacyclic rf | " + dependency + " as no-thin-air\n");
  };
  const Model all = compiled("ctrl");
  const Model arms = compiled("arm-ctrl");
  struct Case {
    const char* rest;
    Reach in_arms;
  };
  for (const Case& one : {
           Case{"beq r0, 0, end\nst y, 1\nend:", Reach::forbidden},
           Case{"beq r0, 0, on\non:\nst y, 1", Reach::allowed},
           Case{"beq r0, 0, other\nst y, 1\nb end\nother:\nst y, 2\nend:", Reach::forbidden},
           Case{"beq r0, 0, other\nmov r1, 1\nb end\nother:\nmov r1, 2\nend:\nst y, 1", Reach::allowed},
           // The outer arm goes on behind the place where the inner ones meet.
           Case{"beq r0, 0, end\nbeq r0, 2, in\nmov r1, 1\nin:\nst y, 1\nend:", Reach::forbidden},
           // An arm that jumps away: what it jumps over depends on the branch.
           Case{"beq r0, 1, on\nb end\non:\nst y, 1\nend:", Reach::forbidden},
           // A guard controls its own instruction alone.
           Case{"ne p, r0, 0\n@p st y, 1", Reach::forbidden},
           Case{"ne p, r0, 0\n@p mov r1, 1\nst y, 1", Reach::allowed},
           // Whether the loop ends depends on what it reads.
           Case{"again:\nld r0, x\nbeq r0, 0, again\nst y, 1", Reach::forbidden},
           Case{"again:\nld r0, x\nbeq r0, 1, out\nb again\nout:\nst y, 1", Reach::forbidden},
       }) {
    EXPECT_EQ(Reach::forbidden, load_buffering(all, one.rest)) << one.rest;
    EXPECT_EQ(one.in_arms, load_buffering(arms, one.rest)) << one.rest;
  }
}

// The race is in a round that only waits, which is left out where nobody asks for races.
TEST(Judge, FollowsRoundsThatMayRaceWhereAskedTo) {
  const Model model = tests::compile_model(
      "\"racy\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\n"
      "~empty (loc & ext & ((W \\ IW) * R) & (_ * NA)) \\ (po | rf)+ as has-a-race\n");
  const litmus::LitmusTest test = read_one(
      "weakspot waits\nP0 | P1 ;\nst.na x, 1 | L: ;\nst f, 1 | ld r0, f ;\n | bne r0, 0, END ;\n | ld.na r1, x ;\n"
      " | beq r1, r1, L ;\n | END: ;\nexists (true)\n");
  EXPECT_EQ(judge(test, model, {.condition_only = true}).reach, Reach::forbidden);
  EXPECT_EQ(judge(test, model, {.condition_only = true, .races = true}).reach, Reach::allowed);
}

TEST(Judge, ARecursionThatNeverSettlesIsUnknown) {
  const Model model = tests::compile_model(
      "\"back and forth\"\ninclude \"cos.cat\"\nlet rec x = W \\ range(y) and y = [x] and z = W \\ domain(y)\nempty "
      "z "
      "as z\n");
  const Verdict verdict = judge(read_one(kMp + std::string("exists (1:r0=1 /\\ 1:r1=0)\n")), model);
  EXPECT_EQ(verdict.reach, Reach::unknown);
  EXPECT_FALSE(verdict.complete);
  EXPECT_EQ(verdict.reason, "a recursive definition of the model never settles");
}

TEST(Judge, Quantifiers) {
  auto condition = [](const std::string& text) { return judge(read_one(kMp + text + "\n"), sc()); };
  EXPECT_EQ(condition("forall (1:r0=0 \\/ 1:r1=1)").condition, Verdict::Condition::always);
  EXPECT_EQ(condition("forall (1:r0=0)").condition, Verdict::Condition::sometimes);
  EXPECT_EQ(condition("~exists (1:r0=2)").condition, Verdict::Condition::never);
  EXPECT_EQ(condition("~exists (1:r0=2)").reach, Reach::forbidden);
  EXPECT_EQ(condition("exists (true)").condition, Verdict::Condition::always);
}

TEST(Judge, TheConditionAloneGivesTheSameAnswer) {
  const char* const conditions[] = {"exists (1:r0=1 /\\ 1:r1=0)",
                                    "exists (1:r0=1)",
                                    "forall (1:r0=0 \\/ 1:r1=1)",
                                    "forall (1:r0=0)",
                                    "forall (1:r0=5)",
                                    "exists (x=1 /\\ 1:r1=0)"};
  for (const char* text : conditions) {
    for (const Model* model : {&sc(), &weak(), &partial()}) {
      const litmus::LitmusTest test = read_one(kMp + std::string(text) + "\n");
      const Verdict all = judge(test, *model);
      const Verdict quick = judge(test, *model, {.condition_only = true});
      EXPECT_EQ(quick.reach, all.reach) << text;
      EXPECT_LE(quick.candidates, all.candidates) << text;
      const bool forall = test.condition.quantifier == litmus::Condition::Quantifier::forall;
      if (forall) {
        EXPECT_EQ(quick.condition, all.condition) << text;
      }
    }
  }
}

TEST(Judge, FilterLimitsWhatIsLookedAt) {
  const litmus::LitmusTest test = read_one(kMp + std::string("filter (1:r0=1)\nexists (1:r1=0)\n"));
  const Verdict verdict = judge(test, weak());
  EXPECT_EQ(verdict.outcomes.size(), 2u);
  EXPECT_EQ(verdict.executions, 2u);
  EXPECT_EQ(judge(test, sc()).reach, Reach::forbidden);
  EXPECT_EQ(judge(test, sc(), {.condition_only = true}).reach, Reach::forbidden);
}

TEST(Judge, WitnessesOutliveTheSearch) {
  const litmus::LitmusTest test = read_one(kMp + std::string("exists (1:r0=1 /\\ 1:r1=0)\n"));
  const Verdict allowed = judge(test, weak(), {.explain = true});
  ASSERT_TRUE(allowed.witness);
  Evaluator evaluator(weak());
  evaluator.begin(allowed.witness->frame);
  EXPECT_TRUE(evaluator.allows(allowed.witness->candidate()));
  EXPECT_EQ(allowed.witness->outcome, (litmus::Outcome{litmus::integer(1), litmus::integer(0)}));
  const Verdict forbidden = judge(test, sc(), {.explain = true});
  ASSERT_TRUE(forbidden.counterexample);
  Evaluator other(sc());
  other.begin(forbidden.counterexample->frame);
  EXPECT_FALSE(other.allows(forbidden.counterexample->candidate()));
  EXPECT_EQ(forbidden.counterexample->outcome, (litmus::Outcome{litmus::integer(1), litmus::integer(0)}));
  // A value that nothing stores has no execution to show.
  const litmus::LitmusTest never = read_one(kMp + std::string("exists (1:r0=7)\n"));
  EXPECT_FALSE(judge(never, sc(), {.explain = true}).counterexample);
}

// Public models say co+ to be sure; the search must see through it.
TEST(Judge, CoherenceIsTransitiveAlready) {
  auto model = [](const std::string& order) {
    return tests::compile_model("\"partial\"\nwith co from generate_partial_cos(co0)\nlet co = " + order +
                                "\nlet fr = rf^-1; co\nempty ((W * W & loc) \\ id) \\ (co | co^-1) as total\n"
                                "acyclic rf | co | fr as coherence\nempty rmw & (fr; co) as atomicity\n");
  };
  const litmus::LitmusTest test = read_one(
      "weakspot t\nP0 | P1 | P2 ;\natom.add r0, x, 1 | atom.add r0, x, 1 | atom.add r0, x, 1 ;\n"
      "atom.add r1, x, 1 | | ;\nexists (x=4)\n");
  const Verdict plain = judge(test, model("co"));
  const Verdict closed = judge(test, model("co+"));
  EXPECT_EQ(plain.executions, closed.executions);
  EXPECT_EQ(plain.candidates, closed.candidates);
}

// A model that asks for the next write in coherence: what follows from reads-from alone is still seen early.
TEST(Judge, ChecksThatGoBothWaysCutToo) {
  const Model both = tests::compile_model(
      "\"both\"\ninclude \"cos.cat\"\nlet next = co \\ (co; co)\nlet sw = [W]; (next; [range(rmw)])*; rf & ext\n"
      "let hb = (po | sw)+\nirreflexive (rf | fr); hb as causality\n");
  std::string rows = "weakspot t\nP0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\n";
  for (int i = 2; i < 10; ++i) rows += "| ld r" + std::to_string(i) + ", x ;\n";
  const Verdict verdict = judge(read_one(rows + "exists (1:r0=1 /\\ 1:r9=0)\n"), both);
  EXPECT_EQ(verdict.reach, Reach::forbidden);
  // There are 1024 ways to read: with r0=1 all read 1; with r0=0 the stale reads come first.
  EXPECT_EQ(verdict.executions, 11u);
  EXPECT_LT(verdict.candidates, 100u);
}

TEST(Judge, UnknownIsSaid) {
  std::string rows = "weakspot many\n";
  for (int i = 0; i < 9; ++i) rows += (i == 0 ? " P" : " | P") + std::to_string(i);
  rows += " ;\n";
  // Two of them store the same, so that few can change places.
  for (int i = 0; i < 9; ++i) rows += i == 0 ? " st x, 2" : " | st x, " + std::to_string(i + 1);
  const litmus::LitmusTest test = read_one(rows + " ;\nexists (x=77)\n");
  const Verdict few = judge(test, sc(), {.limits = {.candidates = 100}});
  EXPECT_EQ(few.reach, Reach::unknown);
  EXPECT_FALSE(few.complete);
  EXPECT_EQ(few.reason, "gave up after 100 candidate executions");
  const Verdict found = judge(read_one(rows + " ;\nexists (x=9)\n"), sc(), {.limits = {.candidates = 100}});
  EXPECT_EQ(found.reach, Reach::allowed);
  EXPECT_FALSE(found.complete);
}

TEST(Judge, WaitingForAFlagIsFollowedToItsEnd) {
  const litmus::LitmusTest test = read_one(
      "weakspot spin\nP0 | P1 ;\nst x, 1 | L: ;\nst y, 1 | ld r0, y ;\n | beq r0, 0, L ;\n | ld r1, x ;\n"
      "exists (1:r1=0)\n");
  const Verdict verdict = judge(test, sc());
  EXPECT_EQ(verdict.reach, Reach::forbidden);
  EXPECT_TRUE(verdict.complete);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_EQ(judge(test, weak()).reach, Reach::allowed);
}

TEST(Judge, WhatALoopMightStillDoIsUnknown) {
  const std::string loop =
      "weakspot loop\nP0 | P1 ;\nL: | st x, 5 ;\nld r0, x | ;\nadd r0, r0, 1 | ;\nst x, r0 | ;\nbne r0, 9, L | ;\n";
  const Verdict unseen = judge(read_one(loop + "exists (x=77)\n"), sc());
  EXPECT_EQ(unseen.reach, Reach::unknown);
  EXPECT_FALSE(unseen.complete);
  EXPECT_EQ(unseen.reason, "loops followed 3 times");
  const Verdict seen = judge(read_one(loop + "exists (x=9)\n"), sc());
  EXPECT_EQ(seen.reach, Reach::allowed);
  EXPECT_FALSE(seen.complete);
}

// Rounds that leave nothing behind need not be followed (docs/decisions/0010-spins.md).
TEST(Judge, LocksHaveVerdicts) {
  const auto lock = [](const std::string& loop) {
    const std::string body = loop + "  int r = *x; *x = r + 1; atomic_store_explicit(m, 0, memory_order_release); }\n";
    return read_one("C lock\n{ }\nP0 (atomic_int* m, int* x) {\n" + body + "P1 (atomic_int* m, int* x) {\n" + body +
                    "exists (x=1)\n");
  };
  const std::string orders = "memory_order_acquire, memory_order_relaxed";
  const std::string own = "  int v = 0;\n";
  const std::string cases[] = {
      own + "  while (!atomic_compare_exchange_strong_explicit(m, &v, 1, " + orders + ")) { v = 0; }\n",
      own + "  while (!atomic_compare_exchange_weak_explicit(m, &v, 1, " + orders + ")) { v = 0; }\n",
      "  while (atomic_exchange_explicit(m, 1, memory_order_acquire) == 1) { }\n",
      "  while (atomic_load_explicit(m, memory_order_relaxed) == 1 || "
      "atomic_exchange_explicit(m, 1, memory_order_acquire) == 1) { }\n",
  };
  for (const std::string& text : cases) {
    const Verdict verdict = judge(lock(text), *load_model("c11"));
    EXPECT_EQ(verdict.reach, Reach::forbidden) << text << verdict.reason;
    EXPECT_TRUE(verdict.flags.empty()) << text;
  }
  // The expected value in memory that nobody else uses.
  const std::string in_memory =
      "C lock\n{ }\nP0 (atomic_int* m, int* x, int* e) {\n  while (!atomic_compare_exchange_strong_explicit(m, e, "
      "1, " +
      orders + ")) { *e = 0; }\n  int r = *x; *x = r + 1; atomic_store_explicit(m, 0, memory_order_release); }\n" +
      "P1 (atomic_int* m, int* x, int* f) {\n  while (!atomic_compare_exchange_strong_explicit(m, f, 1, " + orders +
      ")) { *f = 0; }\n  int r = *x; *x = r + 1; atomic_store_explicit(m, 0, memory_order_release); }\n" +
      "exists (x=1)\n";
  EXPECT_EQ(judge(read_one(in_memory), *load_model("c11")).reach, Reach::forbidden);
}

// A plain read that is made in rounds that wait only is still a race.
TEST(Judge, RacesInRoundsThatWaitAreFlagged) {
  const litmus::LitmusTest test = read_one(
      "C race\n{ a=1; }\nP0 (atomic_int* a, int* b) {\n  *b = 1;\n"
      "  atomic_store_explicit(a, 0, memory_order_relaxed); }\n"
      "P1 (atomic_int* a, int* b) {\n  while (atomic_load_explicit(a, memory_order_relaxed) == 1 && *b == 0) { }\n"
      "}\nexists (true)\n");
  EXPECT_EQ(judge(test, *load_model("c11")).flags, std::vector<std::string>{"data-race"});
  const Verdict without = judge(test, *load_model("c11"), {.flags = false});
  EXPECT_EQ(without.reach, Reach::allowed);
  EXPECT_TRUE(without.flags.empty());
}

TEST(Judge, TooManyPathsAreUnknown) {
  std::string text = "weakspot paths\nP0 | P1 ;\nst x, 1 | ;\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format(" | ld r{0}, x ;\n | beq r{0}, 0, L{0} ;\n | st y, {1} ;\n | L{0}: ;\n", i, i + 1);
  }
  const Verdict verdict = judge(read_one(text + "exists (y=99)\n"), sc(), {.limits = {.candidates = 100}});
  EXPECT_EQ(verdict.reach, Reach::unknown);
  EXPECT_FALSE(verdict.complete);
}

TEST(Judge, SeveralThreadsFindTheSame) {
  std::string text = "weakspot increments\n";
  for (int i = 0; i < 6; ++i) text += (i == 0 ? " P" : " | P") + std::to_string(i);
  text += " ;\n";
  for (int i = 0; i < 6; ++i) text += i == 0 ? " atom.add r0, x, 1" : " | atom.add r0, x, 1";
  const litmus::LitmusTest increments = read_one(text + " ;\nlocations [x;0:r0]\nexists (~x=6)\n");
  text = "weakspot writers\nP0 | P1 | P2 | P3 | P4 | P5 | P6 | P7 ;\n";
  for (int i = 0; i < 8; ++i) text += (i == 0 ? " st x, " : " | st x, ") + std::to_string(i + 1);
  const litmus::LitmusTest writers = read_one(text + " ;\nexists (x=3)\n");
  for (const litmus::LitmusTest* test : {&increments, &writers}) {
    const Verdict alone = judge(*test, sc());
    const Verdict together = judge(*test, sc(), {.threads = 3});
    EXPECT_EQ(together.executions, alone.executions);
    EXPECT_EQ(together.candidates, alone.candidates);
    EXPECT_EQ(together.outcomes, alone.outcomes);
    EXPECT_EQ(together.reach, alone.reach);
  }
}

TEST(Judge, ConstantsAreReadAtTheWidthOfWhatIsObserved) {
  const litmus::LitmusTest test = read_one("weakspot w\n{ u32 x }\nP0 ;\natom.sub _, x, 1 ;\nexists (x=-1)\n");
  EXPECT_EQ(judge(test, sc()).reach, Reach::allowed);
}

TEST(Judge, KnownCounts) {
  // Two readers in order of n writers: n! orders, and pairs of positions that do not go back.
  std::string text = "weakspot readers\nP0 | P1 | P2 | P3 | P4 ;\n";
  text += "st x, 1 | st x, 2 | st x, 3 | st x, 4 | ld r0, x ;\n | | | | ld r1, x ;\nexists (true)\n";
  EXPECT_EQ(judge(read_one(text), sc()).executions, 24u * 15u);
}

}  // namespace
}  // namespace weakspot::model::judge_test
