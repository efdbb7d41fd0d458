// SPDX-License-Identifier: MIT
#include "model/cat/predefined.h"

#include <gtest/gtest.h>

#include <set>

#include "model/relation/relation.h"
#include "support/frames.h"

namespace weakspot::model::predefined_test {
namespace {

using tests::frame_of;
using tests::TestFrame;

// The events of a set as "thread.position", initial writes by the name of their location.
std::string label(const TestFrame& test, EventId id) {
  const Event& event = test.frame.events[id];
  if (!event.thread) return test.test->locations[event.location->index].name;
  return std::to_string(event.thread->index) + "." + std::to_string(event.position);
}

std::string members(const TestFrame& test, std::string_view name) {
  const auto index = find_predefined(name);
  if (!index || predefined(*index).kind != PredefinedKind::set) return "no such set";
  EventSet set(test.frame.size());
  if (!predefined(*index).always_empty) fill_predefined_set(predefined(*index).index, test.frame, set.words());
  std::string text;
  set.for_each([&](EventId id) { text += (text.empty() ? "" : " ") + label(test, id); });
  return text;
}

std::string pairs(const TestFrame& test, std::string_view name) {
  const auto index = find_predefined(name);
  if (!index || predefined(*index).kind != PredefinedKind::relation) return "no such relation";
  Relation relation(test.frame.size());
  if (!predefined(*index).always_empty) {
    fill_predefined_relation(predefined(*index).index, test.frame, relation.words());
  }
  std::string text;
  relation.for_each(
      [&](EventId a, EventId b) { text += (text.empty() ? "" : " ") + label(test, a) + ">" + label(test, b); });
  return text;
}

TEST(Predefined, KindsAndOrders) {
  const TestFrame test = frame_of(
      "weakspot t\nArch=c\n P0 | P1 ;\n st.na x, 1 | ld.acq r0, y ;\n st.rel y, 1 | ld.con r1, y ;\n"
      " atom.add.acqrel r0, y, 1 | fence.acq ;\n st.sc y, 2 | fence ;\n");
  EXPECT_EQ(members(test, "IW"), "x y");
  EXPECT_EQ(members(test, "R"), "0.2 1.0 1.1");
  EXPECT_EQ(members(test, "W"), "x y 0.0 0.1 0.3 0.4");
  EXPECT_EQ(members(test, "M"), "x y 0.0 0.1 0.2 0.3 0.4 1.0 1.1");
  EXPECT_EQ(members(test, "F"), "1.2 1.3");
  EXPECT_EQ(members(test, "RMW"), "0.2 0.3");
  EXPECT_EQ(members(test, "NA"), "0.0");
  EXPECT_EQ(members(test, "A"), "0.1 0.2 0.3 0.4 1.0 1.1");
  EXPECT_EQ(members(test, "ACQ"), "0.2 1.0 1.2");
  EXPECT_EQ(members(test, "REL"), "0.1 0.3");
  EXPECT_EQ(members(test, "CON"), "1.1");
  EXPECT_EQ(members(test, "SC"), "0.4 1.3");
  EXPECT_EQ(members(test, "ACQ_REL"), "");
  EXPECT_EQ(members(test, "NAL"), "x 0.0");
  EXPECT_EQ(members(test, "PTE"), "");
  EXPECT_EQ(pairs(test, "rmw"), "0.2>0.3");
  EXPECT_EQ(pairs(test, "amo"), "0.2>0.3");
  EXPECT_EQ(pairs(test, "lxsx"), "");
}

TEST(Predefined, WhatIsThrownAwayIsNotAcquired) {
  const std::string body = " P0 ;\n atom.exch.acq r1, x, 1 ;\n  atom.exch.acqrel _, x, 1 ;\n";
  const TestFrame test = frame_of("weakspot t\nArch=aarch64\n" + body);
  EXPECT_EQ(members(test, "A"), "0.0");
  EXPECT_EQ(members(test, "L"), "0.3");
  EXPECT_EQ(members(test, "NoRet"), "0.2");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=c\n" + body), "A"), "0.0 0.1 0.2 0.3");
}

// Through registers, through the memory of the thread, and within an addition; an exchange hands nothing on.
TEST(Predefined, PicksGoOnAfterDependencies) {
  const TestFrame test = frame_of(
      "weakspot t\nArch=aarch64\n{ x; y; z; }\n P0 ;\n ld r0, x ;\n st y, r0 ;\n ld r1, y ;\n st z, r1 ;\n"
      " atom.exch r2, z, 1 ;\n atom.add r3, z, 1 ;\n");
  EXPECT_EQ(pairs(test, "data"), "0.0>0.1 0.2>0.3");
  EXPECT_EQ(pairs(test, "pick-data-dep"), "0.0>0.1 0.0>0.3 0.2>0.3");
  EXPECT_EQ(pairs(test, "pick-basic-dep"), "0.0>0.1 0.0>0.2 0.0>0.3 0.0>0.4 0.2>0.3 0.2>0.4 0.6>0.7");
  EXPECT_EQ(pairs(test, "pick-addr-dep"), "");
  EXPECT_EQ(pairs(test, "pick-ctrl-dep"), "");
}

TEST(Predefined, OneNameTwoMeanings) {
  const std::string body = " P0 ;\n ld.acq r0, x ;\n atom.exch.acq r1, x, 1 ;\n fence ;\n st.rel x, 2 ;\n";
  EXPECT_EQ(members(frame_of("weakspot t\nArch=aarch64\n" + body), "A"), "0.0 0.1");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=aarch64\n" + body), "L"), "0.4");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=x86-64\n" + body), "A"), "0.1 0.2");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=c\n" + body), "A"), "0.0 0.1 0.2 0.4");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=c\n" + body), "ACQ_REL"), "");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=ptx\n" + body), "ACQ_REL"), "0.3");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=ptx\n" + body), "SC"), "0.3");
}

// One operation, a load and a store: fences must not tell its halves apart.
TEST(Predefined, AtomicOperationsOfRiscvAreLoadsAndStores) {
  const std::string body = " P0 ;\n ld r0, x ;\n atom.exch r1, x, 1 ;\n st x, 2 ;\n";
  const TestFrame test = frame_of("weakspot t\nArch=riscv\n" + body);
  EXPECT_EQ(members(test, "R"), "0.0 0.1");
  EXPECT_EQ(members(test, "R-or-AMO"), "0.0 0.1 0.2");
  EXPECT_EQ(members(test, "W-or-AMO"), "x 0.1 0.2 0.3");
  EXPECT_EQ(members(test, "AMO"), "0.1 0.2");
  EXPECT_EQ(members(test, "X"), "0.1 0.2");
  EXPECT_EQ(members(frame_of("weakspot t\nArch=aarch64\n" + body), "AMO"), "");
}

TEST(Predefined, Fences) {
  const TestFrame arm =
      frame_of("weakspot t\nArch=aarch64\n P0 ;\n dmb.sy ;\n dmb.ishld ;\n dsb.st ;\n isb ;\n st x, 1 ;\n");
  EXPECT_EQ(members(arm, "DMB.SY"), "0.0");
  EXPECT_EQ(members(arm, "DMB.ISHLD"), "0.1");
  EXPECT_EQ(members(arm, "DSB.ST"), "0.2");
  EXPECT_EQ(members(arm, "ISB"), "0.3");
  const TestFrame x86 = frame_of("weakspot t\nArch=x86-64\n P0 ;\n mfence ;\n lfence ;\n sfence ;\n st x, 1 ;\n");
  EXPECT_EQ(members(x86, "MFENCE") + members(x86, "LFENCE") + members(x86, "SFENCE"), "0.00.10.2");
  const TestFrame ptx = frame_of(
      "weakspot t\nArch=ptx-2015\n P0 ;\n st.na x, 1 ;\n membar.wg ;\n st.na x, 2 ;\n membar.dev ;\n st.na x, 3 ;\n");
  EXPECT_EQ(pairs(ptx, "membar.cta"), "0.0>0.2 0.0>0.3 0.0>0.4");
  EXPECT_EQ(pairs(ptx, "membar.gl"), "0.0>0.4 0.1>0.4 0.2>0.4");
  EXPECT_EQ(pairs(ptx, "membar.sys"), "");
  EXPECT_EQ(members(ptx, "MEMBAR.CTA"), "0.1");
}

TEST(Predefined, Scopes) {
  const TestFrame test = frame_of(
      "weakspot t\nArch=ptx\n P0 | P1 | P2 ;\n st.wg x, 1 | ld.wg r0, x | ld.dev r0, x ;\n st.na x, 2 | fence.sys | ;\n"
      "scopes (wg P0 P1) (wg P2)\n");
  EXPECT_EQ(members(test, "CTA"), "0.0 1.0");
  EXPECT_EQ(members(test, "GPU"), "2.0");
  EXPECT_EQ(members(test, "SYS"), "1.1");
  EXPECT_EQ(members(test, "WEAK"), "0.1");
  EXPECT_EQ(members(test, "WI"), "0.1");
  // The weak store has no scope; P2 is outside the workgroup that P0 and P1 name.
  EXPECT_EQ(pairs(test, "sr"),
            "0.0>0.0 0.0>1.0 0.0>1.1 1.0>0.0 1.0>1.0 1.0>1.1 1.1>0.0 1.1>1.0 1.1>1.1 1.1>2.0 2.0>1.1 2.0>2.0");
  EXPECT_EQ(pairs(test, "scta"), pairs(test, "swg"));
  EXPECT_NE(pairs(test, "scta"), pairs(test, "sgpu"));
}

TEST(Predefined, IntAndExt) {
  const TestFrame test = frame_of("weakspot t\n P0 | P1 ;\n st x, 1 | ld r0, x ;\n");
  EXPECT_EQ(pairs(test, "int"), "0.0>0.0 1.0>1.0");
  EXPECT_EQ(pairs(test, "ext"), "x>0.0 x>1.0 0.0>x 0.0>1.0 1.0>x 1.0>0.0");
  EXPECT_EQ(pairs(test, "id"), "x>x 0.0>0.0 1.0>1.0");
}

TEST(Predefined, Barriers) {
  const TestFrame test = frame_of(
      "weakspot t\n P0 | P1 | P2 ;\n bar 0 | bar 0 | bar 0 ;\n st x, 1 | ld r0, x | bar 1 ;\n bar 0 | bar 0 | ;\n"
      "scopes (wg P0 P1) (wg P2)\n");
  EXPECT_EQ(pairs(test, "syncbar"), "0.0>0.0 0.0>1.0 0.2>0.2 0.2>1.2 1.0>0.0 1.0>1.0 1.2>0.2 1.2>1.2 2.0>2.0 2.1>2.1");
}

TEST(Predefined, NamedBarriersAndQuorums) {
  const TestFrame named =
      frame_of("weakspot t\n P0 | P1 | P2 ;\n bar 0, 1 | bar 0, 1 | bar 0, 2 ;\nscopes (wg P0 P1 P2)\n");
  EXPECT_EQ(pairs(named, "syncbar"), "0.0>0.0 0.0>1.0 1.0>0.0 1.0>1.0 2.0>2.0");
  // Three threads come where two are waited for: nobody sees what the late one did.
  TestFrame quorum =
      frame_of("weakspot t\n P0 | P1 | P2 ;\n bar 0, 1, 2 | bar 0, 1, 2 | bar 0, 1, 2 ;\nscopes (wg P0 P1 P2)\n");
  quorum.frame.events[quorum.event(1, 0)].late = true;
  EXPECT_EQ(pairs(quorum, "syncbar"), "0.0>0.0 0.0>1.0 0.0>2.0 2.0>0.0 2.0>1.0 2.0>2.0");
}

TEST(Predefined, Vulkan) {
  const TestFrame test = frame_of(
      "weakspot t\nArch=vulkan\n P0 ;\n st.rel.sc0.semsc0 x, 1 ;\n st.na.nonpriv.sc1 y, 1 ;\n ld.sc0 r0, x ;\n");
  EXPECT_EQ(members(test, "ATOM"), "0.0 0.2");
  EXPECT_EQ(members(test, "SC0"), "0.0 0.2");
  EXPECT_EQ(members(test, "SC1"), "0.1");
  EXPECT_EQ(members(test, "SEMSC0"), "0.0");
  EXPECT_EQ(members(test, "NONPRIV"), "0.0 0.1 0.2");
  EXPECT_EQ(members(test, "AV"), "0.0");
  EXPECT_EQ(members(test, "VIS"), "0.2");
}

TEST(Predefined, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (std::uint32_t i = 0; i < predefined_count(); ++i) {
    EXPECT_TRUE(names.insert(predefined(i).name).second) << predefined(i).name;
    EXPECT_EQ(find_predefined(predefined(i).name), i);
  }
  EXPECT_FALSE(find_predefined("no-such-name"));
  EXPECT_FALSE(find_predefined(""));
}

}  // namespace
}  // namespace weakspot::model::predefined_test
