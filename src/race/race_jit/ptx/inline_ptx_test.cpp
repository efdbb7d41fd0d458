// SPDX-License-Identifier: MIT
#include "race_jit/ptx/inline_ptx.h"

#include <gtest/gtest.h>

namespace weakspot::race_jit {
namespace {

std::string show_operands(const std::vector<PtxOperand>& operands) {
  std::string text;
  for (const PtxOperand& operand : operands) {
    const std::string base = operand.base_is_name ? operand.name : "a" + std::to_string(operand.index);
    switch (operand.kind) {
      case PtxOperand::Kind::assembly:
        text += " a" + std::to_string(operand.index);
        break;
      case PtxOperand::Kind::name:
        text += " " + operand.name;
        break;
      case PtxOperand::Kind::number:
        text += " " + std::to_string(operand.number);
        break;
      case PtxOperand::Kind::real:
        text += " " + std::to_string(operand.real);
        break;
      case PtxOperand::Kind::address:
        text += " [" + base + "+" + std::to_string(operand.number) + "]";
        if (!operand.elements.empty()) text += " at {" + show_operands(operand.elements).substr(1) + "}";
        break;
      case PtxOperand::Kind::vector:
        text += " {" + show_operands(operand.elements).substr(1) + "}";
        break;
    }
  }
  return text;
}

// "@p ld.acquire.gpu.u32 a0 [a1+4]"
std::string show(const PtxInstruction& instruction) {
  std::string text = instruction.guard.empty() ? "" : "@" + instruction.guard + " ";
  for (std::size_t i = 0; i < instruction.opcode.size(); ++i) text += (i == 0 ? "" : ".") + instruction.opcode[i];
  return text + show_operands(instruction.operands);
}

std::string show(std::string_view text) {
  const auto instructions = parse_inline_ptx(text);
  if (!instructions) return "not understood";
  std::string all;
  for (const PtxInstruction& instruction : *instructions) all += (all.empty() ? "" : "; ") + show(instruction);
  return all;
}

TEST(InlinePtx, Instructions) {
  struct Case {
    const char* text;
    const char* read;
  };
  for (const Case& c : {
           Case{"bar.sync 1, 64;", "bar.sync 1 64"},
           Case{"  barrier.sync\t$0;  // all of them\n", "barrier.sync a0"},
           Case{"cp.async.bulk.tensor.2d [$0], [$1, {$2, 7}], [$3];",
                "cp.async.bulk.tensor.2d [a0+0] [a1+0] at {a2 7} [a3+0]"},
           Case{"ld.acquire.gpu.global.u32 $0, [$1];", "ld.acquire.gpu.global.u32 a0 [a1+0]"},
           Case{"st.release.cta.b32 [$0+8], $1;", "st.release.cta.b32 [a0+8] a1"},
           Case{"membar.gl;", "membar.gl"},
           Case{"/* x */ fence.acq_rel.gpu;", "fence.acq_rel.gpu"},
           Case{"mov.u32 $0, %laneid;", "mov.u32 a0 %laneid"},
           Case{"shfl.sync.down.b32 $0|p, $1, $2, 0x1f, -1;", "shfl.sync.down.b32 a0 p a1 a2 31 -1"},
           Case{"{ .reg .pred p; setp.ne.u32 p, $1, 0; @!p trap; }", "setp.ne.u32 p a1 0; @!p trap"},
           Case{"atom.add.u32 $0, [x], ${1:r};", "atom.add.u32 a0 [x+0] a1"},
           Case{"", ""},
           Case{"ld.v2.u32 {$0, $1}, [$2];", "ld.v2.u32 {a0 a1} [a2+0]"},
           Case{"setp.ge.f32 p, $1, -0.5;", "setp.ge.f32 p a1 -0.500000"},
           Case{"mov.f32 $0, 0f3F800000;", "mov.f32 a0 1065353216"},
           Case{"mul.f64 $0, $1, 1.5e3;", "mul.f64 a0 a1 1500.000000"},
           Case{"{ mov.b32 $0, {0,$1};}", "mov.b32 a0 {0 a1}"},
           Case{"cp.async.ca.shared.global [$0], [$1], 16, $2;", "cp.async.ca.shared.global [a0+0] [a1+0] 16 a2"},
           Case{"ld.u32 $0, [$1 + x];", "not understood"},
       }) {
    EXPECT_EQ(show(c.text), c.read) << c.text;
  }
}

TEST(InlinePtx, Types) {
  auto size = [](const char* text) { return ptx_type_size(parse_inline_ptx(text)->front()); };
  EXPECT_EQ(size("ld.acquire.gpu.u32 $0, [$1];"), 4u);
  EXPECT_EQ(size("st.relaxed.sys.b64 [$0], $1;"), 8u);
  EXPECT_EQ(size("atom.add.f32 $0, [$1], $2;"), 4u);
  EXPECT_EQ(size("atom.cas.b16 $0, [$1], $2, $3;"), 2u);
  EXPECT_EQ(size("bar.sync 0;"), 0u);
}

TEST(InlinePtx, WordsOfTheName) {
  const PtxInstruction instruction = parse_inline_ptx("ld.acquire.gpu.u32 $0, [$1];")->front();
  EXPECT_TRUE(instruction.has("acquire"));
  EXPECT_FALSE(instruction.has("ld"));
  EXPECT_FALSE(instruction.has("cta"));
}

}  // namespace
}  // namespace weakspot::race_jit
