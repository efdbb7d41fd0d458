// SPDX-License-Identifier: MIT
#include "model/reason.h"

#include <gtest/gtest.h>

#include <map>

#include "model/execution/frame.h"
#include "model/explain.h"
#include "model/judge.h"
#include "model/library.h"
#include "model/reason/event_texts.h"
#include "support/compile_model.h"
#include "support/corpus_tests.h"
#include "support/read_one.h"
#include "support/sanitized.h"

namespace weakspot::model::reason_test {
namespace {

Model model_named(const std::string& name) {
  const base::Result<Model> model = load_model(name);
  EXPECT_TRUE(model.ok()) << base::render(model.errors());
  return *model;
}

std::string arrows(const Frame& frame, const std::vector<ReasonStep>& steps) {
  std::string text;
  for (const ReasonStep& step : steps) {
    text += (text.empty() ? "" : ", ") + event_letter(frame, step.from) + " " + step.relation;
    if (!step.inside.empty()) text += " (" + arrows(frame, step.inside) + ")";
    text += " " + event_letter(frame, step.to);
  }
  return text;
}

// The failed check and its steps in short.
std::string reason_of(const litmus::LitmusTest& test, const Model& model) {
  const Verdict verdict = judge(test, model, {.explain = true});
  if (!verdict.counterexample) return "no counterexample";
  const Reason reason = find_reason(*verdict.counterexample, model);
  return reason.check + ": " + arrows(verdict.counterexample->frame, reason.steps);
}

const char* const kMessagePassing =
    "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";

TEST(Reason, NamesTheEdgesOfEachModel) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  EXPECT_EQ(reason_of(test, model_named("sc")), "sc: a po b, b rf c, c po d, d fr a");
  EXPECT_EQ(reason_of(test, model_named("ptx")),
            "causality: a po b, b synchronizes (b release-pattern (b  b) b, b rf c, c acquire-pattern (c  c) c) c, "
            "c po d, d fr a");
  EXPECT_EQ(reason_of(test, model_named("c11")), "coherence: a po b, b sw (b rf c) c, c po d, d fr a");
  EXPECT_EQ(reason_of(test, model_named("aarch64")), "external: a bob (a po b) b, b rfe c, c bob (c po d) d, d fre a");
}

// The relations of a model without words are named where they take several edges.
TEST(Reason, NamesTheRulesOfForeignModels) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot MP\nArch=riscv\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n riscv.w.w | riscv.r.r ;\n st y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  const Model model = tests::compile_model(
      "\"M\"\ninclude \"cos.cat\"\nlet r4 = [R]; po; [Fence.r.r]; po; [R] | [W]; po; [Fence.w.w]; po; [W]\n"
      "let ppo = r4 | addr\nlet com = rfe | co | fr\nacyclic ppo | com as main\n");
  EXPECT_EQ(reason_of(test, model),
            "main: a ppo (a r4 (a po b, b po c) c) c, c rfe d, d ppo (d r4 (d po e, e po f) f) f, f fr a");
  const Verdict verdict = judge(test, model, {.explain = true});
  EXPECT_NE(explain_verdict(verdict, model, {}).find("    a -r4-> c             (ppo)\n        a -po-> b"),
            std::string::npos)
      << explain_verdict(verdict, model, {});
}

// `co \\ (co; co)` is not written as if it were a contradiction.
TEST(Reason, SaysThatNothingIsBetween) {
  const litmus::LitmusTest test =
      tests::read_one("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n");
  const Model model = tests::compile_model(
      "\"M\"\ninclude \"cos.cat\"\nlet next = co \\ (co; co)\nacyclic po-loc | rf | rf^-1; next as main\n");
  const Verdict verdict = judge(test, model, {.explain = true});
  const std::string text = explain_verdict(verdict, model, {});
  EXPECT_EQ(text.find("not co"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing is between"), std::string::npos) << text;
}

TEST(Reason, FollowsLetRecByStages) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  const Model model = tests::compile_model(
      "\"M\"\nlet fr = rf^-1; co\nlet com = rf | fr\nlet rec hb = po | com | hb; step\nand step = hb\n"
      "irreflexive hb as mine\n");
  EXPECT_EQ(reason_of(test, model), "mine: a po b, b rf c, c po d, d fr a");
}

TEST(Reason, SaysWhatAPairLacks) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot S\n P0 | P1 ;\n st x, 2 | ld.acq r0, y ;\n st.rel y, 1 | st x, 1 ;\nexists (1:r0=1 /\\ x=2)\n");
  const Verdict verdict = judge(test, model_named("ptx"), {.explain = true});
  ASSERT_TRUE(verdict.counterexample);
  const Reason reason = find_reason(*verdict.counterexample, model_named("ptx"));
  EXPECT_EQ(reason.check, "coherence");
  EXPECT_EQ(reason.missing, "co");
}

TEST(Reason, TakesWordsFromTheText) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  const Model model = tests::compile_model(
      "\"M\"\ninclude \"cos.cat\"\n(** Across\n  threads. *)\nlet seen = rf & ext\n(* not these *)\nlet order = po | "
      "fr\n"
      "(** No circles. *)\nacyclic order | seen as all\n");
  const Verdict verdict = judge(test, model, {.explain = true});
  ASSERT_TRUE(verdict.counterexample);
  const Reason reason = find_reason(*verdict.counterexample, model);
  EXPECT_EQ(reason.words, "No circles.");
  ASSERT_EQ(reason.steps.size(), 4u);
  EXPECT_EQ(reason.steps[1].relation, "seen");
  EXPECT_EQ(reason.steps[1].words, "Across threads.");
  EXPECT_EQ(reason.steps[0].words, "a is before b in P0");
}

TEST(Reason, NamesTheAccessesOfARace) {
  const litmus::LitmusTest test = tests::read_one(
      "C race\n{ x=0; y=0; }\nP0 (int *x, atomic_int *y) {\n  *x = 1;\n  atomic_store_explicit(y, 1, "
      "memory_order_relaxed);\n}\nP1 (int *x, atomic_int *y) {\n  int r0 = atomic_load_explicit(y, "
      "memory_order_acquire);\n  int r1 = *x;\n}\nexists (1:r0=1 /\\ 1:r1=0)\n");
  const Model model = model_named("c11");
  const Verdict verdict = judge(test, model, {.explain = true});
  ASSERT_TRUE(verdict.flagged);
  const Reason reason = find_flag_reason(*verdict.flagged, model);
  EXPECT_EQ(reason.check, "data-race");
  ASSERT_EQ(reason.events.size(), 2u);
  EXPECT_EQ(event_letter(verdict.flagged->frame, reason.events[0]), "a");
  EXPECT_EQ(event_letter(verdict.flagged->frame, reason.events[1]), "d");
}

TEST(Letters, CountEventsInProgramOrder) {
  const litmus::LitmusTest test = tests::read_one(kMessagePassing);
  const Verdict verdict = judge(test, model_named("sc"), {.explain = true});
  ASSERT_TRUE(verdict.counterexample);
  const Frame& frame = verdict.counterexample->frame;
  std::string letters;
  for (EventId event = 0; event < frame.size(); ++event) letters += event_letter(frame, event) + " ";
  EXPECT_EQ(letters, "init x init y a b c d ");
}

// ---- every reason that the corpus has: its edges exist and lead where they say ----

class Checker {
 public:
  explicit Checker(const Witness& witness) : witness_(witness), fr_(witness.frame.size()) {
    Relation inverse(witness.frame.size());
    inverse.assign_inverse(witness.rf);
    fr_.assign_composition(inverse, witness.co);
    known_ = {{"po", &witness.frame.po},
              {"po-loc", &witness.frame.po},
              {"rf", &witness.rf},
              {"rfe", &witness.rf},
              {"rfi", &witness.rf},
              {"co", &witness.co},
              {"coe", &witness.co},
              {"coi", &witness.co},
              {"fr", &fr_},
              {"fre", &fr_},
              {"fri", &fr_},
              {"rmw", &witness.frame.rmw},
              {"addr", &witness.frame.addr},
              {"data", &witness.frame.data},
              {"ctrl", &witness.frame.ctrl}};
  }

  std::string problem(const Reason& reason) const {
    if (reason.check.empty()) return "no check";
    if (!reason.unfinished.empty()) return reason.unfinished;
    if (reason.steps.empty()) return "no steps";
    const bool circle = reason.kind != Check::Kind::empty;
    if (circle && reason.steps.front().from != reason.steps.back().to) return "the circle is open";
    return problem(reason.steps);
  }

 private:
  std::string problem(const std::vector<ReasonStep>& steps) const {
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const ReasonStep& step = steps[i];
      if (i > 0 && steps[i - 1].to != step.from) return "a gap before " + step.relation;
      if (step.inside.empty()) {
        if (step.from == step.to) continue;
        bool back = step.relation.ends_with("^-1");
        const std::string name = back ? step.relation.substr(0, step.relation.size() - 3) : step.relation;
        const auto known = known_.find(name);
        if (known == known_.end()) continue;
        const bool holds = back ? known->second->has(step.to, step.from) : known->second->has(step.from, step.to);
        if (!holds) return "no such edge: " + step.relation;
      } else {
        if (step.inside.front().from != step.from || step.inside.back().to != step.to) return "inside " + step.relation;
        if (std::string found = problem(step.inside); !found.empty()) return found;
      }
    }
    return {};
  }

  const Witness& witness_;
  Relation fr_;
  std::map<std::string, const Relation*> known_;
};

TEST(Reason, LeadsWhereItSaysForTheWholeCorpus) {
  const base::Result<std::vector<ModelEntry>> models = list_models();
  ASSERT_TRUE(models.ok());
  std::size_t reasons = 0;
  for (const ModelEntry& entry : *models) {
    const Model model = model_named(entry.name);
    BatchJudge judge(model);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", 2 * tests::kSampleStep)) {
      const Verdict verdict = judge.judge(test, {.condition_only = true, .explain = true});
      if (!verdict.counterexample) continue;
      const Reason reason = find_reason(*verdict.counterexample, model);
      EXPECT_EQ(Checker(*verdict.counterexample).problem(reason), "") << test.name << " by " << entry.name;
      ++reasons;
    }
  }
  EXPECT_GT(reasons, 500u / tests::kSampleStep);
}

}  // namespace
}  // namespace weakspot::model::reason_test
