// SPDX-License-Identifier: MIT
#include "questions/fences.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "litmus/normalize.h"
#include "model/library.h"
#include "support/compile_model.h"
#include "support/corpus_tests.h"
#include "support/read_one.h"

namespace weakspot::questions::fences_test {
namespace {

using Reach = model::Verdict::Reach;

model::Model model_named(const std::string& name) {
  const base::Result<model::Model> model = model::load_model(name);
  EXPECT_TRUE(model.ok()) << base::render(model.errors());
  return *model;
}

std::vector<std::string> ways_of(const litmus::LitmusTest& test, const model::Model& model) {
  const Fences found = find_fences(test, model);
  EXPECT_TRUE(found.complete) << found.reason;
  const ChangeTexts change_text(test, found.places);
  std::vector<std::string> ways;
  for (const Way& way : found.ways) {
    std::string& text = ways.emplace_back();
    for (const Change& change : way.changes) text += (text.empty() ? "" : "; ") + change_text(change);
  }
  return ways;
}

std::vector<std::string> ways_of(const litmus::LitmusTest& test, const std::string& model) {
  return ways_of(test, model_named(model));
}

using Texts = std::vector<std::string>;

TEST(Fences, OfMessagePassingInPtx) {
  const litmus::LitmusTest test = tests::read_one(
      "PTX mp\n{ 0:r0=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
      " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n");
  EXPECT_EQ(ways_of(test, "ptx").front(),
            "P0 `st.relaxed.gpu y, 1` -> `st.release.gpu y, 1`; "
            "P1 `ld.relaxed.gpu r0, y` -> `ld.acquire.gpu r0, y`");
}

// Missing orders of asynchronous operations, each as the first single change that is found.
TEST(Fences, OfAsynchronousOperations) {
  const std::map<std::string, std::string> missing = {
      {"STORE", "P0 `fence.proxy.async` before `copy.bulk y, x`"},
      {"STORE-bar", "P0 `fence.proxy.async` before `bar`"},
      {"STORE-cluster+fence-writer", "P1 `fence.proxy.async` before `copy.bulk y, x`"},
      {"LOAD-written", "P0 `fence.proxy.async` before `mbar.arrive _, b, 1, 4`"},
      {"OVERWRITE", "P0 `fence.proxy.async` before `mbar.arrive _, b, 1, 4`"},
      {"REDUCE+written", "P0 `fence.proxy.async` before `copy.bulk.add y, x`"},
      {"TEXTURE", "P0 `fence.proxy.texture` before `ld.na.texture r0, t`"},
      {"STORE+fence+no-wait", "P0 `wait.bulk 0` before `ld.na r0, y`"},
      {"STORE+fence+wait-read", "P0 `wait.bulk.read 0` -> `wait.bulk 0`"},
      {"GRID+no-wait", "P1 `griddep.wait` before `ld.na r0, x`"},
      {"DSMEM+arrive-wg", "P0 `mbar.arrive _, b` -> `mbar.arrive.cluster _, b`"},
  };
  const model::Model ptx = model_named("ptx");
  std::size_t found = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("async/@all")) {
    const auto expected = missing.find(test.name);
    if (expected == missing.end()) continue;
    const Fences fences = find_fences(test, ptx, {.quick = true});
    ASSERT_FALSE(fences.ways.empty()) << test.name;
    ASSERT_EQ(1u, fences.ways.front().changes.size()) << test.name;
    EXPECT_EQ(expected->second, ChangeTexts(test, fences.places)(fences.ways.front().changes.front())) << test.name;
    ++found;
  }
  EXPECT_EQ(missing.size(), found);
}

// Waits and fences of tensor memory, each where one is left out.
TEST(Fences, OfTensorMemory) {
  const std::map<std::string, std::string> missing = {
      {"ST-LD", "P0 `wait.tcst` before `ld.tensor r0, t`"},
      {"LD-MMA", "P0 `wait.tcld` before `copy.tcmma t, a`"},
      {"LD-MMA-other+no-wait", "P0 `wait.tcld` before `tcfence.before`"},
      {"MMA-LD+no-after", "P0 `tcfence.after` before `ld.tensor r0, d`"},
      {"ST-LD-other+no-before", "P0 `tcfence.before` before `mbar.arrive.rlx _, e`"},
      {"ST-LD-bar+no-after", "P1 `tcfence.after` before `ld.tensor r0, t`"},
      {"STORE-MMA", "P0 `fence.proxy.async` before `copy.tcmma d, x`"},
  };
  const model::Model ptx = model_named("ptx");
  std::size_t found = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("tensor/@all")) {
    const auto expected = missing.find(test.name);
    if (expected == missing.end()) continue;
    const Fences fences = find_fences(test, ptx, {.quick = true});
    ASSERT_FALSE(fences.ways.empty()) << test.name;
    ASSERT_EQ(1u, fences.ways.front().changes.size()) << test.name;
    EXPECT_EQ(expected->second, ChangeTexts(test, fences.places)(fences.ways.front().changes.front())) << test.name;
    ++found;
  }
  EXPECT_EQ(missing.size(), found);
}

// The fence of the writer stands before the barrier that its thread ends with.
TEST(Fences, StandBeforeBarriers) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot T\nArch=ptx\n{ shared s; }\n P0 | P1 ;\n st.na s, 1 | bar ;\n bar | copy.bulk g, s ;\n"
      " | commit.bulk ;\n | wait.bulk 0 ;\n | ld.na r0, g ;\nscopes (wg P0 P1)\nexists (1:r0=0)\n");
  EXPECT_EQ(ways_of(test, "ptx"),
            (Texts{"P0 `fence.proxy.async` before `bar`", "P1 `fence.proxy.async` before `copy.bulk g, s`"}));
}

// A copy out of memory that another copy overwrites: it must have been read, not been written.
TEST(Fences, WaitForNoMoreThanReads) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot T\nArch=ptx\n{ shared s = 1; z = 2; shared b = 1; }\n P0 ;\n copy.bulk g, s ;\n commit.bulk ;\n"
      " mbar.arrive _, b, 1, 4 ;\n copy.bulk s, z, b ;\n wait.bulk 0 ;\n ld.na r0, g ;\nexists (0:r0=2)\n");
  EXPECT_EQ(ways_of(test, "ptx"), Texts{"P0 `wait.bulk.read 0` before `mbar.arrive _, b, 1, 4`"});
}

TEST(Fences, AreBarriersOfTheWorkgroup) {
  const std::string code = " P0 | P1 ;\n st.na x, 1 | ld.na r0, x ;\n";
  const litmus::LitmusTest together =
      tests::read_one("weakspot T\nArch=ptx\n" + code + "scopes (wg P0 P1)\nexists (1:r0=0)\n");
  EXPECT_EQ(ways_of(together, "ptx"), Texts{"P0 `bar` at the end, P1 before `ld.na r0, x`"});
  const litmus::LitmusTest apart =
      tests::read_one("weakspot T\nArch=ptx\n" + code + "scopes (wg P0) (wg P1)\nexists (1:r0=0)\n");
  EXPECT_EQ(ways_of(apart, "ptx"), Texts{});
  const litmus::LitmusTest waits = tests::read_one(
      "weakspot T\nArch=ptx\n P0 | P1 ;\n st.na x, 1 | L: ;\n st y, 1 | ld r1, y ;\n | bne r1, 1, L ;\n"
      " | ld.na r0, x ;\nscopes (wg P0 P1)\nexists (1:r0=0)\n");
  for (const std::string& way : ways_of(waits, "ptx")) EXPECT_EQ(way.find("`bar`"), std::string::npos) << way;
}

// The outcome is forbidden; the race is what is wrong.
TEST(Fences, AvoidFlags) {
  const litmus::LitmusTest test =
      tests::read_one("weakspot T\n P0 | P1 ;\n st.wg x, 1 | ld.wg r0, x ;\nexists (1:r0=7)\n");
  const Fences found = find_fences(test, model_named("opencl"));
  EXPECT_EQ(found.reach, Reach::forbidden);
  EXPECT_TRUE(found.avoids_flag);
  ASSERT_FALSE(found.ways.empty());
  const ChangeTexts text(test, found.places);
  ASSERT_EQ(found.ways.front().changes.size(), 2u);
  EXPECT_EQ(text(found.ways.front().changes[0]), "P0 `st.wg x, 1` -> `st x, 1`");
  EXPECT_EQ(text(found.ways.front().changes[1]), "P1 `ld.wg r0, x` -> `ld r0, x`");
  EXPECT_FALSE(find_fences(test, model_named("ptx")).avoids_flag);
}

TEST(Fences, OfStoreBufferingByModel) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot SB\n P0 | P1 ;\n st x, 1 | st y, 1 ;\n ld r0, y | ld r0, x ;\nexists (0:r0=0 /\\ 1:r0=0)\n");
  EXPECT_EQ(ways_of(test, "ptx"), (Texts{"P0 `fence.sc` before `ld r0, y`; P1 `fence.sc` before `ld r0, x`"}));
  EXPECT_EQ(ways_of(test, "sc"), Texts{});  // forbidden as it is
}

// The canonical form of a test for x86 has no XCHG, but a word for what it does.
TEST(Fences, OfX86InTheCanonicalForm) {
  litmus::LitmusTest test = tests::read_one(
      "X86_64 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"
      "exists (0:EAX=0 /\\ 1:EAX=0)\n");
  EXPECT_EQ(ways_of(test, "tso").front(), "P0 `MOV [x],$1` -> `XCHG [x],$1`; P1 `MOV [y],$1` -> `XCHG [y],$1`");
  test.spelling.canonical = true;
  const std::string way = ways_of(test, "tso").front();
  EXPECT_EQ(way.find("XCHG"), std::string::npos) << way;
  EXPECT_NE(way.find("P0 `st x, 1` -> `atom.exch.sc "), std::string::npos) << way;
}

TEST(Fences, WidenScopes) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld.acq.wg r0, y ;\n st.rel y, 1 | ld r1, x ;\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  const Fences found = find_fences(test, model_named("ptx"), {.places = 1});
  ASSERT_FALSE(found.ways.empty());
  const ChangeTexts change_text(test, found.places);
  EXPECT_EQ(change_text(found.ways.front().changes.front()), "P1 `ld.acq.wg r0, y` -> `ld.acq r0, y`");
  EXPECT_EQ(change_text.narrow(found.ways.front().changes.front()),
            "it reaches its own workgroup only, and P0 is in another");
}

// RISC-V and the Linux kernel are judged by models of others; these have what the tests below need of them.
const char* const kRiscv = R"("RISC-V, in short"
include "cos.cat"
let fence = [R]; po; [Fence.r.r | Fence.r.rw | Fence.rw.r | Fence.rw.rw | Fence.tso]; po; [R]
          | [R]; po; [Fence.r.w | Fence.r.rw | Fence.rw.w | Fence.rw.rw | Fence.tso]; po; [W]
          | [W]; po; [Fence.w.w | Fence.w.rw | Fence.rw.w | Fence.rw.rw | Fence.tso]; po; [W]
          | [W]; po; [Fence.w.r | Fence.w.rw | Fence.rw.r | Fence.rw.rw]; po; [R]
acyclic po-loc | rf | co | fr as coherence
acyclic addr | data | ctrl; [W] | addr; po; [W] | fence | rfe | co | fr as main
)";

const char* const kLinux = R"("Linux, in short"
include "cos.cat"
let fence = [R]; po; [Rmb]; po; [R] | [W]; po; [Wmb]; po; [W] | po; [Mb]; po | [ACQUIRE]; po | po; [RELEASE]
acyclic po-loc | rf | co | fr as coherence
acyclic fence | rfe | co | fr as main
)";

bool has_way(const Texts& ways, const std::string& way) {
  return std::find(ways.begin(), ways.end(), way) != ways.end();
}

TEST(Fences, OfRiscv) {
  const litmus::LitmusTest test = tests::read_one(
      "RISCV MP\n{ 0:x5=1; 0:x6=x; 0:x7=y; 1:x6=x; 1:x7=y; }\n P0 | P1 ;\n sw x5,0(x6) | lw x8,0(x7) ;\n"
      " sw x5,0(x7) | lw x9,0(x6) ;\nexists (1:x8=1 /\\ 1:x9=0)\n");
  const Texts ways = ways_of(test, tests::compile_model(kRiscv));
  EXPECT_TRUE(has_way(ways, "P0 `fence w,w` before `sw x5,0(x7)`; P1 `fence r,r` before `lw x9,0(x6)`"));
}

TEST(Fences, OfTheLinuxKernel) {
  const litmus::LitmusTest test = tests::read_one(
      "C MP\n\n{}\n\nP0(int *x, int *y)\n{\n\tWRITE_ONCE(*x, 1);\n\tWRITE_ONCE(*y, 1);\n}\n\n"
      "P1(int *x, int *y)\n{\n\tint r0;\n\tint r1;\n\n\tr0 = READ_ONCE(*y);\n\tr1 = READ_ONCE(*x);\n}\n\n"
      "exists (1:r0=1 /\\ 1:r1=0)\n");
  const Texts ways = ways_of(test, tests::compile_model(kLinux));
  EXPECT_EQ(ways.front(),
            "P0 `WRITE_ONCE(*y, 1)` -> `smp_store_release(y, 1)`; "
            "P1 `r0 = READ_ONCE(*y)` -> `r0 = smp_load_acquire(y)`");
  EXPECT_TRUE(has_way(ways, "P0 `smp_wmb()` before `WRITE_ONCE(*y, 1)`; P1 `smp_rmb()` before `r1 = READ_ONCE(*x)`"));
  EXPECT_EQ(ways.size(), 4u);
}

// Address, data and control, weakest first; a branch alone does not order loads.
TEST(Fences, AreDependenciesOnAarch64) {
  const litmus::LitmusTest loads = tests::read_one(
      "AArch64 MP\n{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }\n P0 | P1 ;\n MOV W0,#1 | LDR W0,[X3] ;\n"
      " STR W0,[X1] | LDR W2,[X1] ;\n DMB ST | ;\n STR W0,[X3] | ;\nexists (1:X0=1 /\\ 1:X2=0)\n");
  const Texts to_load = ways_of(loads, "aarch64");
  EXPECT_EQ(
      to_load,
      (Texts{"P1 `LDR W2,[X3]`: address dependency on `LDR W0,[X1]`", "P1 `LDR W0,[X1]` -> `LDAPR W0,[X1]`",
             "P1 `LDR W2,[X3]`: control dependency on `LDR W0,[X1]`, with ISB", "P1 `DMB LD` before `LDR W2,[X3]`"}));
  const litmus::LitmusTest stores = tests::read_one(
      "AArch64 LB\n{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }\n P0 | P1 ;\n LDR W0,[X1] | LDR W0,[X3] ;\n"
      " DMB SY | MOV W2,#1 ;\n MOV W2,#1 | STR W2,[X1] ;\n STR W2,[X3] | ;\nexists (0:X0=1 /\\ 1:X0=1)\n");
  const Texts to_store = ways_of(stores, "aarch64");
  ASSERT_GE(to_store.size(), 2u);
  EXPECT_EQ(to_store[0], "P1 `STR W2,[X3]`: data dependency on `LDR W0,[X1]`");
  EXPECT_EQ(to_store[1], "P1 `STR W2,[X3]`: control dependency on `LDR W0,[X1]`");
}

// Claims about every way: it is a valid test, forbidden, and minimal.
TEST(Fences, AreForbiddenAndMinimal) {
  for (const std::string name : {"ptx", "c11", "aarch64", "tso"}) {
    const model::Model model = model_named(name);
    std::size_t ways = 0;
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all", 23)) {
      if (test.threads.size() > 3) continue;
      const Fences found = find_fences(test, model, {.places = 2, .tests = 500});
      for (const Way& way : found.ways) {
        EXPECT_TRUE(litmus::validate(way.test).empty()) << test.name << " by " << name;
        EXPECT_EQ(model::judge(way.test, model).reach, Reach::forbidden) << test.name << " by " << name;
        EXPECT_FALSE(way.weaker.empty());
        for (const WeakerChanges& weaker : way.weaker) {
          EXPECT_EQ(model::judge(strengthened(test, found.places, weaker.changes), model).reach, Reach::allowed)
              << test.name << " by " << name;
        }
        ++ways;
      }
    }
    EXPECT_GT(ways, 0u) << name;
  }
}

// An explanation judges fewer tests, and every way it shows is one of all the minimal ones.
TEST(Fences, OfExplanationsAreAmongAll) {
  for (const std::string name : {"ptx", "c11", "aarch64", "tso"}) {
    const model::Model model = model_named(name);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all", 23)) {
      if (test.threads.size() > 2) continue;
      const Fences all = find_fences(test, model, {.tests = 2000});
      if (all.reach != Reach::allowed || !all.complete) continue;
      const Fences some = find_fences(test, model, {.quick = true, .known = true});
      EXPECT_EQ(some.ways.empty(), all.ways.empty()) << test.name << " by " << name;
      EXPECT_LT(some.judged, all.judged) << test.name << " by " << name;
      for (const Way& way : some.ways) {
        const bool among = std::any_of(all.ways.begin(), all.ways.end(),
                                       [&](const Way& other) { return other.changes == way.changes; });
        EXPECT_TRUE(among || way.changes.size() > FencesOptions().places) << test.name << " by " << name;
      }
    }
  }
}

// A stronger test allows no more: what the search relies on.
TEST(Fences, StrongerTestsAllowNoMore) {
  for (const std::string name : {"ptx", "c11", "opencl", "vulkan", "aarch64", "tso"}) {
    const model::Model model = model_named(name);
    for (const litmus::LitmusTest& test : testing_support::corpus_tests("classic/@all", 31)) {
      const std::vector<Place> places = places_to_strengthen(test, model);
      for (std::size_t place = 0; place < places.size(); ++place) {
        Reach last = model::judge(test, model).reach;
        for (std::size_t i = 0; i < places[place].alternatives.size(); ++i) {
          if (i > 0 && !at_most_as_strong(places[place].alternatives[i - 1], places[place].alternatives[i])) continue;
          const Reach now = model::judge(strengthened(test, places, {{place, i}}), model).reach;
          EXPECT_FALSE(last == Reach::forbidden && now == Reach::allowed) << test.name << " by " << name;
          last = now;
        }
      }
    }
  }
}

// A search that was cut short does not say that there is nothing to find.
TEST(Fences, ExplanationsSayThatTheSearchEnded) {
  const litmus::LitmusTest test = tests::read_one(
      "weakspot MP\n P0 | P1 ;\n st x, 1 | ld r0, y ;\n st y, 1 | ld r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n");
  const model::Model ptx = model_named("ptx");
  const model::Verdict verdict = model::judge(test, ptx);
  const std::atomic<bool> stop = true;
  EXPECT_EQ(explain_allowed(test, ptx, verdict, {.stop = &stop}),
            "  missing: the search ended before it found what would forbid the outcome\n");
}

}  // namespace
}  // namespace weakspot::questions::fences_test
