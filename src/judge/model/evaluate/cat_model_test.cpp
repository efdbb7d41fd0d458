// SPDX-License-Identifier: MIT
#include "model/cat_model.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"
#include "model/evaluate/cat_program.h"
#include "model/evaluate/evaluator.h"
#include "model/evaluate/node_values.h"
#include "support/compile_model.h"
#include "support/frames.h"

namespace weakspot::model::cat_model_test {
namespace {

using tests::compile_model;
using tests::for_each_candidate;
using tests::frame_of;
using tests::TestFrame;

// Tests whose candidates the models are tried on.
const std::vector<std::string>& texts() {
  static const std::vector<std::string> all = {
      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n",
      "weakspot SB\nArch=x86-64\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\n",
      "weakspot SBF\nArch=x86-64\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n mfence | mfence ;\n"
      " ld r0, y | ld r0, x ;\n",
      "weakspot CoRR\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n st x, 2 | ld r1, x ;\n",
      "weakspot LB\n P0 | P1 ;\n ld r0, x | ld r0, y ;\n st y, r0 | st x, 1 ;\n",
      "weakspot RMW\n P0 | P1 ;\n atom.add r0, x, 1 | atom.add r0, x, 1 ;\n ld r1, x | st x, 3 ;\n",
  };
  return all;
}

struct Derived {
  Relation fr, po_loc, com;
};

Relation composed(const Relation& a, const Relation& b) {
  Relation result;
  result.assign_composition(a, b);
  return result;
}

Derived derive(const Candidate& candidate) {
  Relation inverse;
  inverse.assign_inverse(*candidate.rf);
  Derived d;
  d.fr = composed(inverse, *candidate.co);
  d.po_loc = candidate.frame->po;
  d.po_loc &= candidate.frame->loc;
  d.com = d.fr;
  d.com |= *candidate.rf;
  d.com |= *candidate.co;
  return d;
}

bool external(const Frame& frame, EventId a, EventId b) { return frame.events[a].thread != frame.events[b].thread; }

bool is_sc_per_location(const Candidate& candidate) {
  Derived d = derive(candidate);
  return (d.com |= d.po_loc).is_acyclic();
}

bool is_sc(const Candidate& candidate) {
  Derived d = derive(candidate);
  return (d.com |= candidate.frame->po).is_acyclic();
}

// x86-TSO as Owens, Sarkar and Sewell's axioms come out in relations.
bool is_tso(const Candidate& candidate) {
  const Frame& frame = *candidate.frame;
  if (!is_sc_per_location(candidate)) return false;
  const Derived d = derive(candidate);
  Relation order(frame.size());
  frame.po.for_each([&](EventId a, EventId b) {
    const Event& x = frame.events[a];
    const Event& y = frame.events[b];
    const bool memory = x.location && y.location;
    bool fenced = x.rmw || y.rmw;
    frame.po.for_each([&](EventId c, EventId e) {
      if (c == a && frame.events[e].kind == EventKind::fence && frame.po.has(e, b)) fenced = true;
    });
    if (memory && (!(x.is_write() && y.kind == EventKind::read) || fenced)) order.insert(a, b);
  });
  bool atomic = true;
  frame.rmw.for_each([&](EventId r, EventId w) {
    for (EventId m = 0; m < frame.size(); ++m) {
      if (d.fr.has(r, m) && external(frame, r, m) && candidate.co->has(m, w) && external(frame, m, w)) atomic = false;
    }
  });
  order |= d.fr;
  order |= *candidate.co;
  candidate.rf->for_each([&](EventId a, EventId b) {
    if (external(frame, a, b)) order.insert(a, b);
  });
  return atomic && order.is_acyclic();
}

const char* const kSc = "SC\ninclude \"cos.cat\"\nacyclic po | rf | fr | co as sc\n";
const char* const kScPerLocation = "\"coherence\"\nacyclic po-loc | rf | fr | co as coherence\n";
const char* const kTso = R"("TSO"
include "x86fences.cat"
acyclic po-loc | rf | fr | co as uniproc
empty rmw & (fre; coe) as atomic
let locked = domain(rmw) | range(rmw)
let ppo = po & (W*W | R*M) | mfence & M*M | po & (M * locked | locked * M)
acyclic ppo | rfe | fr | co as tso
)";

TEST(CatModel, AgreesWithHandWrittenChecks) {
  const std::pair<const char*, bool (*)(const Candidate&)> models[] = {
      {kSc, is_sc}, {kScPerLocation, is_sc_per_location}, {kTso, is_tso}};
  for (const auto& [text, oracle] : models) {
    const Model model = compile_model(text);
    Evaluator evaluator(model);
    for (const std::string& test : texts()) {
      const TestFrame frame = frame_of(test);
      evaluator.begin(frame.frame);
      std::size_t allowed = 0;
      for_each_candidate(frame.frame, [&](const Candidate& candidate) {
        const bool expected = oracle(candidate);
        EXPECT_EQ(evaluator.allows(candidate), expected) << model.name() << "\n" << test;
        allowed += expected;
        if (evaluator.cut(*candidate.rf, *candidate.co)) {
          EXPECT_FALSE(expected);
        }
      });
      EXPECT_GT(allowed, 0u);
    }
  }
}

TEST(CatModel, KnowsItself) {
  const Model model = compile_model(kSc);
  EXPECT_EQ(model.name(), "SC");
  EXPECT_FALSE(model.partial_coherence());
  std::vector<std::string> names;
  for (const Check& check : model.checks()) names.push_back(check.name);
  EXPECT_EQ(names, (std::vector<std::string>{"with co", "sc"}));
  const Model described = compile_model("\"name\"\n(* What it says. *)\n(* more *)\nacyclic po\n");
  EXPECT_EQ(described.description(), "What it says.");
  EXPECT_EQ(described.checks()[0].name, "acyclic po");
}

TEST(CatModel, PartialCoherenceIsAskedForOrImpliedByPtx) {
  EXPECT_TRUE(compile_model("\"x\"\nwith co from generate_partial_cos(co0)\nacyclic co\n").partial_coherence());
  EXPECT_TRUE(compile_model("PTX\nacyclic co\n").partial_coherence());
  EXPECT_TRUE(compile_model("ptx \"some name\"\nacyclic co\n").partial_coherence());
  EXPECT_FALSE(compile_model("PTX\ninclude \"cos.cat\"\nacyclic co\n").partial_coherence());
  EXPECT_FALSE(compile_model("Vulkan\nacyclic co\n").partial_coherence());
}

// The four events of message passing, and the candidate in which the reader sees the flag and not the data.
struct MessagePassing {
  TestFrame test;
  Relation rf, co;
  Candidate candidate;

  explicit MessagePassing(const std::string& text)
      : test(frame_of(text)), rf(test.frame.size()), co(test.frame.size()) {
    const auto& events = test.frame.events;
    std::map<std::string, EventId> writes;
    for (EventId i = 0; i < events.size(); ++i) {
      if (events[i].kind == EventKind::write) {
        writes[test.test->locations[events[i].physical.index].name] = i;
        co.insert(test.initial(test.test->locations[events[i].physical.index].name), i);
      }
      if (events[i].kind != EventKind::read) continue;
      const std::string& name = test.test->locations[events[i].physical.index].name;
      rf.insert(name == "y" ? writes["y"] : test.initial("x"), i);
    }
    candidate = {&test.frame, &rf, &co, nullptr};
  }
};

bool allows(const Model& model, const MessagePassing& mp) {
  Evaluator evaluator(model);
  evaluator.begin(mp.test.frame);
  EXPECT_FALSE(evaluator.problem().has_value());
  return evaluator.allows(mp.candidate);
}

const char* const kPlainMp = "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\n";

TEST(CatModel, ExplainsWithNames) {
  const Model model = compile_model(
      "\"m\"\nlet hb = po | rf\nacyclic hb as hb\nlet com = rf | co | fr\nacyclic po | com as sc\nshow fr\n");
  const MessagePassing mp(kPlainMp);
  Evaluator evaluator(model);
  evaluator.begin(mp.test.frame);
  ASSERT_FALSE(evaluator.allows(mp.candidate));
  const Evaluator::Failure failure = evaluator.explain(mp.candidate);
  EXPECT_EQ(model.checks()[failure.check].name, "sc");
  ASSERT_EQ(failure.events.size(), 4u);
  const EventId wx = mp.test.event(0, 0), wy = mp.test.event(0, 1), ry = mp.test.event(1, 0), rx = mp.test.event(1, 1);
  EXPECT_TRUE(failure.relation->has(wy, ry));
  EXPECT_EQ(evaluator.names_of(wy, ry).front(), "rf");
  EXPECT_EQ(evaluator.names_of(rx, wx).front(), "fr");
  EXPECT_EQ(evaluator.names_of(wx, wy).front(), "po");
  ASSERT_EQ(evaluator.shown().size(), 1u);
  EXPECT_EQ(evaluator.shown()[0].first, "fr");
  EXPECT_TRUE(evaluator.shown()[0].second->has(rx, wx));
}

TEST(CatModel, RaisesFlags) {
  const Model model = compile_model(
      "\"m\"\nacyclic co as co\nflag ~empty rf & ext as race\nundefined_unless empty fr as reads-from\n"
      "flag empty rf as nothing\nassert empty co as no-co\n");
  const MessagePassing mp(kPlainMp);
  Evaluator evaluator(model);
  evaluator.begin(mp.test.frame);
  ASSERT_TRUE(evaluator.allows(mp.candidate));
  std::vector<std::string> raised;
  for (std::size_t flag : evaluator.flags()) raised.push_back(model.checks()[flag].name);
  EXPECT_EQ(raised, (std::vector<std::string>{"race", "reads-from", "no-co"}));
}

// One model text per construct; on message passing it forbids the weak outcome iff `forbids`.
struct Construct {
  const char* name;
  const char* text;
  bool forbids;
};

class CatConstruct : public testing::TestWithParam<Construct> {};

TEST_P(CatConstruct, Means) {
  const Model model = compile_model(GetParam().text);
  EXPECT_EQ(!allows(model, MessagePassing(kPlainMp)), GetParam().forbids);
}

const Construct kConstructs[] = {
    {"sc", "acyclic po | rf | co | fr", true},
    {"not_sc", "~acyclic po | rf | co | fr", false},
    {"acyclic_rf_po", "acyclic rf | po", false},
    {"function_of_tuple", "let f(a, b) = a | b\nacyclic f(po, f(rf, fr))", true},
    {"function_curried", "let f a b = a | b\nacyclic f po (f rf fr)", true},
    {"function_without_parentheses", "let f a = a | fr\nacyclic f rf | po", true},
    {"lambda", "let g h = h po | rf\nacyclic g (fun r -> r | fr)", true},
    {"lambda_of_tuple", "let g h = h(po, fr)\nacyclic rf | g (fun (a, b) -> a | b)", true},
    {"let_in", "acyclic (let a = po and b = rf in a | b | fr)", true},
    {"let_and", "let a = po and b = rf\nacyclic a | b | fr", true},
    {"let_tuple", "let (a, b) = (po, rf)\nlet c, d = (a, b)\nacyclic c | d | fr", true},
    {"shadowing", "let po = 0\nlet po = po | rf\nacyclic po | fr", false},
    {"functions_see_what_they_saw", "let r = po\nlet f x = x | r\nlet r = 0\nacyclic f(rf | fr)", true},
    {"rec_closure", "let rec r = po | rf | fr | r; r\nirreflexive r", true},
    {"rec_right", "let rec r = po | rf | fr | (po | rf | fr); r\nirreflexive r", true},
    {"rec_and", "let rec a = po | b; a and b = rf | fr | a; b\nirreflexive a; b | b; a", true},
    {"rec_sets", "let rec s = domain(rf) | range([s]; po)\nempty s & R", false},
    {"rec_mixed", "let rec s = IW | range(r) and r = [s]; rf\nempty (s & R) \\ R", false},
    {"rec_not_monotone",
     "let rec m = let open = W \\ domain(m) in m | ([open]; po; [open]) \\ ([open]; po; [open]; po; [open])\nempty m",
     true},
    // Definitions of one recursion see what those before them have just become: here r, of two writes, sees s.
    {"rec_in_order", "let rec s = W \\ range(r) and r = [s]; po; [s]\nempty r", false},
    {"rec_in_order_of_sets", "let rec s = W \\ range(r) and r = [s]; po; [s]\nempty range(po & W * W) & s", false},
    {"rec_in_order_is_over_outside",
     "let rec s = W \\ range(r) and r = [s]; po; [s]\nempty range(po & W * W) & (W \\ range(r))", true},
    {"rec_in_order_pairs",
     "let m = let rec open = M \\ (domain(m) | range(m)) and step = [open]; po; [open]\n"
     "and m = m | step \\ (step; step) in m\nempty (po & (W * W | R * R)) \\ m | m \\ po",
     false},
    {"rec_in_order_nested",
     "let rec s = W \\ range(r) and r = let rec t = [s]; po; [s] | t; u and u = po | u; t in t\nempty r", false},
    {"closure", "irreflexive (po | rf | fr)+", true},
    {"star", "irreflexive (po; rf)*; po; fr", true},
    {"star_is_reflexive", "irreflexive 0*", true},
    {"optional", "irreflexive po; rf; (po; fr)?", true},
    {"optional_is_reflexive", "irreflexive 0?", true},
    {"inverse", "empty rf^-1 & (R * W)", true},
    {"inverse_twice", "empty rf^-1^-1 \\ rf", false},
    {"complement", "empty ~(W * R) & rf", false},
    {"complement_of_set", "empty [~W] & [W]", false},
    {"complement_binds_looser_than_inverse", "empty rf^-1 & ~rf^-1", false},
    {"complement_binds_tighter_than_and", "empty ~rf & co", true},
    {"difference_to_the_left", "empty rf \\ rf \\ rf", false},
    {"and_before_difference", "empty rf \\ co & rf", true},
    {"difference_before_sequence", "empty rf; po \\ po", false},
    {"sequence_before_union", "empty 0; po | 0; rf", false},
    {"product_before_and", "empty rf & W * R", true},
    {"product_of_three_operators", "empty rf & W * R \\ IW * R", true},
    {"brackets", "empty [W]; po; [W]", true},
    {"brackets_meet", "empty [W]; [R]; po", false},
    {"zero", "empty 0", false},
    {"universe_set", "empty _ \\ (R | W)", false},
    {"universe_relation", "empty rf \\ (_ * _)", false},
    {"universe_in_brackets", "empty [_] \\ id", false},
    {"empty_braces", "empty {} | rf & {}", false},
    {"empty_set_is_both", "empty W & {}\nempty rf & {}", false},
    {"fencerel", "acyclic fencerel(W) | po | rf | fr", true},
    {"domain", "empty domain(rf) \\ W", false},
    {"range", "empty range rf \\ R", false},
    {"toid", "empty toid(W) \\ [W]", false},
    {"po_loc", "empty po-loc", false},
    {"initial_writes", "empty [IW]; rf", true},
    {"final_writes", "empty [FW]; rf", true},
    {"int_and_ext", "empty rf & int | co & int", false},
    {"ext_of_initial", "empty rfe \\ (IW * R)", true},
    {"procedure", "procedure sc(r) =\n let com = rf | fr\n acyclic r | com\nend\ncall sc(po)", true},
    {"procedure_named", "procedure p(a, b) = irreflexive a; b end\ncall p(rf, fr) as name", false},
    {"procedure_without_arguments", "procedure p() = acyclic po | rf | fr end\ncall p()", true},
    {"procedures_of_the_library", "call inclusion(rf, W * R)\ncall subseteq(R, M)", false},
    {"procedure_total", "call total(po, W)", true},
    {"forall_tags",
     "enum e = 'a || 'b\nlet f t = match t with || 'a -> po || 'b -> po | rf | fr end\n"
     "forall t in e do acyclic f(t) end",
     true},
    {"forall_explicit",
     "enum e = 'a || 'b\nforall t in {'a} do acyclic match t with 'a -> po || _ -> po | rf | fr end end", false},
    {"forall_events", "forall e in W do empty ({e} * R) & rf & ext end", true},
    {"forall_events_none", "forall e in F do ~empty 0 end", false},
    {"match_statement", "enum e = 'a || 'b\nlet x = 'b\nmatch x with || 'a -> empty 0 || 'b -> empty rf end", true},
    {"match_set", "let rec f s = match s with || {} -> 0 || e ++ es -> ({e} * R) & rf | f es end\nempty f W", true},
    {"match_set_halves",
     "let rec f s = match s with || a | e ++ b -> ({e} * R) & rf | f a | f b || {} -> 0 end\nempty f W \\ rf", false},
    {"match_relation",
     "let rec count s = match s with || {} -> {} || p ++ ps -> (p ++ 0) | count ps end\n"
     "empty rf \\ count rf",
     false},
    {"map",
     "let s = map (fun e -> ({e} * R) & rf) W\nlet rec all s = match s with || {} -> 0 || r ++ rs -> r | all rs end\n"
     "empty rf \\ all s",
     false},
    {"fold", "empty rf \\ fold (fun (e, r) -> ({e} * R) & rf | r) (W, 0)", false},
    {"partition",
     "let rec f ss = match ss with || {} -> 0 || s ++ rest -> (s * s) | f rest end\n"
     "empty (loc & (W * W)) \\ f (partition W)\nempty f (partition W) \\ loc",
     false},
    {"classes",
     "let rec f ss = match ss with || {} -> 0 || s ++ rest -> (s * s) | f rest end\n"
     "empty int \\ f (classes int)\nempty f (classes int) \\ int",
     false},
    {"if_variant", "acyclic if variant \"x\" then po | rf | fr else po", false},
    {"if_not_variant", "acyclic if not \"x\" && not (\"y\" || \"z\") then po | rf | fr else po", true},
    {"if_variant_statement", "if \"x\" empty rf else acyclic po end\nif not \"x\" empty 0 end", false},
    {"if_equal", "empty if W | R = M then 0 else rf", false},
    {"if_subset", "empty if R subset W then 0 else rf", true},
    {"if_member", "enum e = 'a || 'b\nempty if 'a in {'b} then rf else 0", false},
    {"try", "let x = try no-such-thing with rf\nempty x", true},
    {"try_not_needed", "let x = try po with rf\nempty x & rf", false},
    {"unused_mistakes_do_not_count", "let x = no-such-thing | W | rf\nshow x\nempty 0", false},
    {"with_linearisations", "with s from linearisations(W, po)\nempty po & (W*W) \\ s", false},
    {"with_finds_one", "with s from linearisations(M, po | rf)\nirreflexive s; fr", true},
    {"with_cycle_has_none", "with s from linearisations(M, po | po^-1)\nempty 0", true},
    {"with_all_fail", "with s from linearisations(M \\ IW, 0)\nempty s", true},
    {"with_is_total", "with s from linearisations(W, 0)\nempty (W * W) \\ (s | s^-1 | id)", false},
    {"with_orders_by_location", "with s from generate_orders(M, po)\nempty s \\ loc", false},
    {"with_two", "with s from linearisations(R, 0)\nwith t from linearisations(R, 0)\nempty s & t\n~empty s", false},
    {"with_explicit", "with r from {po, rf, co}\nempty r & po\nempty r & rf", false},
    {"with_explicit_none", "with r from {po, rf}\nempty r & po\nempty r & rf", true},
    {"with_cross", "with r from cross({{po, 0}, {rf, 0}})\nempty r", false},
    {"with_coherence", "with co from generate_cos(po & (W * W))\nacyclic co", false},
    {"with_coherence_refused", "with co from generate_cos(co^-1)\nacyclic co", true},
    {"with_coherence_of_some", "with mo from generate_orders(W & IW, co0)\nempty mo", false},
    {"with_over_enumerated_orders",
     "let rec f s = match s with || {} -> {} || o ++ os -> (o & po) ++ f os end\n"
     "with r from f (linearisations(W \\ IW, 0))\nempty r",
     false},
    {"per_candidate",
     "let rec f s = match s with || {} -> {} || p ++ ps -> (p ++ 0) ++ f ps end\n"
     "with r from f rf\nempty r & int\n~empty r",
     false},
    {"enum_and_tag2events", "enum o = 'rlx || 'acq\nempty tag2events('rlx)", true},
    {"tag2scope", "enum scopes = 'cta || 'system\nempty rf \\ tag2scope('system)", false},
    {"bell", "enum o = 'rlx || 'acq\ninstructions R[{'rlx,'acq}]\ninstructions F[o]\ndefault W[{'rlx}]\nempty 0",
     false},
    {"unshow", "show rf, co\nunshow rf\nempty 0", false},
    {"show_as", "show rf | co as com, po\nempty 0", false},
    {"names", "let a.b-c = po\nlet _d' = rf\nacyclic a.b-c | _d' | fr", true},
    {"comments", "(* a (* nested *) one *) acyclic // to the end\n po # also\n | rf /* c */ | fr", true},
    {"begin_end", "acyclic begin po | rf end | fr", true},
    {"when", "let rec r = po | r; r when irreflexive r\nempty 0", false},
    {"ctrlcfence", "empty ctrlcfence(ctrl, F)", false},
    {"different_values", "empty different-values(rf)", true},
    {"different_values_of_nothing", "empty different-values(0)", false},
    {"as_transitive", "irreflexive as_transitive(po | rf | fr)", true},
    {"in_after_let", "let r = po in\nlet s = rf in\nacyclic r | s | fr", true},
    {"recursion_of_functions",
     "let rec even s = match s with || {} -> 0 || e ++ r -> odd r end\n"
     "and odd s = match s with || {} -> rf || e ++ r -> even r end\nempty even W",
     false},
    {"nested_recursion",
     "let rec a = po | (let rec b = a | (b; rf) in b; po)\nlet c = po; (rf*; po)*\nempty (a \\ c) | (c \\ a)", false},
    {"nested_recursion_is_followed", "let rec a = po | (let rec b = a | (b; rf) in b; po)\nempty a \\ po", true},
    {"sets_of_tags",
     "enum e = 'a || 'b || 'c\nlet s = (e \\ {'a}) & {'b, 'c}\nempty if 'a in s then rf else 0\n"
     "empty s & {'a}",
     false},
};

INSTANTIATE_TEST_SUITE_P(All, CatConstruct, testing::ValuesIn(kConstructs),
                         [](const auto& construct) { return std::string(construct.param.name); });

// ---- the plan against the obvious evaluation, on random models ----

std::string random_relation(base::Rng& rng, int depth);

std::string random_set(base::Rng& rng, int depth) {
  static const char* const kBase[] = {"R", "W", "M", "IW", "F", "RMW", "_", "FW", "SC", "ACQ", "{}"};
  if (depth == 0) return kBase[rng.below(std::size(kBase))];
  switch (rng.below(5)) {
    case 0:
      return "(" + random_set(rng, depth - 1) + " | " + random_set(rng, depth - 1) + ")";
    case 1:
      return "(" + random_set(rng, depth - 1) + " & " + random_set(rng, depth - 1) + ")";
    case 2:
      return "(" + random_set(rng, depth - 1) + " \\ " + random_set(rng, depth - 1) + ")";
    case 3:
      return "domain(" + random_relation(rng, depth - 1) + ")";
    default:
      return "~range(" + random_relation(rng, depth - 1) + ")";
  }
}

std::string random_relation(base::Rng& rng, int depth) {
  static const char* const kBase[] = {"po",  "rf",  "co",   "fr", "loc",  "int",  "ext",    "id",     "0",
                                      "rmw", "rfe", "scta", "sr", "data", "addr", "po-loc", "choice", "fix"};
  if (depth == 0) return kBase[rng.below(std::size(kBase))];
  auto one = [&] { return random_relation(rng, depth - 1); };
  switch (rng.below(12)) {
    case 0:
    case 1:
      return "(" + one() + " | " + one() + " | " + one() + ")";
    case 2:
      return "(" + one() + " & " + one() + ")";
    case 3:
      return "(" + one() + " \\ " + one() + ")";
    case 4:
    case 5:
      return "(" + one() + "; " + one() + "; " + one() + ")";
    case 6:
      return "(" + one() + ")+";
    case 7:
      return "(" + one() + ")*";
    case 8:
      return "(" + one() + ")^-1";
    case 9:
      return "([" + random_set(rng, depth - 1) + "]; " + one() + "; [" + random_set(rng, depth - 1) + "])";
    case 10:
      return "(" + one() + " & " + random_set(rng, depth - 1) + " * " + random_set(rng, depth - 1) + ")";
    default:
      return "~(" + one() + ")";
  }
}

std::string random_model(base::Rng& rng) {
  auto relation = [&](int depth) { return random_relation(rng, depth); };
  std::string text = "\"random\"\nlet choice = 0\nlet fix = po\n";
  // Recursion must not shrink, so the relations beside it are not made of it.
  auto other = [&] {
    std::string made = relation(1);
    for (std::size_t at = made.find("fix"); at != std::string::npos; at = made.find("fix")) made.replace(at, 3, "po");
    return made;
  };
  const std::string inner = "(let rec inner = " + other() + " | (fix; inner) | fix & " + other() + " in inner)";
  const std::string beside = rng.percent(30) ? inner : other();
  if (rng.percent(50)) text += "let rec fix = " + other() + " | (fix; " + beside + ") & ext\n";
  if (rng.percent(30)) text += "with choice from linearisations(" + random_set(rng, 1) + " & R, po)\n";
  const int checks = static_cast<int>(rng.between(1, 4));
  for (int i = 0; i < checks; ++i) {
    static const char* const kTests[] = {"acyclic ", "irreflexive ", "empty ", "~empty "};
    text += kTests[rng.below(4)] + relation(static_cast<int>(rng.between(1, 3))) + " as c" + std::to_string(i) + "\n";
  }
  return text;
}

// Whether the candidate passes for some order of the reads; tries all of them.
bool passes_obviously(const Model& model, const Candidate& candidate) {
  const cat::Built& built = model.program().built;
  auto holds = [&](const std::vector<Relation>& choices) {
    Allowance unlimited;
    NodeValues values(*candidate.frame, &candidate, unlimited, choices);
    for (const cat::Step& step : built.steps) {
      if (step.kind != cat::Step::Kind::check) continue;
      const Check& check = model.checks()[step.index];
      const Relation relation = values.relation(built.graph, step.node);
      bool ok = relation.empty();
      if (check.kind == Check::Kind::irreflexive) ok = relation.is_irreflexive();
      if (check.kind == Check::Kind::acyclic) {
        Relation closed = relation;
        closed.close();
        ok = closed.is_irreflexive();
      }
      if (ok == check.negated) return false;
    }
    return true;
  };
  if (built.choices.empty()) return holds({});
  Allowance unlimited;
  NodeValues values(*candidate.frame, &candidate, unlimited);
  const cat::OrderFactor& factor = built.choices[0].factors[0];
  const EventSet set = values.set(built.graph, factor.set);
  const Relation contains = values.relation(built.graph, factor.contains);
  std::vector<EventId> events;
  set.for_each([&](EventId event) { events.push_back(event); });
  do {
    Relation order(candidate.frame->size());
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = i + 1; j < events.size(); ++j) order.insert(events[i], events[j]);
    }
    bool respects = true;
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) respects = respects && !contains.has(events[i], events[j]);
    }
    if (respects && holds({order})) return true;
  } while (std::next_permutation(events.begin(), events.end()));
  return false;
}

TEST(CatModel, PlanAgreesWithObviousEvaluationOnRandomModels) {
  base::Rng rng(2024);
  std::vector<TestFrame> frames;
  for (const std::string& text : texts()) frames.push_back(frame_of(text));
  std::size_t passed = 0;
  std::size_t cut_count = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_model(rng);
    const Model model = compile_model(text);
    Evaluator evaluator(model);
    const TestFrame& test = frames[rng.below(frames.size())];
    evaluator.begin(test.frame);
    int tried = 0;
    for_each_candidate(test.frame, [&](const Candidate& candidate) {
      if (++tried > 12) return;
      const bool expected = passes_obviously(model, candidate);
      passed += expected;
      ASSERT_EQ(evaluator.allows(candidate), expected) << text << texts()[0];
      // A cut of a part of it means that it does not pass.
      Relation rf = *candidate.rf;
      Relation co = *candidate.co;
      candidate.rf->for_each([&](EventId a, EventId b) {
        if (rng.percent(30)) rf.erase(a, b);
      });
      if (rng.percent(30)) co.clear();
      const bool cut = evaluator.cut(rf, co);
      cut_count += cut;
      ASSERT_FALSE(cut && expected) << text;
    });
  }
  EXPECT_GT(passed, 300u);
  EXPECT_GT(cut_count, 100u);
}

TEST(CatModel, MoreThan64Events) {
  std::string text = "weakspot t\n P0 | P1 ;\n";
  for (int i = 0; i < 40; ++i) text += " ld r0, x | ld.acq r0, y ;\n";
  text += " fence | fence ;\n";
  const TestFrame test = frame_of(text);
  ASSERT_GT(test.frame.size(), 80u);
  base::Rng rng(7);
  int passed = 0;
  for (int round = 0; round < 40; ++round) {
    std::string model_text = random_model(rng);
    if (model_text.find("with ") != std::string::npos) continue;  // 80 reads have too many orders
    const Model model = compile_model(model_text);
    Evaluator evaluator(model);
    evaluator.begin(test.frame);
    for_each_candidate(test.frame, [&](const Candidate& candidate) {
      const bool expected = passes_obviously(model, candidate);
      passed += expected;
      ASSERT_EQ(evaluator.allows(candidate), expected) << model_text;
    });
  }
  EXPECT_GT(passed, 2);
}

}  // namespace
}  // namespace weakspot::model::cat_model_test
