// SPDX-License-Identifier: MIT
// Models in cat, judged the fast way, against the brute-force oracle; and what must hold between ways of asking.
#include <gtest/gtest.h>

#include "model/judge.h"
#include "support/brute_force.h"
#include "support/compile_model.h"
#include "support/every_candidate.h"
#include "support/judge_soon.h"
#include "support/random_program.h"

namespace weakspot::model {
namespace {

const char* const kSc = R"("SC"
include "cos.cat"
acyclic po | rf | co | fr as sc
empty rmw & (fre; coe) as atomicity
)";

const char* const kScPerLocation = R"("SC per location"
include "cos.cat"
acyclic po-loc | rf | co | fr as sc-per-location
)";

const char* const kTso = R"("TSO"
include "cos.cat"
acyclic po-loc | rf | co | fr as sc-per-location
empty rmw & (fre; coe) as atomicity
let ppo = po & M * M \ W * R
acyclic ppo | po; [F]; po | rfe | co | fr as tso
)";

const char* const kGpu2015 = R"("2015"
include "cos.cat"
let com = rf | co | fr
let dp = addr | data | ctrl & _ * W
acyclic (po-loc \ R * R) | com as coherent
acyclic dp | rf as no-thin-air
let gl = po; [F \ CTA]; po
let cta = po; [F]; po
let rmo(fence) = dp | fence | rfe | co | fr
acyclic rmo(cta) & scta as cta
acyclic rmo(gl) & sgpu as gl
acyclic rmo(0) as sys
)";

// Partial coherence; writes of two threads must be ordered if both threads are in one workgroup, and coherence contains
// what causality says: both are checks that want more coherence.
const char* const kPartial = R"("partial"
with co from generate_partial_cos(co0)
let fr = rf^-1; co
let causality = (po | rf)+
empty ((W * W) & loc & ext & scta & ((W \ IW) * (W \ IW))) \ (co | co^-1) as ordered
empty (([W]; causality; [W]) & loc) \ co as contains
irreflexive fr; causality as causality
)";

// Checks that may become better and worse as more is chosen.
const char* const kTwoWays[] = {R"("next"
include "cos.cat"
let next = co \ (co; co)
let sequence = [W]; (next; [range(rmw)])*
let hb = (po | sequence; rf & ext)+
irreflexive (rf | co | fr); hb as causality
)",
                                R"("unread"
include "cos.cat"
let unread = W \ domain(rf)
empty ([unread]; po & loc; [W]) & co as overwritten
acyclic po & loc | rf | co | (rf^-1; ((W * W & loc) \ co^-1) \ id) as coherence
)",
                                R"("partial next"
with co from generate_partial_cos(co0)
let fr = rf^-1; co
let hb = (po | (co \ (co; co)); rf)+
irreflexive fr; hb as causality
empty rmw & (fr; co) \ (rf; po) as atomicity
)"};

bool partial(const tests::Execution& x) {
  const litmus::ScopeTree tree = x.test->scope_tree();
  tests::Matrix causality = tests::relation(x, [&](auto a, auto b) { return x.po[a][b] || x.rf[a][b]; });
  for (std::size_t k = 0; k < x.size(); ++k) {
    for (std::size_t a = 0; a < x.size(); ++a) {
      for (std::size_t b = 0; b < x.size(); ++b) {
        causality[a][b] = causality[a][b] || (causality[a][k] && causality[k][b]);
      }
    }
  }
  for (std::size_t a = 0; a < x.size(); ++a) {
    for (std::size_t b = 0; b < x.size(); ++b) {
      const bool writes = x.events[a].kind == 'W' && x.events[b].kind == 'W' && x.same_location(a, b);
      if (writes && x.external(a, b)) {
        const litmus::ThreadId from{static_cast<std::uint32_t>(x.events[a].thread)};
        const litmus::ThreadId to{static_cast<std::uint32_t>(x.events[b].thread)};
        if (tree.together(from, to, litmus::Scope::workgroup) && !x.co[a][b] && !x.co[b][a]) return false;
      }
      const bool from_write = x.events[a].kind == 'W' || x.events[a].kind == 'I';
      if (from_write && x.events[b].kind == 'W' && x.same_location(a, b) && causality[a][b] && !x.co[a][b])
        return false;
      if (x.fr[a][b] && causality[b][a]) return false;
    }
  }
  return true;
}

void agree(const litmus::LitmusTest& test, const Model& model, const tests::Model& oracle,
           bool partial_orders = false) {
  const tests::Summary expected = tests::all_executions(test, oracle, partial_orders);
  const Verdict verdict = tests::judge_soon(test, model);
  RC_ASSERT(verdict.complete);
  RC_ASSERT(verdict.outcomes == expected.outcomes);
  RC_ASSERT(verdict.executions == expected.executions);
}

TEST(JudgeProperty, AgreesOnSc) {
  const Model model = tests::compile_model(kSc);
  tests::holds_for({}, 1000, [&](const litmus::LitmusTest& test) { agree(test, model, tests::sc); });
}

TEST(JudgeProperty, AgreesOnScPerLocation) {
  const Model model = tests::compile_model(kScPerLocation);
  tests::holds_for({}, 1000, [&](const litmus::LitmusTest& test) { agree(test, model, tests::sc_per_location); });
}

TEST(JudgeProperty, AgreesOnTso) {
  const Model model = tests::compile_model(kTso);
  tests::holds_for({}, 1000, [&](const litmus::LitmusTest& test) { agree(test, model, tests::tso); });
}

TEST(JudgeProperty, AgreesOnTheShapeOf2015) {
  const Model model = tests::compile_model(kGpu2015);
  tests::holds_for({}, 1000, [&](const litmus::LitmusTest& test) { agree(test, model, tests::gpu_2015); });
}

TEST(JudgeProperty, AgreesOnPartialCoherence) {
  const Model model = tests::compile_model(kPartial);
  RC_ASSERT(model.partial_coherence());
  tests::holds_for({.instructions = 2}, 1000,
                   [&](const litmus::LitmusTest& test) { agree(test, model, partial, true); });
}

TEST(JudgeProperty, NothingAllowedIsGivenUp) {
  for (const char* text : kTwoWays) {
    const Model model = tests::compile_model(text);
    tests::holds_for({.instructions = 3}, 300, [&](const litmus::LitmusTest& test) {
      const tests::EveryCandidate patient(test, model);
      const Verdict verdict = tests::judge_soon(test, model);
      RC_ASSERT(verdict.outcomes == patient.outcomes);
      RC_ASSERT(verdict.executions == patient.executions);
    });
  }
}

TEST(JudgeProperty, TheConditionAloneGivesTheSameAnswer) {
  const Model models[] = {tests::compile_model(kSc), tests::compile_model(kTso), tests::compile_model(kPartial)};
  tests::holds_for({}, 1000, [&](litmus::LitmusTest test) {
    const Model& model = models[*rc::gen::elementOf(std::vector<int>{0, 1, 2})];
    const std::vector<litmus::Observable> observed = test.observed();
    std::vector<litmus::Proposition> parts;
    for (int i = 0; i < 2; ++i) {
      const litmus::Observable& item = *rc::gen::elementOf(observed);
      parts.push_back(litmus::equals(item, litmus::integer(*rc::gen::elementOf(std::vector<int>{0, 1, 2}))));
    }
    test.condition.proposition = litmus::all_of(parts);
    test.condition.quantifier = *rc::gen::elementOf(std::vector<litmus::Condition::Quantifier>{
        litmus::Condition::Quantifier::exists, litmus::Condition::Quantifier::forall});
    const Verdict all = tests::judge_soon(test, model);
    const Verdict quick = tests::judge_soon(test, model, {.condition_only = true});
    RC_ASSERT(quick.reach == all.reach);
    if (test.condition.quantifier == litmus::Condition::Quantifier::forall) RC_ASSERT(quick.condition == all.condition);
  });
}

}  // namespace
}  // namespace weakspot::model
