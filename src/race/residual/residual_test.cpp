// SPDX-License-Identifier: MIT
#include "residual/residual.h"

#include <gtest/gtest.h>

namespace weakspot::residual::residual_test {
namespace {

Instruction load(std::uint32_t target, std::uint64_t address) {
  Instruction one{.kind = Kind::load, .target = target};
  one.address = address;
  one.size = 4;
  return one;
}
Instruction store(Operand value, std::uint64_t address) {
  Instruction one{.kind = Kind::store};
  one.operands = {value};
  one.address = address;
  one.size = 4;
  return one;
}
Instruction compute(Op op, std::uint32_t target, std::vector<Operand> operands) {
  Instruction one{.kind = Kind::compute, .op = op, .target = target};
  one.operands = std::move(operands);
  return one;
}
Instruction add_to(std::uint32_t target, std::uint64_t address, std::uint64_t by) {
  Instruction one{.kind = Kind::update, .op = Op::add, .target = target};
  one.operands = {known_operand(by)};
  one.address = address;
  one.size = 4;
  return one;
}
Instruction at(std::uint32_t label) { return {.kind = Kind::label, .label = label}; }
Instruction jump(std::uint32_t label) { return {.kind = Kind::jump, .label = label}; }
Instruction branch(Op op, std::vector<Operand> operands, std::uint32_t label) {
  Instruction one{.kind = Kind::branch, .op = op};
  one.operands = std::move(operands);
  one.label = label;
  return one;
}

TEST(Residual, ReadsBackWhatItWrites) {
  Residual residual;
  residual.kernel = "k(int*)";
  residual.launch.grid = {3, 1, 1};
  residual.arguments = {"x=int[1]"};
  residual.places = {{}, {"k.cu", 4, 2}};
  Thread thread{.block = 2, .number = 5, .widths = {32, 1}, .code = {load(0, 4096), {.kind = Kind::end}}};
  thread.code[0].strong = true;
  thread.code[0].order = 1;
  thread.code[0].scope = 2;
  thread.code[0].place = 1;
  residual.threads = {thread};
  residual.memory = {{.address = 4096, .size = 4, .name = "x", .bits = ~std::uint64_t{0}, .block = 1}};
  residual.stops = {{Stop::Kind::assertion, "x == 1", 1}};
  residual.named = {{{"x", 0}, "", 4096, 4}};
  const base::Result<Residual> back = from_json(to_json(residual));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->threads[0].code, thread.code);
  EXPECT_EQ(back->threads[0].widths, thread.widths);
  EXPECT_EQ(back->threads[0].block, 2u);
  EXPECT_EQ(back->memory[0].bits, ~std::uint64_t{0});
  EXPECT_EQ(back->memory[0].block, 1u);
  EXPECT_EQ(back->stops[0].what, "x == 1");
  EXPECT_EQ(back->places[1].line, 4u);
  EXPECT_EQ(back->named[0].address, 4096u);
  EXPECT_EQ(to_json(*back), to_json(residual));
}

TEST(Residual, RefusesRowsThatAreNotInstructions) {
  EXPECT_FALSE(from_json("[]").ok());
  EXPECT_FALSE(from_json(R"({"threads": [{"code": [[99, 0, 0]]}]})").ok());
}

TEST(Residual, TidyingFollowsCopiesAndDropsWhatNobodyReads) {
  Thread thread{.widths = {32, 64, 32, 1}};
  // A value that is widened and cut back, a comparison that is only branched on, and jumps to the next line.
  thread.code = {at(0),
                 load(0, 4096),
                 compute(Op::mov, 1, {register_operand(0)}),
                 compute(Op::mov, 2, {register_operand(1)}),
                 compute(Op::eq, 3, {register_operand(2), known_operand(0)}),
                 branch(Op::ne, {register_operand(3), known_operand(0)}, 1),
                 jump(2),
                 at(1),
                 jump(0),
                 at(2),
                 {.kind = Kind::end}};
  tidy(thread);
  const std::vector<Instruction> expected = {
      at(0), load(0, 4096), branch(Op::eq, {register_operand(0), known_operand(0)}, 0), {.kind = Kind::end}};
  EXPECT_EQ(thread.code, expected);
}

TEST(Residual, TidyingNumbersWhatIsLeft) {
  Thread a{.widths = {32, 32, 64, 8}}, b{.widths = {8}};
  a.code = {at(7), load(3, 4096), branch(Op::eq, {register_operand(3), known_operand(0)}, 7), {.kind = Kind::end}};
  b.code = {at(0), load(0, 4096), branch(Op::eq, {register_operand(0), known_operand(0)}, 0), {.kind = Kind::end}};
  tidy(a);
  EXPECT_EQ(a.code, b.code);
  EXPECT_EQ(a.widths, b.widths);
}

TEST(Residual, CountsBarriersOnAllWays) {
  Thread thread{.widths = {32}};
  const Instruction barrier{.kind = Kind::barrier, .op = Op::add};
  const Instruction end{.kind = Kind::end};
  const Instruction test = branch(Op::eq, {register_operand(0), known_operand(0)}, 1);
  thread.code = {load(0, 4096), test, barrier, end, at(1), barrier, end};
  EXPECT_EQ(waits_of(thread), (Waits{1, 0}));
  thread.code = {load(0, 4096), test, barrier, at(1), end};
  EXPECT_EQ(waits_of(thread), std::nullopt);
  thread.code = {at(1), barrier, load(0, 4096), test, end};
  EXPECT_EQ(waits_of(thread), std::nullopt);
}

TEST(Residual, TidyingKeepsACopyWhoseSourceChanges) {
  Thread thread{.widths = {32, 32}};
  thread.code = {load(0, 4096),
                 compute(Op::mov, 1, {register_operand(0)}),
                 load(0, 4100),
                 store(register_operand(1), 4104),
                 store(register_operand(0), 4108),
                 {.kind = Kind::end}};
  const std::vector<Instruction> before = thread.code;
  tidy(thread);
  EXPECT_EQ(thread.code, before);
}

TEST(Residual, ComputesInTheWidthOfTheValue) {
  EXPECT_EQ(result_of_op(Op::add, 8, 0xff, 2), 1u);
  EXPECT_EQ(result_of_op(Op::less, 32, 0xffffffff, 1), 0u);
  EXPECT_EQ(result_of_op(Op::less_signed, 32, 0xffffffff, 1), 1u);
  EXPECT_EQ(result_of_op(Op::shift_right_signed, 16, 0x8000, 15), 0xffffu);
  EXPECT_EQ(result_of_op(Op::increment, 32, 3, 3), 0u);
  EXPECT_EQ(result_of_op(Op::decrement, 32, 0, 7), 7u);
}

TEST(Residual, ListsTheValuesOfATicket) {
  // Two threads draw a number, and each stores it plus one elsewhere.
  Thread thread{.widths = {32, 32}};
  thread.code = {add_to(0, 4096, 1),
                 compute(Op::add, 1, {register_operand(0), known_operand(1)}),
                 store(register_operand(1), 4100),
                 {.kind = Kind::end}};
  const Domains initial = {{{4096, 4}, std::set<std::uint64_t>{0}}, {{4100, 4}, std::set<std::uint64_t>{0}}};
  const Domains values = memory_values({thread, thread}, initial);
  EXPECT_EQ(values.at({4096, 4}), (std::set<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(values.at({4100, 4}), (std::set<std::uint64_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace weakspot::residual::residual_test
