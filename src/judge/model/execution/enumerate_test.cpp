// SPDX-License-Identifier: MIT
#include "model/execution/enumerate.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "support/read_one.h"

namespace weakspot::model::enumerate_test {
namespace {

using tests::read_one;

// A test of the given rows, "P0 | P1 ;" and so on, that observes the items.
litmus::LitmusTest observing(const std::string& items, const std::string& rows, const std::string& initial = "") {
  return read_one("weakspot t\n" + initial + "\n" + rows + "\nlocations [" + items + "]\nexists (true)\n");
}

// Collects the outcomes of all candidates, as text ("1 0"), and frames.
class Collector : public CandidateVisitor {
 public:
  bool frame(const Frame& frame) override {
    frames.push_back(frame);
    return true;
  }
  bool cut(const Relation&, const Relation&) override { return false; }
  bool candidate(const Candidate& candidate, std::span<const litmus::Outcome> finals) override {
    if (keep && !keep(candidate)) return true;
    ++kept;
    for (const litmus::Outcome& outcome : finals) {
      std::string text;
      for (const litmus::Value& value : outcome) {
        if (!text.empty()) text += ' ';
        if (value.base) text += '&' + (*candidate.frame->test)[*value.base].name;
        if (!value.base || value.number != 0) text += std::to_string(value.number);
      }
      outcomes.insert(text);
    }
    return true;
  }

  std::function<bool(const Candidate&)> keep;
  std::vector<Frame> frames;
  std::set<std::string> outcomes;
  std::uint64_t kept = 0;
};

struct Enumerated {
  EnumerateResult result;
  std::vector<Frame> frames;
  std::set<std::string> outcomes;
};

Enumerated run(const litmus::LitmusTest& test, const EnumerateOptions& options = {},
               std::function<bool(const Candidate&)> keep = nullptr) {
  Collector collector;
  collector.keep = std::move(keep);
  EnumerateResult result = enumerate(test, options, collector);
  return {result, collector.frames, collector.outcomes};
}

using Outcomes = std::set<std::string>;
using Pairs = std::set<std::pair<EventId, EventId>>;

Pairs pairs(const Relation& relation) {
  Pairs result;
  relation.for_each([&](EventId a, EventId b) { result.emplace(a, b); });
  return result;
}

// Sequential consistency, with atomic read-modify-writes.
bool in_program_order(const Candidate& candidate) {
  Relation order = candidate.frame->po;
  Relation inverse(order.events());
  inverse.assign_inverse(*candidate.rf);
  Relation fr(order.events());
  fr.assign_composition(inverse, *candidate.co);
  order |= *candidate.rf;
  order |= *candidate.co;
  order |= fr;
  Relation between(order.events());
  between.assign_composition(fr, *candidate.co);
  between &= candidate.frame->rmw;
  return order.is_acyclic() && between.empty();
}

TEST(Enumerate, MessagePassing) {
  const litmus::LitmusTest test = observing("1:r0; 1:r1", "P0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\n");
  EXPECT_EQ(run(test).outcomes, (Outcomes{"0 0", "0 1", "1 0", "1 1"}));
  EXPECT_EQ(run(test).result.candidates, 4u);
  EXPECT_EQ(run(test, {}, in_program_order).outcomes, (Outcomes{"0 0", "0 1", "1 1"}));
}

TEST(Enumerate, CountsOrdersOfWrites) {
  const litmus::LitmusTest test = observing("x", "P0 | P1 | P2 ;\nst x, 1 | st x, 2 | st x, 3 ;\n");
  EXPECT_EQ(run(test).result.candidates, 6u);
  EXPECT_EQ(run(test).outcomes, (Outcomes{"1", "2", "3"}));
  // Strict partial orders of three things.
  EXPECT_EQ(run(test, {.partial_coherence = true}).result.candidates, 19u);
  const litmus::LitmusTest four = observing("x", "P0 | P1 | P2 | P3 ;\nst x, 1 | st x, 2 | st x, 3 | st x, 4 ;\n");
  EXPECT_EQ(run(four).result.candidates, 24u);
  EXPECT_EQ(run(four, {.partial_coherence = true}).result.candidates, 219u);
}

TEST(Enumerate, UnorderedLastWritesGiveSeveralOutcomes) {
  const litmus::LitmusTest test = observing("x", "P0 | P1 ;\nst x, 1 | st x, 2 ;\n");
  Collector collector;
  collector.keep = [](const Candidate& candidate) {
    return candidate.co->count() == 2;  // the initial write before both, and no more
  };
  enumerate(test, {.partial_coherence = true}, collector);
  EXPECT_EQ(collector.kept, 1u);
  EXPECT_EQ(collector.outcomes, (Outcomes{"1", "2"}));
}

TEST(Enumerate, EventsAreInitialWritesThenThreads) {
  const Enumerated result =
      run(observing("x", "P0 | P1 ;\nst x, 1 | ld.acq.wg r0, y ;\nfence.acqrel.wg | atom.add.acqrel r1, x, 1 ;\n"));
  ASSERT_EQ(result.frames.size(), 1u);
  const Frame& frame = result.frames[0];
  ASSERT_EQ(frame.size(), 7u);
  EXPECT_EQ(frame.events[0].kind, EventKind::init);
  EXPECT_FALSE(frame.events[1].thread.has_value());
  EXPECT_EQ(frame.events[2].kind, EventKind::write);
  EXPECT_EQ(frame.events[3].kind, EventKind::fence);
  EXPECT_EQ(frame.events[3].order, litmus::Order::acq_rel);
  EXPECT_EQ(frame.events[3].scope, litmus::Scope::workgroup);
  EXPECT_EQ(frame.events[4].order, litmus::Order::acquire);
  EXPECT_EQ(frame.events[4].scope, litmus::Scope::workgroup);
  EXPECT_EQ(frame.events[5].order, litmus::Order::acquire);
  EXPECT_EQ(frame.events[6].order, litmus::Order::release);
  EXPECT_TRUE(frame.events[5].rmw);
  EXPECT_TRUE(frame.events[6].rmw);
  EXPECT_EQ(frame.events[6].position, 2u);
  EXPECT_EQ(pairs(frame.po), (Pairs{{2, 3}, {4, 5}, {4, 6}, {5, 6}}));
  EXPECT_EQ(pairs(frame.rmw), (Pairs{{5, 6}}));
  EXPECT_TRUE(frame.loc.has(0, 2));
  EXPECT_TRUE(frame.loc.has(6, 2));
  EXPECT_FALSE(frame.loc.has(1, 2));
  EXPECT_FALSE(frame.loc.has(3, 3));
}

// ---- dependencies: one thread; its events follow the initial writes ----

struct Dependencies {
  const char* rows;  // after `ld r0, x`, which is event 2 (x, y are 0 and 1)
  Pairs addr, data, ctrl;
};

TEST(Enumerate, DependenciesFollowRegisters) {
  const Dependencies cases[] = {
      {"st y, r0 ;", {}, {{2, 3}}, {}},
      {"st y, 1 ;", {}, {}, {}},
      {"add r1, r0, 1 ; st y, r1 ;", {}, {{2, 3}}, {}},
      {"xor r1, r0, r0 ; st y, r1 ;", {}, {{2, 3}}, {}},
      {"xor r1, r0, r0 ; st y+r1, 1 ;", {{2, 3}}, {}, {}},
      {"xor r1, r0, r0 ; ld r2, y+r1 ; st y, r2 ;", {{2, 3}}, {{3, 4}}, {}},
      {"mov r0, 1 ; st y, r0 ;", {}, {}, {}},
      {"mov r1, r0 ; mov r0, 5 ; st y, r1 ;", {}, {{2, 3}}, {}},
      {"beq r0, r0, L ; L: ; st y, 1 ; ld r2, y ;", {}, {}, {{2, 3}, {2, 4}}},
      {"xor r1, r0, r0 ; @!r1 st y, 1 ; fence.sc ;", {}, {}, {{2, 3}, {2, 4}}},
      {"atom.add r1, y, r0 ; st y, r1 ;", {}, {{2, 4}, {3, 5}}, {}},
      {"atom.exch _, y, 1 ;", {}, {}, {}},
      {"xor r1, r0, r0 ; atom.exch _, y+r1, 1 ;", {{2, 3}, {2, 4}}, {}, {}},
  };
  for (const Dependencies& expected : cases) {
    const Enumerated result =
        run(observing("x; y", "P0 ;\nld r0, x ;\n" + std::string(expected.rows) + "\n", "{ x; y }"));
    ASSERT_EQ(result.frames.size(), 1u) << expected.rows;
    EXPECT_EQ(pairs(result.frames[0].addr), expected.addr) << expected.rows;
    EXPECT_EQ(pairs(result.frames[0].data), expected.data) << expected.rows;
    EXPECT_EQ(pairs(result.frames[0].ctrl), expected.ctrl) << expected.rows;
  }
}

// The value read before makes the expected value and is compared, not computed with; the register keeps its value, or
// receives the value read.
TEST(Enumerate, SuccessfulCompareAndSwapPicks) {
  const litmus::LitmusTest test = read_one(
      "weakspot t\nArch=aarch64\n{ x; y; z }\nP0 ;\nld r0, x ;\natom.cas r0, y, r0, 1 ;\nst z, r0 ;\nexists (true)\n");
  std::vector<Frame> frames = run(test).frames;
  std::erase_if(frames, [](const Frame& frame) { return frame.size() < 7; });  // the failure
  ASSERT_EQ(frames.size(), 2u);
  // Events 3 to 6: the load, the two halves, the store.
  const std::size_t kept = frames[0].data.has(3, 6) ? 0 : 1;
  EXPECT_EQ(pairs(frames[kept].data), (Pairs{{3, 6}}));
  EXPECT_EQ(pairs(frames[kept].pick_data), (Pairs{{3, 5}, {4, 6}}));
  EXPECT_EQ(pairs(frames[1 - kept].data), (Pairs{{4, 6}}));
  EXPECT_EQ(pairs(frames[1 - kept].pick_data), (Pairs{{3, 5}}));
}

// The selected value is handed on, the compared value picks it, and the value not selected does not matter.
TEST(Enumerate, SelectsPick) {
  const std::string body =
      "{ x; y; z }\nP0 | P1 ;\nld r0, x | st x, 1 ;\nld r1, y | ;\nsel.eq r2, r0, 1, r1, 2 | ;\nst z, r2 | ;\n"
      "exists (true)\n";
  const std::vector<Frame> frames = run(read_one("weakspot t\nArch=aarch64\n" + body)).frames;
  ASSERT_EQ(frames.size(), 2u);
  // Events 3 to 5: the loads, the store.
  const std::size_t taken = frames[0].data.has(4, 5) ? 0 : 1;
  EXPECT_EQ(pairs(frames[taken].data), (Pairs{{4, 5}}));
  EXPECT_EQ(pairs(frames[taken].pick_data), (Pairs{{3, 5}}));
  EXPECT_EQ(pairs(frames[1 - taken].data), Pairs{});
  EXPECT_EQ(pairs(frames[1 - taken].pick_data), (Pairs{{3, 5}}));
  // Elsewhere it is a computation from all its operands.
  for (const Frame& frame : run(read_one("weakspot t\n" + body)).frames) {
    EXPECT_EQ(pairs(frame.data), (Pairs{{3, 5}, {4, 5}}));
    EXPECT_EQ(pairs(frame.ctrl), Pairs{});
    EXPECT_EQ(frame.pick_data.events(), 0u);
  }
}

// ---- values ----

TEST(Enumerate, BranchesDependOnValues) {
  const litmus::LitmusTest test =
      observing("1:r0; y", "P0 | P1 ;\nst x, 1 | ld r0, x ;\n | bne r0, 1, L ;\n | st y, 7 ;\n | L: ;\n");
  EXPECT_EQ(run(test).outcomes, (Outcomes{"0 0", "1 7"}));
}

TEST(Enumerate, PathsThatNoValueTakesAreDropped) {
  const litmus::LitmusTest test =
      observing("1:r0; y", "P0 | P1 ;\nst x, 1 | ld r0, x ;\n | bne r0, 2, L ;\n | st y, 7 ;\n | L: ;\n");
  const Enumerated result = run(test);
  EXPECT_EQ(result.frames.size(), 1u);
  EXPECT_EQ(result.outcomes, (Outcomes{"0 0", "1 0"}));
}

TEST(Enumerate, ValuesInACircleComeFromSomewhere) {
  const std::string rows = "P0 | P1 ;\nld r0, x | ld r0, y ;\nst y, r0 | st x, r0 ;\n";
  EXPECT_EQ(run(observing("0:r0; 1:r0", rows)).outcomes, (Outcomes{"0 0"}));
  const std::string third = "P0 | P1 | P2 ;\nld r0, x | ld r0, y | st x, 1 ;\nst y, r0 | st x, r0 | ;\n";
  EXPECT_EQ(run(observing("0:r0; 1:r0", third)).outcomes, (Outcomes{"0 0", "1 0", "1 1"}));
  // Or the test asks for one that nothing makes.
  const litmus::LitmusTest asked = read_one("weakspot t\n" + rows + "exists (0:r0=42 /\\ 1:r0=42)\n");
  EXPECT_EQ(run(asked).outcomes, (Outcomes{"0 0", "42 42"}));
  // A constant behind a branch justifies itself: nothing but the model forbids it.
  const litmus::LitmusTest control =
      observing("0:r0; 1:r0",
                "P0 | P1 ;\nld r0, x | ld r0, y ;\nbne r0, 1, L | bne r0, 1, L ;\nst y, 1 | st x, 1 ;\nL: | L: ;\n");
  EXPECT_EQ(run(control).outcomes, (Outcomes{"0 0", "1 1"}));
}

TEST(Enumerate, IncrementsInACircleContradictThemselves) {
  const Enumerated result = run(observing("x", "P0 | P1 ;\natom.add r0, x, 1 | atom.add r0, x, 1 ;\n"));
  // Either reads from the initial write or from the other, but not each from the other and none from itself.
  EXPECT_EQ(result.result.candidates, 3u * 2u);
  EXPECT_EQ(result.outcomes, (Outcomes{"1", "2"}));
}

TEST(Enumerate, Loops) {
  const std::string spin = "P0 | P1 ;\nst x, 1 | L: ;\n | ld r0, x ;\n | beq r0, 0, L ;\n | ld r1, y ;\n";
  const Enumerated result = run(observing("1:r0", spin));
  EXPECT_FALSE(result.result.bounded);  // waiting longer changes nothing
  EXPECT_TRUE(result.result.complete);
  EXPECT_EQ(result.outcomes, (Outcomes{"1"}));
  EXPECT_EQ(result.frames.size(), 1u);
  // A loop that counts to a constant ends by itself.
  const Enumerated counted =
      run(observing("0:r0; x", "P0 ;\nmov r0, 0 ;\nL: ;\natom.add r1, x, 1 ;\nadd r0, r0, 1 ;\nbne r0, 5, L ;\n"), {},
          in_program_order);
  EXPECT_FALSE(counted.result.bounded);
  EXPECT_EQ(counted.outcomes, (Outcomes{"5 5"}));
  // One that leaves something behind is given up, and said so.
  const std::string counting = "P0 | P1 ;\nst x, 1 | L: ;\n | ld r0, x ;\n | add r1, r1, 1 ;\n | beq r0, 0, L ;\n";
  EXPECT_TRUE(run(observing("1:r1", counting)).result.bounded);
  const std::string storing = "P0 | P1 ;\nst x, 1 | L: ;\nld r0, y | ld r0, x ;\n | st y, 1 ;\n | beq r0, 0, L ;\n";
  EXPECT_TRUE(run(observing("1:r0", storing)).result.bounded);
  const std::string carrying = "P0 | P1 ;\nst x, 1 | L: ;\nst x, 2 | mov r1, r0 ;\n | ld r0, x ;\n | bne r0, 2, L ;\n";
  EXPECT_TRUE(run(observing("1:r1", carrying)).result.bounded);
  // A loop that never ends is bounded as well.
  const Enumerated endless = run(observing("x", "P0 ;\nL: ;\nst x, 1 ;\nb L ;\n"));
  EXPECT_TRUE(endless.result.bounded);
  EXPECT_TRUE(endless.outcomes.empty());
}

TEST(Enumerate, CompareAndSwap) {
  const std::string rows = "P0 | P1 ;\nst x, 1 | atom.cas.acqrel.failacq r0, x, 0, 5, r1 ;\n";
  const Enumerated result = run(observing("1:r0; 1:r1; x", rows), {}, in_program_order);
  EXPECT_EQ(result.outcomes, (Outcomes{"0 1 1", "1 0 1"}));
  ASSERT_EQ(result.frames.size(), 2u);
  for (const Frame& frame : result.frames) {
    const bool failed = frame.size() == 3;
    EXPECT_EQ(frame.events[2].order, litmus::Order::acquire);
    EXPECT_EQ(frame.events[2].rmw, !failed);
    EXPECT_EQ(frame.rmw.empty(), failed);
  }
  // The weak form may fail though the value is the expected one.
  const std::string weak = "P0 ;\natom.cas.weak r0, x, 0, 5, r1 ;\n";
  EXPECT_EQ(run(observing("0:r0; 0:r1; x", weak), {}, in_program_order).outcomes, (Outcomes{"0 0 0", "0 1 5"}));
}

TEST(Enumerate, WrappingIncrements) {
  auto after = [](const std::string& line, const std::string& initial) {
    return run(observing("x", "P0 ;\n" + line + " ;\n", "{ u32 x = " + initial + " }"), {}, in_program_order).outcomes;
  };
  EXPECT_EQ(after("atom.inc _, x, 3", "2"), (Outcomes{"3"}));
  EXPECT_EQ(after("atom.inc _, x, 3", "3"), (Outcomes{"0"}));
  EXPECT_EQ(after("atom.dec _, x, 3", "0"), (Outcomes{"3"}));
  EXPECT_EQ(after("atom.dec _, x, 3", "9"), (Outcomes{"3"}));
  EXPECT_EQ(after("atom.dec _, x, 3", "2"), (Outcomes{"1"}));
  EXPECT_EQ(after("atom.add _, x, 1", "0xffffffff"), (Outcomes{"0"}));
  EXPECT_EQ(after("atom.min _, x, 3", "0xffffffff"), (Outcomes{"3"}));
  EXPECT_EQ(after("atom.sub _, x, 1", "0"), (Outcomes{"4294967295"}));
}

TEST(Enumerate, Exclusives) {
  const std::string rows = "P0 ;\nld.ex r0, x ;\nadd r0, r0, 1 ;\nst.ex r1, x, r0 ;\n";
  const Enumerated result = run(observing("0:r1; x", rows), {}, in_program_order);
  EXPECT_EQ(result.outcomes, (Outcomes{"0 1", "1 0"}));
  ASSERT_EQ(result.frames.size(), 2u);
  const Frame& success = result.frames[result.frames[0].size() == 3 ? 0 : 1];
  EXPECT_EQ(pairs(success.rmw), (Pairs{{1, 2}}));
  EXPECT_TRUE(success.events[1].rmw);
  // Without a load-exclusive of the same location it fails.
  EXPECT_EQ(run(observing("0:r1; x", "P0 ;\nst.ex r1, x, 1 ;\n")).outcomes, (Outcomes{"1 0"}));
  EXPECT_EQ(run(observing("0:r1; x", "P0 ;\nld.ex r0, y ;\nst.ex r1, x, 1 ;\n")).outcomes, (Outcomes{"1 0"}));
  // A load-exclusive serves one store-exclusive.
  EXPECT_EQ(run(observing("0:r1; 0:r2", "P0 ;\nld.ex r0, x ;\nst.ex r1, x, 1 ;\nst.ex r2, x, 2 ;\n")).outcomes,
            (Outcomes{"0 1", "1 1"}));
}

TEST(Enumerate, Pointers) {
  const litmus::LitmusTest test =
      observing("1:r0; 1:r1", "P0 | P1 ;\nst y, 1 | ld.s64 r0, p ;\nst.s64 p, &y | ld r1, [r0] ;\n",
                "{ y; x = 5; p = &x; 1:s64 r0 }");
  const Enumerated result = run(test);
  EXPECT_TRUE(result.result.complete) << result.result.reason;
  EXPECT_EQ(result.outcomes, (Outcomes{"&x 5", "&y 0", "&y 1"}));
  ASSERT_EQ(result.frames.size(), 2u);
  for (const Frame& frame : result.frames) EXPECT_EQ(frame.addr.count(), 1u);
}

TEST(Enumerate, AddressesThatAreNowhereAreSaid) {
  const litmus::LitmusTest test = observing("1:r1", "P0 | P1 ;\nst x, 4 | ld r0, x ;\n | ld r1, y+r0 ;\n");
  const Enumerated result = run(test);
  EXPECT_FALSE(result.result.complete);
  EXPECT_EQ(result.result.reason, "P1 may access 4 bytes into 'y', which is outside every location");
  EXPECT_EQ(result.outcomes, (Outcomes{"0"}));
  // A branch that keeps the access from happening keeps it from being counted.
  const litmus::LitmusTest guarded =
      observing("1:r1", "P0 | P1 ;\nst x, 4 | ld r0, x ;\n | bne r0, 0, L ;\n | ld r1, y+r0 ;\n | L: ;\n");
  EXPECT_TRUE(run(guarded).result.complete);
}

TEST(Enumerate, Widths) {
  const std::string rows = "P0 ;\nst x, 0x80 ;\nld r0, x ;\n";
  const std::string initial = "{ s8 x; 0:s32 r0 }";
  EXPECT_EQ(run(observing("0:r0; x", rows, initial), {}, in_program_order).outcomes, (Outcomes{"-128 -128"}));
  const std::string wide = "{ u8 x; 0:s32 r0 }";
  EXPECT_EQ(run(observing("0:r0; x", rows, wide), {}, in_program_order).outcomes, (Outcomes{"128 128"}));
}

TEST(Enumerate, PartsOfALocation) {
  // Two halves that are never accessed together are two things.
  const std::string halves = "P0 | P1 ;\nst.s32 x, 1 | st.s32 x+4, 2 ;\n";
  const Enumerated result = run(observing("x", halves, "{ s64 x }"));
  EXPECT_TRUE(result.result.complete) << result.result.reason;
  EXPECT_EQ(result.outcomes, (Outcomes{"8589934593"}));
  // A narrow read of a wide write sees part of it.
  const std::string narrow = "P0 ;\nst x, 0x200000001 ;\nld.s32 r0, x+4 ;\n";
  EXPECT_EQ(run(observing("0:r0", narrow, "{ s64 x }"), {}, in_program_order).outcomes, (Outcomes{"2"}));
  // A wide read sees several narrow writes.
  const std::string wide = "P0 ;\nst.s32 x, 1 ;\nst.s16 x+6, -1 ;\nld r0, x ;\n";
  EXPECT_EQ(run(observing("0:r0; x", wide, "{ s64 x = 0x500000003; 0:s64 r0 }"), {}, in_program_order).outcomes,
            (Outcomes{"-281453501874175 -281453501874175"}));
}

TEST(Enumerate, AnAccessHasAPieceForEachCell) {
  const std::string rows = "P0 | P1 ;\nst x, 0x0403020100000201 | ld.u8 r0, x+1 ;\n | ld.s32 r1, x+4 ;\n";
  const Enumerated result = run(observing("1:r0; 1:r1", rows, "{ s64 x }"));
  const Frame& frame = result.frames[0];
  EXPECT_TRUE(frame.pieces);
  // Cells begin at 0, 1, 2 and 4. The store covers all of them, each load one.
  ASSERT_EQ(frame.size(), 4u + 4 + 2);
  for (EventId piece = 4; piece < 8; ++piece) {
    EXPECT_EQ(frame.events[piece].operation, frame.events[4].operation);
    EXPECT_EQ(frame.events[piece].position, 0u);
    EXPECT_EQ(frame.events[piece].access_size, 8);
    EXPECT_FALSE(frame.po.has(4, piece));
  }
  EXPECT_TRUE(frame.loc.has(5, 8));
  EXPECT_FALSE(frame.loc.has(4, 8));
  EXPECT_FALSE(frame.loc.has(8, 9));  // two parts of one location
  EXPECT_TRUE(frame.po.has(8, 9));
  EXPECT_EQ(result.outcomes, (Outcomes{"0 0", "0 67305985", "2 0", "2 67305985"}));
}

TEST(Enumerate, PartsOfAnAddressAreUnknown) {
  const std::string rows = "P0 | P1 ;\nst p, &x | ld.s32 r0, p ;\n";
  const Enumerated result = run(observing("1:r0", rows, "{ x; s64 p }"));
  EXPECT_FALSE(result.result.complete);
  EXPECT_EQ(result.result.reason,
            "some execution computes with an address, or with a part of one, in a way that has no meaning");
}

TEST(Enumerate, UnalignedAccessesAreUnknownExceptOnX86) {
  const std::string rows = "P0 ;\nst.s16 x+1, 1 ;\n";
  const Enumerated result = run(observing("x", rows));
  EXPECT_FALSE(result.result.complete);
  EXPECT_EQ(result.result.reason, "P0 may make an unaligned access of 2 bytes, at offset 1 of 'x'");
  litmus::LitmusTest on_x86 = observing("x", rows);
  on_x86.arch = litmus::Arch::x86_64;
  EXPECT_EQ(run(on_x86).outcomes, (Outcomes{"256"}));
}

TEST(Enumerate, AliasesShareMemory) {
  const Enumerated result =
      run(observing("0:r0; x", "P0 ;\nst x, 1 ;\nld.texture r0, t ;\n", "{ x; t @ texture aliases x }"), {},
          in_program_order);
  EXPECT_EQ(result.outcomes, (Outcomes{"1 1"}));
  const Frame& frame = result.frames[0];
  ASSERT_EQ(frame.size(), 3u);
  EXPECT_NE(*frame.events[1].location, *frame.events[2].location);
  EXPECT_EQ(frame.events[1].physical, frame.events[2].physical);
  EXPECT_TRUE(frame.loc.has(1, 2));
}

TEST(Enumerate, Barriers) {
  const Enumerated result = run(observing("x", "P0 | P1 ;\nst x, 1 | bar 3 ;\nbar 3 | ld r0, x ;\n"));
  const Frame& frame = result.frames[0];
  EXPECT_EQ(frame.events[2].kind, EventKind::barrier);
  EXPECT_EQ(frame.events[2].barrier_id, 3);
  EXPECT_EQ(frame.events[2].scope, litmus::Scope::workgroup);
  EXPECT_EQ(frame.events[3].barrier_id, 3);
}

// ---- budgets ----

TEST(Enumerate, BudgetsEndItWithAReason) {
  std::string rows = "P0 | P1 | P2 | P3 | P4 | P5 | P6 | P7 | P8 | P9 ;\n";
  for (int i = 1; i <= 10; ++i) rows += "st x, " + std::to_string(i) + (i == 10 ? " ;\n" : " | ");
  const litmus::LitmusTest test = observing("x", rows);
  Collector few;
  EnumerateResult result = enumerate(test, {.limits = {.candidates = 1000}}, few);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.reason, "gave up after 1000 candidate executions");
  EXPECT_EQ(result.candidates, 1000u);
  Collector quick;
  result = enumerate(test, {.limits = {.time = std::chrono::milliseconds(20)}}, quick);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.reason, "gave up after 20 ms");
}

TEST(Enumerate, SharedCandidatesAreSeenOnce) {
  const litmus::LitmusTest tests[] = {
      observing("x", "P0 | P1 | P2 | P3 | P4 ;\nst x, 1 | st x, 2 | st x, 3 | st x, 4 | st x, 5 ;\n"),
      observing("x",
                "P0 | P1 | P2 ;\natom.add r0, x, 1 | atom.add r0, x, 1 | atom.add r0, x, 1 ;\nld r1, x | ld r1, y | ld "
                "r1, x ;\n"),
      observing("1:r0; 1:r1", "P0 | P1 ;\nst x, 1 | ld r0, y ;\nst y, 1 | ld r1, x ;\n"),
  };
  for (const litmus::LitmusTest& test : tests) {
    const std::uint64_t all = run(test).result.candidates;
    // Taken in turns by one thread: what the first leaves, the second must find.
    std::atomic<std::uint64_t> share = 0;
    Collector first;
    EnumerateResult some = enumerate(test, {.limits = {.candidates = all / 3 + 1}, .share = &share}, first);
    std::atomic<std::uint64_t> alone = 0;
    Collector everything;
    EXPECT_EQ(enumerate(test, {.share = &alone}, everything).candidates, all);
    EXPECT_LE(some.candidates, all);
  }
}

}  // namespace
}  // namespace weakspot::model::enumerate_test
