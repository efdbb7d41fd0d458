// SPDX-License-Identifier: MIT
#include "codegen/opencl/print_opencl.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/source.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"

namespace weakspot::codegen::print_opencl_test {
namespace {

TargetLimits with(OpenclMapping mapping) {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.opencl.mapping = mapping;
  limits.opencl.all_devices_scope = true;
  limits.opencl.subgroups = true;
  return limits;
}

base::Result<TestProgram> compile(const std::string& text, const TargetLimits& limits = with(OpenclMapping::c11),
                                  const std::string& env = "basic") {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return TestProgram::compile(tests->front(), *parse_environment(base::Source("--env", env)), Target::opencl, limits);
}

using Lines = std::vector<std::string>;

// The statements of a role that touch or order memory, with the numbers of variables left out.
Lines role(const base::Result<TestProgram>& program, int number) {
  Lines lines;
  EXPECT_TRUE(program.ok()) << base::render(program.errors());
  if (!program) return lines;
  const std::string& text = program->program().text;
  const std::string begin = fmt::format("// role {}\n", number);
  const std::size_t from = text.find(begin) + begin.size();
  const std::size_t to = text.find(fmt::format("// end of role {}\n", number));
  for (std::size_t at = from; at < to;) {
    const std::size_t end = text.find('\n', at);
    std::string line = text.substr(at, end - at);
    line.erase(0, line.find_first_not_of(' '));
    const bool plain = line.find("*(global ") != std::string::npos || line.find("*(volatile global uint*)") == 0;
    for (const char* word : {"atomic_", "atom_", "fence", "barrier", "asm"}) {
      if (plain || line.find(word) != std::string::npos) {
        lines.push_back(line);
        break;
      }
    }
    at = end + 1;
  }
  // The numbers of variables depend on the harness.
  for (std::string& line : lines) {
    std::string cut;
    for (std::size_t i = 0; i < line.size(); ++i) {
      cut += line[i];
      const bool word_begins = i == 0 || !(std::isalnum(static_cast<unsigned char>(line[i - 1])) || line[i - 1] == '_');
      if (!word_begins || (line[i] != 'v' && line[i] != 'w')) continue;
      std::size_t digits = i + 1;
      while (digits < line.size() && std::isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
      if (digits != i + 1) i = digits - 1;
    }
    line = cut;
  }
  return lines;
}

constexpr const char* kMp =
    "weakspot MP\n"
    " P0          | P1           ;\n"
    " st x, 1     | ld.acq r0, y ;\n"
    " st.rel y, 1 | ld r1, x     ;\n"
    "exists (1:r0=1 /\\ 1:r1=0)\n";

TEST(Opencl, MessagePassingInThreeMappings) {
  const auto c11 = compile(kMp);
  EXPECT_EQ((Lines{
                "atomic_store_explicit((volatile global atomic_uint*)(w), 1u, memory_order_relaxed, "
                "memory_scope_device);",
                "atomic_store_explicit((volatile global atomic_uint*)(w), 1u, memory_order_release, "
                "memory_scope_device);",
            }),
            role(c11, 0));
  EXPECT_EQ((Lines{
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_acquire, "
                "memory_scope_device);",
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_relaxed, "
                "memory_scope_device);",
            }),
            role(c11, 1));
  EXPECT_EQ("C11 atomics", c11->program().mapping);

  const auto legacy = compile(kMp, with(OpenclMapping::legacy));
  EXPECT_EQ((Lines{
                "atomic_xchg((volatile global uint*)(w), 1u);",
                "mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); atomic_xchg((volatile global uint*)(w), 1u);",
            }),
            role(legacy, 0));
  EXPECT_EQ((Lines{
                "v = atomic_or((volatile global uint*)(w), 0); mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);",
                "v = atomic_or((volatile global uint*)(w), 0);",
            }),
            role(legacy, 1));
  EXPECT_EQ("OpenCL 1.2 atomics and mem_fence", legacy->program().mapping);

  const auto ptx = compile(kMp, with(OpenclMapping::inline_ptx));
  EXPECT_EQ((Lines{
                R"(asm volatile("st.relaxed.gpu.global.b32 [%0], %1;" : : "l"(w), "r"(1u) : "memory");)",
                R"(asm volatile("st.release.gpu.global.b32 [%0], %1;" : : "l"(w), "r"(1u) : "memory");)",
            }),
            role(ptx, 0));
  EXPECT_EQ((Lines{
                R"(asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(w) : "memory");)",
                R"(asm volatile("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(v) : "l"(w) : "memory");)",
            }),
            role(ptx, 1));
  EXPECT_EQ("inline PTX", ptx->program().mapping);
}

TEST(Opencl, AccessesOfAllKinds) {
  const auto program = compile(
      "weakspot T\n{ shared s; s8 b; s64 l; }\n P0 | P1 ;\n"
      " st.na x, 1 | ld.na r0, x ;\n"
      " st.na.vol x, 1 | ld.na r0, b ;\n"
      " st.na b, 1 | ld.sys r0, x ;\n"
      " st.wg s, 1 | ld.sc r0, x ;\n"
      " st.sg l, 1 | ld.wg r0, x ;\n"
      "exists (1:r0=1)\n");
  EXPECT_EQ((Lines{
                "*(global uint*)(w) = 1u;",
                "*(volatile global uint*)(w) = 1u;",
                "*(global char*)(w) = (char)(1u);",
                "atomic_store_explicit((volatile local atomic_uint*)((local uchar*)workgroup_memory + w), 1u, "
                "memory_order_relaxed, memory_scope_work_group);",
                "atomic_store_explicit((volatile global atomic_ulong*)(w), 1ul, memory_order_relaxed, "
                "memory_scope_sub_group);",
            }),
            role(program, 0));
  EXPECT_EQ((Lines{
                "v = *(global uint*)(w);",
                "v = (uint)(int)*(global char*)(w);",
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_relaxed, "
                "memory_scope_all_svm_devices);",
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_seq_cst, "
                "memory_scope_device);",
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_relaxed, "
                "memory_scope_work_group);",
            }),
            role(program, 1));
}

constexpr const char* kAtomics =
    "weakspot T\n P0 | P1 ;\n"
    " atom.exch _, x, 1 | fence.acq.wg ;\n"
    " atom.add.rel r0, x, 1 | fence.acqrel ;\n"
    " atom.cas.acqrel r0, x, 0, 1 | fence.rel ;\n"
    " atom.max r0, x, 1 | fence.rlx ;\n"
    " atom.sub.acq r0, x, 1 | ld r0, x ;\n"
    "exists (0:r0=1)\n";

TEST(Opencl, AtomicsAndFences) {
  const auto program = compile(kAtomics);
  EXPECT_EQ((Lines{
                "atomic_exchange_explicit((volatile global atomic_uint*)(w), 1u, memory_order_relaxed, "
                "memory_scope_device);",
                "v = atomic_fetch_add_explicit((volatile global atomic_uint*)(w), 1u, memory_order_release, "
                "memory_scope_device);",
                "{ uint old = v; atomic_compare_exchange_strong_explicit((volatile global atomic_uint*)(w), &old, 1u, "
                "memory_order_acq_rel, memory_order_acquire, memory_scope_device); v = old; }",
                "v = atomic_fetch_max_explicit((volatile global atomic_int*)(w), (int)1u, memory_order_relaxed, "
                "memory_scope_device);",
                "v = atomic_fetch_sub_explicit((volatile global atomic_uint*)(w), 1u, memory_order_acquire, "
                "memory_scope_device);",
            }),
            role(program, 0));
  const std::string both = "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE";
  EXPECT_EQ((Lines{
                "atomic_work_item_fence(" + both + ", memory_order_acquire, memory_scope_work_group);",
                "atomic_work_item_fence(" + both + ", memory_order_acq_rel, memory_scope_device);",
                "atomic_work_item_fence(" + both + ", memory_order_release, memory_scope_device);",
                "// a fence without order",
                "v = atomic_load_explicit((volatile global atomic_uint*)(w), memory_order_relaxed, "
                "memory_scope_device);",
            }),
            role(program, 1));
  EXPECT_EQ(
      (Lines{
          "atomic_xchg((volatile global uint*)(w), 1u);",
          "mem_fence(" + both + "); v = atomic_add((volatile global uint*)(w), 1u);",
          "mem_fence(" + both + "); v = atomic_cmpxchg((volatile global uint*)(w), v, 1u); mem_fence(" + both + ");",
          "v = atomic_max((volatile global int*)(w), (int)1u);",
          "v = atomic_sub((volatile global uint*)(w), 1u); mem_fence(" + both + ");",
      }),
      role(compile(kAtomics, with(OpenclMapping::legacy)), 0));
  EXPECT_EQ(
      (Lines{
          R"({ uint old; asm volatile("atom.relaxed.gpu.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(w), "r"(1u) : "memory"); })",
          R"(asm volatile("atom.release.gpu.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(w), "r"(1u) : "memory");)",
          R"(asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(v) : "l"(w), "r"(v), "r"(1u) : "memory");)",
          R"(asm volatile("atom.relaxed.gpu.global.max.s32 %0, [%1], %2;" : "=r"(v) : "l"(w), "r"(1u) : "memory");)",
          R"(asm volatile("atom.acquire.gpu.global.add.u32 %0, [%1], %2;" : "=r"(v) : "l"(w), "r"(0 - 1u) : "memory");)",
      }),
      role(compile(kAtomics, with(OpenclMapping::inline_ptx)), 0));
}

TEST(Opencl, DependenciesThatVanishArithmeticallyAreKept) {
  const auto program = compile("weakspot T\n P0 ;\n ld r0, x ;\n xor r1, r0, r0 ;\n ld r2, y+r1 ;\nexists (0:r2=1)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(std::string::npos, program->program().text.find('^'));
}

TEST(Opencl, AWorkgroupsThreadsComeToABarrierTogether) {
  const auto program = compile(
      "weakspot T\n P0 | P1 ;\n st.na x, 1 | st.na y, 1 ;\n bar | bar ;\n ld.na r0, y | ld.na r0, x ;\n"
      "scopes (wg (sg P0) (sg P1))\nexists (0:r0=0)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  const std::string& text = program->program().text;
  std::size_t at = 0;
  for (const char* part :
       {"// role 0\n", "// end of role 0\n", "// role 1\n", "// end of role 1\n",
        "\n      work_group_barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);\n", "// role 0\n"}) {
    const std::size_t found = text.find(part, at);
    ASSERT_NE(std::string::npos, found) << part << text;
    at = found;
  }
}

TEST(Opencl, RefusesWhatTheDeviceLacks) {
  TargetLimits minimal = with(OpenclMapping::c11);
  minimal.opencl = {.acquire_release = false, .seq_cst = false, .device_scope = false};
  struct Case {
    const char* code;
    TargetLimits limits;
    const char* why;
  };
  const TargetLimits c11 = with(OpenclMapping::c11);
  TargetLimits one_device = c11;
  one_device.opencl.all_devices_scope = false;
  const Case cases[] = {
      {"ld.cluster r0, x", c11, "OpenCL has no clusters"},
      {"ld.con r0, x", c11, "OpenCL has no memory order 'con'"},
      {"ld.na.cg r0, x", c11, "OpenCL has no cache operators"},
      {"ld r0, b", c11, "the test has an atomic access of 8 bits; OpenCL has 32 and 64"},
      {"atom.inc r0, x, 3", c11, "OpenCL has no atom.inc"},
      {"ld.sys r0, x", one_device, "the device has no system-scope atomics (memory_scope_all_svm_devices)"},
      {"ld r0, x", minimal, "the device has no device-scope atomics (memory_scope_device)"},
      {"ld.acq.wg r0, x", minimal, "the device has no acquire and release atomics (memory_order_acq_rel)"},
      {"fence.sc", with(OpenclMapping::legacy),
       "the device has no sequentially consistent atomics (memory_order_seq_cst)"},
  };
  for (const Case& c : cases) {
    const auto program =
        compile(fmt::format("weakspot T\n{{ u8 b; }}\n P0 | P1 ;\n {} | st x, 1 ;\nexists (x=1)\n", c.code), c.limits);
    ASSERT_FALSE(program.ok()) << c.code;
    EXPECT_EQ(fmt::format("T: cannot run: {}", c.why), program.errors().front().message);
  }
  // PTX can express all of it.
  for (const char* code : {"ld.con r0, x", "ld.na.cg r0, x", "ld r0, b", "atom.inc r0, x, 3", "ld.sys r0, x"}) {
    EXPECT_TRUE(compile(fmt::format("weakspot T\n{{ u8 b; }}\n P0 | P1 ;\n {} | st x, 1 ;\nexists (x=1)\n", code),
                        with(OpenclMapping::inline_ptx))
                    .ok())
        << code;
  }
}

}  // namespace
}  // namespace weakspot::codegen::print_opencl_test
