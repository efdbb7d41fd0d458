// SPDX-License-Identifier: MIT
// Instructions of PTX with the results that the PTX ISA states or that follow from its formulas, run in one kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>

#include "race_jit/from_ptx/translate.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"

namespace weakspot::race_jit::instructions_test {
namespace {

struct Row {
  const char* code;
  const char* result;  // %r0, %rd0, %h0 or %p0
  std::uint64_t expected;
};

const char* store_of(std::string_view result) { return result == "%rd0" ? "b64" : result == "%h0" ? "b16" : "b32"; }

std::string kernel_of(const std::vector<Row>& rows, unsigned lane, const std::string& functions) {
  std::string text =
      ".version 8.7\n.target sm_90a\n.address_size 64\n.shared .align 16 .b8 tile[1024];\n"
      ".global .align 16 .b32 place[4];\n" +
      functions +
      ".visible .entry k(.param .u64 .ptr .global .align 8 k_param_0)\n{\n.reg .pred %mine;\n.reg .b64 %to;\n"
      ".reg .b32 %lane;\nmov.u32 %lane, %tid.x;\nld.param.u64 %to, [k_param_0];\n";
  text += fmt::format("setp.eq.u32 %mine, %lane, {};\n", lane);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string result = rows[i].result;
    text += fmt::format(
        "{{\n.reg .pred %p<8>;\n.reg .b16 %h<8>;\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n{}\n{}"
        "@%mine st.global.{} [%to+{}], {};\n}}\n",
        rows[i].code, result == "%p0" ? "selp.b32 %r0, 1, 0, %p0;\n" : "", store_of(result), 8 * i,
        result == "%p0" ? "%r0" : result);
  }
  return text + "ret;\n}\n";
}

// Runs the rows in so many threads and compares the results of one of them.
void check(const std::vector<Row>& rows, unsigned threads = 1, unsigned lane = 0, const std::string& functions = "") {
  const base::Result<std::string> bitcode = bitcode_of_ptx(base::Source("k.ptx", kernel_of(rows, lane, functions)));
  ASSERT_TRUE(bitcode) << base::render(bitcode.errors());
  Machine machine(std::move(*Arena::create()), MachineOptions{});
  const std::unique_ptr<DeviceModule> module = std::move(*load_device_module(*bitcode, machine, {}));
  char* memory = machine.arena().allocate(8 * rows.size(), "out");
  std::memset(memory, 0, 8 * rows.size());
  auto argument = reinterpret_cast<std::uint64_t>(memory);
  void* arguments[] = {&argument};
  LaunchRequest request;
  request.block = {threads, 1, 1};
  request.static_shared = module->kernels().front().static_shared;
  request.entry = module->kernels().front().entry;
  request.arguments = arguments;
  ASSERT_TRUE(machine.launch(request, Schedule::forward));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::uint64_t made = 0;
    std::memcpy(&made, memory + 8 * i, 8);
    EXPECT_EQ(made, rows[i].expected) << fmt::format("{}\n  {:#x}, not {:#x}", rows[i].code, made, rows[i].expected);
  }
}

TEST(PtxInstructions, Carry) {
  check({{"add.cc.u32 %r1, -1, 1; addc.u32 %r0, 5, 6;", "%r0", 12},
         {"sub.cc.u32 %r1, 0, 1; subc.u32 %r0, 5, 1;", "%r0", 3},
         {"sub.cc.u32 %r1, 1, 1; subc.u32 %r0, 5, 1;", "%r0", 4},
         // What an H200 answers where sums and differences are mixed.
         {"sub.cc.u32 %r1, 5, 3; addc.u32 %r0, 0, 0;", "%r0", 1},
         {"sub.cc.u32 %r1, 3, 5; addc.u32 %r0, 0, 0;", "%r0", 0},
         {"add.cc.u32 %r1, -1, 5; subc.u32 %r0, 7, 0;", "%r0", 7},
         {"add.cc.u32 %r1, 5, 3; subc.u32 %r0, 7, 0;", "%r0", 6},
         {"add.cc.u64 %rd1, -1, 1; addc.cc.u64 %rd2, -1, 0; addc.u64 %rd0, 0, 0;", "%rd0", 1},
         {"mad.lo.cc.u32 %r1, 0xffffffff, 2, 2; madc.hi.u32 %r0, 0xffffffff, 2, 0;", "%r0", 2},
         {"add.cc.u32 %r1, -1, 1; bra L; L: addc.u32 %r0, 0, 0;", "%r0", 1}});
}

TEST(PtxInstructions, WholeNumbers) {
  check({{"add.sat.s32 %r0, 0x7fffffff, 1;", "%r0", 0x7fffffff},
         {"sub.sat.s32 %r0, 0x80000000, 1;", "%r0", 0x80000000},
         {"mul24.lo.u32 %r0, 0xff000003, 5;", "%r0", 15},
         {"mul24.hi.u32 %r0, 0xffffff, 0xffffff;", "%r0", 0xfffffe00},
         {"mad24.lo.s32 %r0, 0xffffff, 3, 10;", "%r0", 7},
         {"bmsk.clamp.b32 %r0, 24, 12;", "%r0", 0xff000000},
         {"bmsk.wrap.b32 %r0, 4, 33;", "%r0", 0x10},
         {"szext.clamp.s32 %r0, 0xfc8, 4;", "%r0", 0xfffffff8},
         {"szext.wrap.u32 %r0, 0xff, 36;", "%r0", 0xf},
         {"fns.b32 %r0, 0xaaaaaaaa, 3, -1;", "%r0", 3},
         {"fns.b32 %r0, 0xaaaaaaaa, 2, -1;", "%r0", 1},
         {"dp4a.u32.u32 %r0, 0x01020304, 0x01010101, 10;", "%r0", 20},
         {"dp4a.s32.s32 %r0, 0xff000000, 0x02000000, 0;", "%r0", 0xfffffffe},
         {"dp2a.lo.s32.s32 %r0, 0x0002ffff, 0x0403, 1;", "%r0", 6},
         {"dp2a.hi.u32.u32 %r0, 0x00020001, 0x05060000, 0;", "%r0", 16},
         {"slct.b32.s32 %r0, 7, 9, -1;", "%r0", 9},
         {"slct.b32.f32 %r0, 7, 9, 0f80000000;", "%r0", 7},
         {"prmt.b32.rc16 %r0, 0x33221100, 0x77665544, 1;", "%r0", 0x33223322},
         {"prmt.b32.b4e %r0, 0x33221100, 0x77665544, 1;", "%r0", 0x66770011},
         {"min.s16x2 %r0, 0x0001ffff, 0xffff0001;", "%r0", 0xffffffff},
         {"add.u16x2 %r0, 0x0001ffff, 0x00010001;", "%r0", 0x00020000},
         {"mov.u64 %rd1, place; isspacep.shared %p0, %rd1;", "%p0", 0},
         {"mov.u64 %rd1, tile; cvta.shared.u64 %rd2, %rd1; isspacep.shared %p0, %rd2;", "%p0", 1}});
}

TEST(PtxInstructions, Floats) {
  check({{"add.rp.f32 %r0, 0f3f800000, 0f33000000;", "%r0", 0x3f800001},
         {"add.rm.f32 %r0, 0f3f800000, 0f33000000;", "%r0", 0x3f800000},
         {"add.rz.f32 %r0, 0f3f800000, 0fb3000000;", "%r0", 0x3f7fffff},
         {"div.rm.f32 %r0, 0f3f800000, 0f40400000;", "%r0", 0x3eaaaaaa},
         {"sqrt.rp.f32 %r0, 0f40000000;", "%r0", 0x3fb504f4},
         {"mul.rp.f64 %rd0, 0d3ff0000000000001, 0d3ff0000000000001;", "%rd0", 0x3ff0000000000003},
         {"fma.rz.f32 %r0, 0f3f800001, 0f3f800001, 0f00000000;", "%r0", 0x3f800002},
         {"mul.ftz.f32 %r0, 0f80400000, 0f3f800000;", "%r0", 0x80000000},
         {"mul.f32 %r0, 0f80400000, 0f3f800000;", "%r0", 0x80400000},
         {"mul.ftz.f32 %r0, 0f00800000, 0f3f000000;", "%r0", 0},
         {"add.sat.f32 %r0, 0f3f800000, 0f3f800000;", "%r0", 0x3f800000},
         {"add.sat.f32 %r0, 0f7fffffff, 0f3f800000;", "%r0", 0},
         {"max.f32 %r0, 0f80000000, 0f00000000;", "%r0", 0},
         {"min.f32 %r0, 0f00000000, 0f80000000;", "%r0", 0x80000000},
         {"min.f32 %r0, 0f7fffffff, 0f3f800000;", "%r0", 0x3f800000},
         {"max.xorsign.abs.f32 %r0, 0fc0400000, 0f40000000;", "%r0", 0xc0400000},
         {"copysign.f32 %r0, 0f80000000, 0f3f800000;", "%r0", 0xbf800000},
         {"testp.subnormal.f32 %p0, 0f00000001;", "%p0", 1},
         {"testp.normal.f32 %p0, 0f00000001;", "%p0", 0},
         {"testp.infinite.f64 %p0, 0dfff0000000000000;", "%p0", 1},
         {"lg2.approx.f32 %r0, 0f41000000;", "%r0", 0x40400000},
         {"ex2.approx.ftz.f32 %r0, 0f40400000;", "%r0", 0x41000000},
         {"tanh.approx.f32 %r0, 0f7f800000;", "%r0", 0x3f800000},
         // Rounded to float first, this would be a tie.
         {"mov.b16 %h1, 0x3c20; mov.b16 %h2, 0x3c10; mov.b16 %h3, 1; fma.rn.f16 %h0, %h1, %h2, %h3;", "%h0", 0x3c31},
         {"mov.b16 %h1, 0x3c20; mov.b16 %h2, 0x3c10; mov.b16 %h3, 0; fma.rn.f16 %h0, %h1, %h2, %h3;", "%h0", 0x3c30},
         {"mov.b32 %r1, 0xbc003c00; fma.rn.relu.f16x2 %r0, %r1, 0x3c003c00, 0;", "%r0", 0x3c00}});
}

TEST(PtxInstructions, Conversions) {
  check({{"cvt.rn.f16.f64 %h0, 0d3ff0020000001000;", "%h0", 0x3c01},
         {"cvt.rz.f16.f32 %h0, 0f3f803fff;", "%h0", 0x3c01},
         {"cvt.rp.f16.f32 %h0, 0f3f800001;", "%h0", 0x3c01},
         {"cvt.rna.tf32.f32 %r0, 0f3f801000;", "%r0", 0x3f802000},
         {"cvt.rp.f32.s32 %r0, 16777217;", "%r0", 0x4b800001},
         {"cvt.rz.f32.s32 %r0, 16777217;", "%r0", 0x4b800000},
         {"cvt.rm.f32.f64 %r0, 0dbff0000000000001;", "%r0", 0xbf800001},
         {"cvt.rzi.s32.f32 %r0, 0fc15ccccd;", "%r0", 0xfffffff3},
         {"cvt.rmi.s32.f32 %r0, 0fc1533333;", "%r0", 0xfffffff2},
         {"cvt.rpi.s32.f32 %r0, 0f4151999a;", "%r0", 14},
         {"cvt.rni.s32.f32 %r0, 0f40200000;", "%r0", 2},
         {"cvt.rni.f32.f32 %r0, 0f40200000;", "%r0", 0x40000000},
         {"cvt.rzi.s32.f32 %r0, 0f7fffffff;", "%r0", 0},
         {"cvt.rzi.u64.f32 %rd0, 0f7fffffff;", "%rd0", 0x8000000000000000},
         {"cvt.rzi.u8.f32 %r0, 0f43960000;", "%r0", 255},
         {"cvt.rzi.s8.f32 %r0, 0fc3960000;", "%r0", 0xffffff80},
         {"cvt.sat.f32.f32 %r0, 0f40000000;", "%r0", 0x3f800000},
         {"cvt.sat.u8.s32 %r0, 300;", "%r0", 255},
         {"cvt.sat.s8.s32 %r0, -300;", "%r0", 0xffffff80},
         {"cvt.sat.s32.u32 %r0, 0xffffffff;", "%r0", 0x7fffffff},
         {"cvt.pack.sat.u8.s32.b32 %r0, 300, -5, 0xabcd;", "%r0", 0xabcdff00},
         {"cvt.pack.sat.s16.s32 %r0, 70000, -3;", "%r0", 0x7ffffffd},
         {"cvt.rn.satfinite.e4m3x2.f32 %h0, 0f3f800000, 0f447a0000;", "%h0", 0x387e},
         {"mov.b16 %h1, 0x3c7b; cvt.rn.f16x2.e5m2x2 %r0, %h1;", "%r0", 0x3c007b00},
         {"cvt.rn.relu.f16x2.f32 %r0, 0fbf800000, 0f40000000;", "%r0", 0x4000},
         {"cvt.rn.bf16x2.f32 %r0, 0f3f800000, 0f40000000;", "%r0", 0x3f804000}});
}

TEST(PtxInstructions, Comparisons) {
  check({{"setp.eq.u32 %p1, 0, 0; setp.lt.and.f32 %p0, 0f3f800000, 0f40000000, %p1;", "%p0", 1},
         {"setp.eq.u32 %p1, 0, 0; setp.lt.and.f32 %p0, 0f3f800000, 0f40000000, !%p1;", "%p0", 0},
         {"setp.gt.f32 %p1|%p0, 0f3f800000, 0f40000000;", "%p0", 1},
         {"setp.gt.s32 %p0|%p1, -1, 1;", "%p0", 0},
         {"setp.gt.f16x2 %p1|%p0, 0x40003c00, 0x3c004000;", "%p0", 1},
         {"setp.eq.ftz.f32 %p0, 0f00000001, 0f00000000;", "%p0", 1},
         {"set.gtu.u32.f16x2 %r0, 0x40003c00, 0x3c004000;", "%r0", 0xffff0000},
         {"set.lt.f32.s32 %r0, 1, 2;", "%r0", 0x3f800000}});
}

TEST(PtxInstructions, VectorsOfAtomics) {
  check({{"st.global.v2.b32 [place], {0, 0}; red.global.add.v2.f32 [place], {0f3f800000, 0f40000000};"
          "ld.global.b32 %r0, [place+4];",
          "%r0", 0x40000000},
         {"st.global.b32 [place], 0x3c003c00; mov.b32 %r1, 0x40003c00; red.global.add.noftz.f16x2 [place], %r1;"
          "ld.global.b32 %r0, [place];",
          "%r0", 0x42004000}});
}

TEST(PtxInstructions, Warps) {
  check({{"match.any.sync.b32 %r0, 7, 0xffffffff;", "%r0", 0xffffffff},
         {"and.b32 %r1, %lane, 1; match.any.sync.b32 %r0, %r1, 0xffffffff;", "%r0", 0xaaaaaaaa},
         {"match.all.sync.b32 %r0|%p0, %lane, 0xffffffff;", "%p0", 0},
         {"redux.sync.add.u32 %r0, %lane, 0xffffffff;", "%r0", 496},
         {"cvt.rn.f32.u32 %r1, %lane; neg.f32 %r1, %r1; redux.sync.min.f32 %r0, %r1, 0xffffffff;", "%r0", 0xc1f80000},
         {"shfl.sync.up.b32 %r0|%p0, %lane, 34, 0, 0xffffffff;", "%r0", 3},
         // The word of a lane is that of row lane / 4, and half words 2 * (lane % 4) and the next in it.
         {"and.b32 %r1, %lane, 7; shl.b32 %r1, %r1, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;"
          "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%lane}; bar.warp.sync -1;"
          "shl.b32 %r3, %lane, 2; add.u32 %r3, %r3, %r2; ld.shared.b32 %r0, [%r3]; bar.warp.sync -1;",
          "%r0", 5},
         {"and.b32 %r1, %lane, 7; shl.b32 %r1, %r1, 4; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;"
          "shl.b32 %r4, %lane, 16; stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%r1], {%r4}; bar.warp.sync -1;"
          "shl.b32 %r3, %lane, 2; add.u32 %r3, %r3, %r2; ld.shared.b32 %r0, [%r3]; bar.warp.sync -1;",
          "%r0", 0x000c0008},
         {"shl.b32 %r1, %lane, 16; movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;", "%r0", 0x000c0008},
         {"mov.b32 %r1, 0x7f7f7f7f; mov.b32 %r2, 0x7fffffff;"
          "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%r0, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1},"
          "{%r1, %r1}, {%r2, %r2, %r2, %r2};",
          "%r0", 0x7fffffff},
         {"mov.b32 %r1, 0x7f7f7f7f; mov.b32 %r2, 0x7fffffff;"
          "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r0, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1},"
          "{%r1, %r1}, {%r2, %r2, %r2, %r2};",
          "%r0", 0x8007e01f},
         {"mov.b32 %r1, 0x38383838; mov.b32 %r2, 0;"
          "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%r0, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1},"
          "{%r1, %r1}, {%r2, %r2, %r2, %r2};",
          "%r0", 0x42000000},
         {"mov.b32 %r1, 0x3f801fff; mov.b32 %r2, 0;"
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r0, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1},"
          "{%r1, %r1}, {%r2, %r2, %r2, %r2};",
          "%r0", 0x41000000}},
        32, 5);
}

// Half of the lanes are even.
TEST(PtxInstructions, BarriersThatReduce) {
  const std::string even = "and.b32 %r1, %lane, 1; setp.eq.u32 %p1, %r1, 0; ";
  const std::string rows[] = {
      even + "bar.red.popc.u32 %r0, 0, %p1;", even + "barrier.red.popc.aligned.u32 %r0, 3, %p1;",
      even + "bar.red.popc.u32 %r0, 3, 64, !%p1;", even + "bar.red.and.pred %p0, 1, %p1;",
      even + "bar.red.or.pred %p0, 1, %p1;", "setp.eq.u32 %p1, 0, 0; bar.red.and.pred %p0, 1, 64, %p1;",
      "setp.eq.u32 %p1, 0, 0; bar.red.or.pred %p0, 1, !%p1;",
      // The last thread to arrive, and others, ask again at the same barrier.
      even +
          "bar.red.popc.u32 %r2, 2, %p1; setp.eq.u32 %p2, %lane, 5;"
          "bar.red.popc.u32 %r3, 2, %p2; mad.lo.u32 %r0, %r3, 100, %r2;"};
  std::vector<Row> checked;
  const char* results[] = {"%r0", "%r0", "%r0", "%p0", "%p0", "%p0", "%p0", "%r0"};
  const std::uint64_t expected[] = {32, 32, 32, 0, 1, 1, 0, 132};
  for (std::size_t i = 0; i < std::size(rows); ++i) checked.push_back({rows[i].c_str(), results[i], expected[i]});
  check(checked, 64, 0);
  check(checked, 64, 63);
}

TEST(PtxInstructions, GridWorkspace) {
  check(
      {{"mov.u32 %r1, %envreg1; mov.u32 %r2, %envreg2; mov.b64 %rd1, {%r2, %r1};"
        "atom.add.release.gpu.u32 %r3, [%rd1+4], 5; ld.acquire.gpu.u32 %r0, [%rd1+4];",
        "%r0", 5}});
}

TEST(PtxInstructions, VectorsInRegisters) {
  check(
      {{".reg .v2 .b32 %v; mov.v2.b32 %v, {7, 9}; mov.b32 %r0, %v.y;", "%r0", 9},
       {".reg .v4 .b32 %v<2>; mov.v4.b32 %v1, {1, 2, 3, 4}; mov.v4.b32 {%r1, %r2, %r3, %r0}, %v1;", "%r0", 4},
       {".reg .v2 .b32 %v; mov.v2.b32 %v, {7, 9}; mov.v2.b32 %v, {%v.y, %v.x}; mov.b64 %rd0, %v;", "%rd0", 0x700000009},
       {".reg .v2 .b16 %v; mov.b32 %v, 0x00050006; mov.b16 %h0, %v.r;", "%h0", 6},
       {".reg .v2 .b32 %v; st.global.v2.b32 [place], {3, 4}; ld.global.v2.b32 %v, [place]; mov.b32 %r0, %v.g;", "%r0",
        4},
       {"st.global.v2.b32 [place+8], {5, 6}; mov.u64 %rd1, place+8; ld.global.b32 %r0, [%rd1+4];", "%r0", 6}});
}

TEST(PtxInstructions, CallsWithRegisters) {
  check({{"mov.b32 %r1, 0; call (%r0), sum, (3, %r1);", "%r0", 3},
         {"mov.b32 %r1, 4; mov.b32 %r2, 5; call (%r0), sum, (%r1, %r2);", "%r0", 9},
         {"call (%r0, %p1), next, (41);", "%r0", 42},
         {"call (%r1, %p0), next, (41);", "%p0", 1},
         {"call (_, %p0), next, (7);", "%p0", 0},
         {".reg .v2 .b32 %v; mov.v2.b32 %v, {1, 2}; call (%v), swapped, (%v); mov.b64 %rd0, %v;", "%rd0", 0x100000002},
         {"{ .param .align 8 .b8 made[16]; call.uni (made), pair, (); ld.param.b64 %rd0, [made+8]; }", "%rd0", 6}},
        1, 0,
        ".func (.reg .u32 c) sum(.reg .u32 a, .reg .u32 b) { add.u32 c, a, b; ret; }\n"
        ".func (.reg .u32 b, .reg .pred odd) next(.reg .u32 a) {\n"
        "  .reg .u32 low; add.u32 b, a, 1; and.b32 low, a, 33; setp.eq.u32 odd, low, 33; ret;\n}\n"
        ".func (.reg .v2 .u32 b) swapped(.reg .v2 .u32 a) { mov.v2.u32 b, {a.y, a.x}; ret; }\n"
        ".func (.param .align 8 .b8 result[16]) pair() {\n"
        "  .reg .b64 %rd<2>; mov.b64 %rd1, 6; st.param.v2.b64 [result], {%rd1, %rd1}; ret;\n}\n");
}

TEST(PtxInstructions, WordsOfVideos) {
  check({{"vshr.u32.u32.u32.clamp.add %r0, 0x100, 4, 3;", "%r0", 0x13},
         {"vshr.u32.u32.u32.clamp.add %r0, 0x100, 40, 3;", "%r0", 3},
         {"vshr.s32.s32.u32.wrap %r0, -256, 36;", "%r0", 0xfffffff0},
         {"vadd.s32.s32.u32.sat %r0, 0x7fffffff, 5;", "%r0", 0x7fffffff},
         {"vsub.u32.u32.u32.sat %r0, 3, 5;", "%r0", 0},
         {"vabsdiff.u32.s32.s32.max %r0, -3, 5, 4;", "%r0", 8},
         {"vmin.s32.s32.u32 %r0, -1, 5;", "%r0", 0xffffffff}});
}

TEST(PtxInstructions, BranchesByATable) {
  check({{"mov.b32 %r1, 1; T: .branchtargets A, B; brx.idx %r1, T; A: mov.b32 %r0, 7; bra E; B: mov.b32 %r0, 9; E:",
          "%r0", 9}});
}

}  // namespace
}  // namespace weakspot::race_jit::instructions_test
