// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "race/ptx_text.h"

namespace weakspot::race::ptx::module_reader_test {
namespace {

const std::string kHead = ".version 8.7\n.target sm_90a\n.address_size 64\n";

Module read(const std::string& text) {
  base::Result<Module> module = read_module(base::Source("k.ptx", kHead + text));
  EXPECT_TRUE(module.ok()) << base::render(module.errors());
  return module ? *module : Module();
}

std::string errors_of(const std::string& text) {
  base::Result<Module> module = read_module(base::Source("k.ptx", text));
  return module ? "none" : base::render(module.errors());
}

// The body of a kernel that is alone in its module.
Function body(const std::string& text) {
  Module module = read(".entry k() {\n" + text + "\n}\n");
  return module.functions.empty() ? Function() : module.functions.front();
}

TEST(PtxModule, HasVersionTargetAndFunctions) {
  const Module module = read(
      ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
      ".visible .entry k(.param .u64 .ptr .global .align 1 k_param_0, .param .align 8 .b8 k_param_1[24])\n"
      ".reqntid 128, 2\n.explicitcluster .reqnctapercluster 4\n{\n ret;\n}\n");
  EXPECT_EQ(module.version_major, 8u);
  EXPECT_EQ(module.version_minor, 7u);
  EXPECT_EQ(module.target, std::vector<std::string>{"sm_90a"});
  ASSERT_EQ(module.functions.size(), 2u);
  const Function& declared = module.functions[0];
  EXPECT_FALSE(declared.defined);
  EXPECT_EQ(declared.results.size(), 1u);
  EXPECT_EQ(declared.parameters.size(), 2u);
  const Function& kernel = module.functions[1];
  EXPECT_TRUE(kernel.entry && kernel.defined);
  EXPECT_TRUE(kernel.parameters[0].pointer);
  EXPECT_FALSE(kernel.parameters[1].pointer);
  EXPECT_EQ(kernel.parameters[1].size(), 24u);
  EXPECT_EQ(kernel.parameters[1].alignment, 8u);
  EXPECT_EQ(kernel.directives.at("reqntid"), (std::vector<std::uint64_t>{128, 2}));
  EXPECT_EQ(kernel.directives.at("reqnctapercluster"), std::vector<std::uint64_t>{4});
  EXPECT_TRUE(kernel.directives.contains("explicitcluster"));
}

TEST(PtxModule, AQualifierMayBeginWithADigit) {
  const Function kernel = body(".reg .b32 %r<2>;\ntcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [%r1], %r0;\nret;");
  ASSERT_FALSE(kernel.body.empty());
  EXPECT_EQ(kernel.body.front().opcode,
            (std::vector<std::string>{"tcgen05", "cp", "cta_group::1", "64x128b", "warpx2::02_13"}));
}

TEST(PtxModule, HasVariablesWithInitialValues) {
  const Module module = read(
      ".extern .shared .align 16 .b8 smem[];\n"
      ".global .align 4 .u32 table[2][2] = {{1, 0x10}, {-1, 0b11}};\n"
      ".const .f32 half = 0f3f000000;\n"
      ".global .f32 third = 0.25;\n"
      ".global .u64 where[] = {table+4, generic(half)};\n");
  ASSERT_EQ(module.variables.size(), 5u);
  EXPECT_EQ(module.variables[0].space, Space::shared);
  EXPECT_EQ(module.variables[0].count, 0u);
  const Variable& table = module.variables[1];
  EXPECT_EQ(table.count, 4u);
  EXPECT_EQ(table.size(), 16u);
  ASSERT_EQ(table.initial.size(), 4u);
  EXPECT_EQ(table.initial[1].bits, 16u);
  EXPECT_EQ(table.initial[2].bits, ~std::uint64_t{0});
  EXPECT_EQ(table.initial[3].bits, 3u);
  EXPECT_EQ(module.variables[2].initial[0].bits, 0x3f000000u);
  EXPECT_FALSE(module.variables[2].initial[0].real);
  EXPECT_TRUE(module.variables[3].initial[0].real);
  const Variable& where = module.variables[4];
  EXPECT_EQ(where.count, 2u);
  EXPECT_EQ(where.initial[0].symbol, "table");
  EXPECT_EQ(where.initial[0].bits, 4u);
  EXPECT_EQ(where.initial[1].symbol, "half");
}

TEST(PtxModule, HasInstructionsWithTheirOperands) {
  const Function kernel = body(
      ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<2>;\n"
      "@!%p1 ld.global.v4.b32 {%r1, %r2, %r3, %r4}, [%rd1+-16];\n"
      "shfl.sync.up.b32 %r5|%p2, %r1, 1, 0, -1;\n"
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];\n"
      "call.uni (retval0), f, (param0, param1);\n"
      "mov.u32 %r6, %tid.x;\n"
      "selp.f32 %r7, 0f3F800000, 1.5, !%p1;\n");
  ASSERT_EQ(kernel.body.size(), 6u);
  const Instruction& load = kernel.body[0];
  EXPECT_EQ(load.opcode, (std::vector<std::string>{"ld", "global", "v4", "b32"}));
  EXPECT_TRUE(load.guard.negated);
  EXPECT_EQ(kernel.registers[load.guard.reg].name, "%p1");
  EXPECT_EQ(load.operands[0].kind, Operand::Kind::vector);
  EXPECT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(load.operands[1].kind, Operand::Kind::address);
  EXPECT_EQ(static_cast<std::int64_t>(load.operands[1].number), -16);
  EXPECT_EQ(kernel.body[1].operands.size(), 6u);
  const Instruction& copy = kernel.body[2];
  EXPECT_TRUE(copy.has("2d") && copy.has("shared::cluster") && copy.has("mbarrier::complete_tx::bytes"));
  EXPECT_EQ(copy.operands[1].elements.front().elements.size(), 2u);
  const Instruction& call = kernel.body[3];
  EXPECT_EQ(call.operands[0].kind, Operand::Kind::list);
  EXPECT_EQ(call.operands[1].name, "f");
  EXPECT_EQ(call.operands[2].elements.size(), 2u);
  EXPECT_EQ(kernel.body[4].operands[1].name, "%tid.x");
  const Instruction& choice = kernel.body[5];
  EXPECT_EQ(choice.operands[1].bits, 32u);
  EXPECT_EQ(choice.operands[2].kind, Operand::Kind::real);
  EXPECT_EQ(choice.operands[2].bits, 0u);
  EXPECT_TRUE(choice.operands[3].negated);
}

TEST(PtxModule, KeepsNamesOfBracesApart) {
  const Function kernel = body(
      ".reg .b32 %r<2>, x;\n mov.b32 x, 1;\n"
      "{\n .reg .pred x;\n .param .b32 p;\n W: setp.eq.b32 x, %r1, 1;\n @x bra W;\n}\n"
      "{\n .param .b32 p;\n W: bra.uni W;\n}\n"
      "mov.b32 x, 2;\n");
  ASSERT_EQ(kernel.body.size(), 5u);
  const std::size_t outer = kernel.body[0].operands[0].reg;
  EXPECT_EQ(kernel.body[4].operands[0].reg, outer);
  EXPECT_NE(kernel.body[1].operands[0].reg, outer);
  EXPECT_EQ(kernel.registers[kernel.body[1].operands[0].reg].type, "pred");
  EXPECT_EQ(kernel.labels.at(kernel.body[2].operands[0].name), 1u);
  EXPECT_EQ(kernel.labels.at(kernel.body[3].operands[0].name), 3u);
  ASSERT_EQ(kernel.variables.size(), 2u);
  EXPECT_NE(kernel.variables[0].name, kernel.variables[1].name);
}

TEST(PtxModule, ReadsBranchTables) {
  const Function kernel = body(".reg .b32 %r<2>;\nT: .branchtargets A, B;\nbrx.idx %r1, T;\nA: ret;\nB: ret;\n");
  EXPECT_EQ(kernel.branch_targets.at("T"), (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(kernel.labels.at("B"), 2u);
}

TEST(PtxModule, KnowsWhereCodeWasInlined) {
  const Module module = read(
      ".entry k() {\n"
      ".loc 1 12 3\n bar.sync 0;\n"
      ".loc 2 7 1, function_name $L__info_string0, inlined_at 1 12 3\n bar.sync 0;\n ret;\n}\n"
      ".file 1 \"/src/a.cu\"\n.file 2 \"/src/b.h\"\n"
      ".section .debug_str\n{\n$L__info_string0:\n.b8 102\n.b8 111\n.b8 0\n}\n");
  const Function& kernel = module.functions.front();
  const Location& inner = module.locations[kernel.body[1].location];
  EXPECT_EQ(module.files.at(inner.file), "/src/b.h");
  EXPECT_EQ(inner.line, 7u);
  EXPECT_EQ(inner.function, "fo");
  ASSERT_NE(inner.inlined_at, kNone);
  EXPECT_EQ(inner.inlined_at, kernel.body[0].location);
}

TEST(PtxModule, ReadsTheChainOfCallsFromComments) {
  const Module module = read(
      ".entry k() {\n"
      ".loc 2 170 27 // standard.py:170:27 @[ standard.py:191:40 @[ kernels.py:33:15 ] ]\n bar.sync 0;\n"
      ".loc 1 34 2 // kernels.py:34:2\n ret;\n}\n"
      ".file 1 \"models/kernels.py\"\n.file 2 \"standard.py\"\n");
  const Function& kernel = module.functions.front();
  const Location& inner = module.locations[kernel.body[0].location];
  EXPECT_EQ(inner.line, 170u);
  const Location& middle = module.locations[inner.inlined_at];
  EXPECT_EQ(module.files.at(middle.file), "standard.py");
  EXPECT_EQ(middle.line, 191u);
  const Location& outer = module.locations[middle.inlined_at];
  EXPECT_EQ(module.files.at(outer.file), "models/kernels.py");
  EXPECT_EQ(outer.line, 33u);
  EXPECT_EQ(outer.column, 15u);
  EXPECT_EQ(outer.inlined_at, kNone);
  EXPECT_EQ(module.locations[kernel.body[1].location].inlined_at, kNone);
}

TEST(PtxModule, TakesVectorsOfRegistersApart) {
  const Module module = read(
      ".func (.reg .v2 .u32 b) f(.reg .v2 .u32 a, .param .u32 c) { mov.b32 b.x, a.y; mov.b64 _, b; ret; }\n"
      ".entry k() {\n.reg .v4 .b32 %v<2>;\nmov.b32 %v1.w, 3;\n{ .reg .b32 %v1; mov.b32 %v1, 4; }\nret;\n}\n");
  const Function& f = module.functions[0];
  ASSERT_EQ(f.parameters.size(), 3u);
  EXPECT_EQ(f.parameters[1].name, "a.y");
  EXPECT_EQ(f.body[0].operands[0].reg, f.results[0].reg);
  EXPECT_EQ(f.body[0].operands[1].reg, f.parameters[1].reg);
  EXPECT_EQ(f.parameters[2].reg, kNone);
  ASSERT_EQ(f.body[1].operands[1].elements.size(), 2u);
  EXPECT_EQ(f.body[1].operands[1].elements[1].reg, f.results[1].reg);
  const Function& k = module.functions[1];
  EXPECT_EQ(k.registers[k.body[0].operands[0].reg].name, "%v1.w");
  EXPECT_EQ(k.registers[k.body[1].operands[0].reg].name, "%v1");
}

TEST(PtxModule, KeepsTheOffsetBehindAName) {
  const Module module = read(".global .b32 x[4];\n.entry k() { .reg .b64 %r; mov.u64 %r, x+8; ret; }\n");
  EXPECT_EQ(module.functions[0].body[0].operands[1].number, 8u);
}

TEST(PtxModule, SaysWhereAMistakeIs) {
  EXPECT_EQ(errors_of(".target sm_90\n"),
            "k.ptx:1:1: error: expected '.version', with which a module of PTX begins, found '.target'\n"
            " .target sm_90\n"
            " ^~~~~~~\n");
  EXPECT_EQ(errors_of(kHead + ".entry k() {\n.reg .b32 %r<2>;\nadd.s32 %r1, %r1, %r2;\n}\n"),
            "k.ptx:6:19: error: '%r2' is not declared\n"
            " add.s32 %r1, %r1, %r2;\n"
            "                   ^~~\n");
  EXPECT_EQ(errors_of(kHead + ".entry k() {\nbra L;\n}\n"),
            "k.ptx:5:5: error: the label 'L' is not in 'k'\n"
            " bra L;\n"
            "     ^\n");
  EXPECT_EQ(errors_of(kHead + ".entry k() {\n.reg .v2 .b32 %v;\nmov.b32 %v.z, 1;\n}\n"),
            "k.ptx:6:11: error: the vector has no part 'z'\n"
            " mov.b32 %v.z, 1;\n"
            "           ^~\n");
  EXPECT_EQ(errors_of(kHead + ".entry k(.reg .b32 a) { ret; }\n"),
            "k.ptx:4:8: error: the parameters of a kernel are not in registers\n"
            " .entry k(.reg .b32 a) { ret; }\n"
            "        ^\n");
  EXPECT_EQ(errors_of(".version 8.7\n.target sm_90\n.address_size 32\n"),
            "k.ptx:3:15: error: addresses of 32 bits are not supported, only those of 64\n"
            " .address_size 32\n"
            "               ^~\n");
  EXPECT_EQ(errors_of(kHead + ".global .b32 x = \x01;\n"),
            "k.ptx:4:18: error: unexpected byte 0x01\n"
            " .global .b32 x = \\x01;\n"
            "                  ^~~~\n");
}

TEST(PtxModule, ReportsAllMistakes) {
  const std::string errors = errors_of(
      kHead + ".entry k() {\n.reg .b32 %r<2>;\nmov.b32 %r1 %r0;\nmov.b32 %r1, %r9;\nret;\n}\n.global .x y;\n");
  EXPECT_NE(errors.find("6:13: error: expected ',' or ';', found '%r0'"), std::string::npos) << errors;
  EXPECT_NE(errors.find("7:14: error: '%r9' is not declared"), std::string::npos) << errors;
  EXPECT_NE(errors.find("10:9: error: expected a type, found '.x'"), std::string::npos) << errors;
}

// Whatever a text is cut to, the reader ends, with a mistake that has a place.
TEST(PtxModule, RefusesTextsWithoutTheirEnd) {
  const std::string text = kHead +
                           ".global .align 4 .u32 t[2] = {1, 2};\n.visible .entry k(.param .u64 a)\n.maxntid 64\n{\n"
                           ".reg .pred p;\n.reg .b32 %r<3>;\n.loc 1 2 3, inlined_at 1 3 4\n"
                           "L: @p ld.global.v2.b32 {%r1, %r2}, [a+4];\n{ /* b */ bra L; }\n}\n.file 1 \"a.cu\"\n";
  ASSERT_EQ(errors_of(text), "none");
  const std::size_t body = text.find("{\n.reg"), end = text.rfind("}\n.file");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string errors = errors_of(text.substr(0, length));
    EXPECT_TRUE(errors == "none" || errors.starts_with("k.ptx:")) << errors;
    EXPECT_TRUE(errors != "none" || length <= body || length > end) << text.substr(0, length);
  }
}

TEST(PtxModule, TakesAWordThatIsSaidTwice) {
  const Module module = read(".visible .extern .extern .shared .align 16 .b8 smem[];\n");
  ASSERT_EQ(module.variables.size(), 1u);
  EXPECT_TRUE(module.variables[0].external);
}

TEST(PtxModule, RefusesWhatIsTooMuch) {
  const std::string deep(100, '{');
  EXPECT_NE(errors_of(kHead + ".entry k() {" + deep).find("nested too deeply"), std::string::npos);
  EXPECT_NE(errors_of(kHead + ".global .b32 x[4294967296][4294967296];\n").find("too large"), std::string::npos);
  EXPECT_NE(errors_of(kHead + ".entry k() { mov.b32 {{{{{{{_}}}}}}}, 1; }").find("too deeply"), std::string::npos);
}

}  // namespace
}  // namespace weakspot::race::ptx::module_reader_test
