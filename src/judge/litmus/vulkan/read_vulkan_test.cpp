// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "litmus/dialect.h"
#include "litmus/instruction.h"
#include "support/read_one.h"

namespace weakspot::litmus::read_vulkan_test {
namespace {

using tests::read_one;

base::Result<std::vector<LitmusTest>> read(const std::string& text) { return read_tests(base::Source("test", text)); }

// A test of one thread with one instruction.
std::string with(const std::string& instruction) {
  return "Vulkan t\n{ x=0; y=0; }\n P0@sg 0, wg 0, qf 0 ;\n " + instruction + " ;\nexists (x=0)\n";
}

template <typename Op>
Op only(const std::string& instruction) {
  const LitmusTest test = read_one(with(instruction));
  if (test.threads.empty() || test.threads[0].instructions.empty()) return {};
  return std::get<Op>(test.threads[0].instructions[0].operation);
}

TEST(ReadVulkan, NonAtomicAccesses) {
  const Access plain = only<Store>("st.sc0 x, 1").access;
  EXPECT_EQ(plain.order, Order::plain);
  EXPECT_EQ(plain.space, Space::storage0);
  EXPECT_TRUE(plain.tags.empty());
  EXPECT_EQ(plain.scope, Scope::device);

  EXPECT_EQ(only<Store>("st.nonpriv.sc1 x, 1").access.tags, Tags{Tag::non_private});

  const Access available = only<Store>("st.av.wg.sc2 x, 1").access;
  EXPECT_EQ(available.tags, (Tags{Tag::available, Tag::non_private}));
  EXPECT_EQ(available.scope, Scope::workgroup);
  EXPECT_EQ(available.space, Space::storage2);

  const Access visible = only<Load>("ld.vis.qf.sc3 r0, x").access;
  EXPECT_EQ(visible.tags, (Tags{Tag::visible, Tag::non_private}));
  EXPECT_EQ(visible.scope, Scope::queue_family);
  EXPECT_EQ(visible.space, Space::storage3);
}

TEST(ReadVulkan, AtomicAccesses) {
  const Access relaxed = only<Load>("ld.atom.sg.sc0 r0, x").access;
  EXPECT_EQ(relaxed.order, Order::relaxed);
  EXPECT_EQ(relaxed.scope, Scope::subgroup);

  const Access acquire = only<Load>("ld.atom.acq.wg.sc1.semsc0.semsc1.semvis r0, x").access;
  EXPECT_EQ(acquire.order, Order::acquire);
  EXPECT_EQ(acquire.space, Space::storage1);
  EXPECT_EQ(acquire.semantics, (Spaces{Space::storage0, Space::storage1}));
  EXPECT_EQ(acquire.tags, Tags{Tag::visible});
  EXPECT_EQ(only<Load>("ld.atom.acq.wg.sc1.semsc01.semvis r0, x").access, acquire);

  const Rmw add = only<Rmw>("rmw.atom.acq_rel.dv.sc0.semsc0.semav.semvis.add r1, x, 2");
  EXPECT_EQ(add.op, RmwOp::add);
  EXPECT_EQ(add.access.order, Order::acq_rel);
  EXPECT_EQ(add.access.tags, (Tags{Tag::available, Tag::visible}));
  EXPECT_EQ(add.operand, Operand(integer(2)));
  EXPECT_EQ(only<Rmw>("rmw.atom.wg.sc0 r1, x, 2").op, RmwOp::exch);
}

TEST(ReadVulkan, Barriers) {
  const Fence fence = only<Fence>("membar.rel.qf.semsc0.semsc2.semav");
  EXPECT_EQ(fence.kind, FenceKind::order);
  EXPECT_EQ(fence.order, Order::release);
  EXPECT_EQ(fence.scope, Scope::queue_family);
  EXPECT_EQ(fence.semantics, (Spaces{Space::storage0, Space::storage2}));
  EXPECT_EQ(fence.tags, Tags{Tag::available});
  EXPECT_EQ(only<Fence>("avdevice").kind, FenceKind::av_device);
  EXPECT_EQ(only<Fence>("visdevice").kind, FenceKind::vis_device);

  // The scope is that of the memory semantics; threads of a workgroup meet.
  const Barrier barrier = only<Barrier>("cbar.acq_rel.dv.semsc0 7, 1, 3");
  EXPECT_EQ(barrier.scope, Scope::workgroup);
  EXPECT_EQ(barrier.memory_scope, Scope::device);
  EXPECT_EQ(barrier.order, Order::acq_rel);
  EXPECT_EQ(barrier.id, Operand(integer(7)));
  EXPECT_EQ(barrier.name, Operand(integer(1)));
  EXPECT_EQ(barrier.quorum, Operand(integer(3)));
  EXPECT_EQ(only<Barrier>("cbar.sg 1").order, Order::plain);
  EXPECT_EQ(only<Barrier>("cbar.sg 1").memory_scope, Scope::subgroup);
}

TEST(ReadVulkan, LocalInstructions) {
  const LitmusTest test = read_one(
      "Vulkan t\n{ x=0; }\n P0@sg 0, wg 0, qf 0 ;\n LC00: ;\n ld.atom.dv.sc0 r0, x ;\n add r1, r0, 5 ;\n"
      " bge r1, 6, LC01 ;\n goto LC00 ;\n LC01: ;\nexists (P0:r1 == 6)\n");
  const std::vector<Instruction>& code = test.threads[0].instructions;
  ASSERT_EQ(code.size(), 6u);
  EXPECT_EQ(std::get<Label>(code[0].operation).name, "LC00");
  EXPECT_EQ(std::get<Compute>(code[2].operation).op, ComputeOp::add);
  EXPECT_EQ(std::get<Branch>(code[3].operation).condition->op, CompareOp::ge);
  EXPECT_FALSE(std::get<Branch>(code[4].operation).condition);
}

TEST(ReadVulkan, PlacementAndSystemSynchronizes) {
  const char* const kBlock =
      "VULKAN t\n{ x=0; }\n{ ssw 0 1; ssw P1 P0 }\n P0@sg 0, wg 0, qf 0 | P1@sg 0,wg 1, qf 0 ;\nexists (x=0)\n";
  const char* const kInline =
      "Vulkan t\n{ x=0; };\n P0@sg 0, wg 0, qf 0, ssw 1 | P1@sg 0,wg 1, qf 0, ssw 0 ;\nexists (x=0)\n";
  const LitmusTest test = read_one(kBlock);
  EXPECT_EQ(test, read_one(kInline));
  ASSERT_TRUE(test.scopes);
  EXPECT_FALSE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::workgroup));
  EXPECT_TRUE(test.scopes->together(ThreadId{0}, ThreadId{1}, Scope::queue_family));
  EXPECT_EQ(test.scopes->system_synchronizes.size(), 2u);
}

TEST(ReadVulkan, AliasesAndInitialValues) {
  const LitmusTest test = read_one(
      "Vulkan t\n{ x=3; z aliases x; P0:r0=5; p=&x; }\n P0@sg 0, wg 0, qf 0 ;\n st.sc0 z, r0 ;\nexists (z=5)\n");
  EXPECT_EQ(test[*test.find_location("x")].initial, integer(3));
  EXPECT_EQ(test[*test.find_location("z")].alias_of, test.find_location("x"));
  EXPECT_EQ(test[*test.find_location("p")].initial, address_of(*test.find_location("x")));
  EXPECT_EQ(std::get<Store>(test.threads[0].instructions[0].operation).value, Operand(integer(5)));
}

TEST(ReadVulkan, TheConditionMayBeMissingAtTheEnd) {
  const LitmusTest test = read_one("Vulkan t\n{ x=0; }\n P0@sg 0, wg 0, qf 0 ;\nfilter (x == 1)\n");
  EXPECT_EQ(test.condition.quantifier, Condition::Quantifier::forall);
  EXPECT_EQ(test.condition.proposition.kind, Proposition::Kind::truth);
  EXPECT_TRUE(test.filter);
  EXPECT_EQ(read_one(*print(test, Dialect::vulkan)), test);
  base::Result<std::vector<LitmusTest>> typo = read("Vulkan t\n{ x=0; }\n P0@sg 0, wg 0, qf 0 ;\nexist (x == 1)\n");
  ASSERT_FALSE(typo);
}

TEST(ReadVulkan, Mistakes) {
  const struct {
    const char* instruction;
    const char* message;
  } kCases[] = {
      {"mov r0, 1", "unknown instruction 'mov'"},
      {"st.atom.acq.dv.sc0.semsc0 x, 1", "a store must be '.rel' or have no order"},
      {"ld.atom.rel.dv.sc0.semsc0 r0, x", "a load must be '.acq' or have no order"},
      {"st.atom.rel.dv.sc0 x, 1", "an acquire or release must name its storage classes, such as '.semsc0'"},
      {"st.atom.dv.sc0.semsc0 x, 1", "storage-class semantics need an order: .acq, .rel or .acq_rel"},
      {"st.atom.rel.dv.sc0.semsc0.semvis x, 1", "'.semvis' is for acquires only"},
      {"ld.atom.acq.dv.sc0.semsc0.semav r0, x", "'.semav' is for releases only"},
      {"st.atom.sc0 x, 1", "expected a scope: .sg, .wg, .qf or .dv"},
      {"st.atom.dv x, 1", "expected a storage class: .sc0, .sc1, .sc2 or .sc3"},
      {"st.atom.av.dv.sc0 x, 1", "'.av', '.vis' and '.nonpriv' are for non-atomic accesses only"},
      {"st.rel.dv.sc0.semsc0 x, 1", "orders and their semantics are for atomic accesses; expected '.atom'"},
      {"st.vis.dv.sc0 x, 1", "a store cannot be made visible; expected '.av'"},
      {"ld.av.dv.sc0 r0, x", "a load cannot be made available; expected '.vis'"},
      {"st.dv.sc0 x, 1", "a non-atomic access has a scope only with '.av'"},
      {"rmw.dv.sc0 r0, x, 1", "a read-modify-write must be atomic; expected 'rmw.atom'"},
      {"rmw.atom.dv.sc0.mul r0, x, 1", "unknown suffix '.mul' of 'rmw'"},
      {"st.sc0.sc1 x, 1", "'.sc1' repeats or contradicts another suffix"},
      {"membar.acq.dv.semsc0.semsc0", "'.semsc0' repeats or contradicts another suffix"},
      {"membar.acq.dv.semsc4", "unknown storage class in '.semsc4'; expected 0 to 3"},
      {"membar.dv", "a memory barrier needs an order: .acq, .rel or .acq_rel"},
      {"cbar.wg r0", "expected the barrier's number, found 'r0'"},
      {"st.sc0 x, y", "expected a register such as r0, found 'y'"},
      {"ld.sc0 q, x", "expected a register such as r0, found 'q'"},
      {"ld.sc0 r0, 5", "expected a location, found '5'"},
      {"goto LC00", "this thread has no label 'LC00'"},
  };
  for (const auto& [instruction, message] : kCases) {
    base::Result<std::vector<LitmusTest>> tests = read(with(instruction));
    ASSERT_FALSE(tests) << instruction;
    EXPECT_EQ(tests.errors().size(), 1u) << instruction;
    EXPECT_EQ(tests.errors()[0].message, message) << instruction;
  }
}

TEST(ReadVulkan, AllMistakesAreReported) {
  base::Result<std::vector<LitmusTest>> tests = read(
      "Vulkan t\n{ x=0; P0:q=1; }\n{ ssw 0 7; sws 1 }\n P0@sg 0, wg 0, qf 0 ;\n fly ;\n st.sc0 x 1 ;\nexists (x=0)\n");
  ASSERT_FALSE(tests);
  std::vector<std::string> messages;
  for (const base::Diagnostic& error : tests.errors()) messages.push_back(error.message);
  EXPECT_EQ(messages,
            (std::vector<std::string>{"'q' is not a register", "expected 'ssw' before two threads, found 'sws'",
                                      "unknown instruction 'fly'", "expected ',' between operands, found '1'"}));
}

}  // namespace
}  // namespace weakspot::litmus::read_vulkan_test
