// SPDX-License-Identifier: MIT
#include "codegen/ptx/print_ptx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/source.h"
#include "codegen/kernel/kernel_builder.h"
#include "codegen/test_program.h"
#include "litmus/dialect.h"
#include "support/corpus_tests.h"
#include "support/sanitized.h"
#include "system/subprocess.h"

namespace weakspot::codegen::print_ptx_test {
namespace {

using testing_support::corpus_tests;

TargetLimits h200() {
  TargetLimits limits;
  limits.ptx_arch = 90;
  limits.max_cluster = 8;
  return limits;
}

base::Result<TestProgram> compile(const std::string& text, const std::string& env = "basic") {
  const base::Result<std::vector<litmus::LitmusTest>> tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return TestProgram::compile(tests->front(), *parse_environment(base::Source("--env", env)), Target::ptx, h200());
}

// The instructions of a role that touch memory or order it, without addresses.
std::vector<std::string> role(const TestProgram& program, int number) {
  std::vector<std::string> lines;
  const std::string& text = program.program().text;
  const std::string begin = fmt::format("  // role {}\n", number);
  const std::size_t from = text.find(begin) + begin.size();
  const std::size_t to = text.find(fmt::format("  // end of role {}\n", number));
  for (std::size_t at = from; at < to;) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at + 2, end - at - 2);
    const std::string word = line.substr(0, line.find_first_of(" ;"));
    for (const char* kind : {"ld.", "st.", "atom.", "fence.", "membar.", "bar", "//"}) {
      if (word.starts_with(kind)) lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(Ptx, OrdersAndScopes) {
  const auto program = compile(
      "weakspot T\n{ shared s; u8 b; s64 w; }\n P0 | P1 ;\n"
      " st.na x, 1 | ld.na r0, x ;\n"
      " st.na.cg x, 1 | ld.na.ca r0, x ;\n"
      " st.na.vol x, 1 | ld.vol r0, x ;\n"
      " st x, 1 | ld.wg r0, x ;\n"
      " st.rel.sys x, 1 | ld.acq r0, x ;\n"
      " st.sc x, 1 | ld.sc r0, x ;\n"
      " st.wg s, 1 | ld.con r0, x ;\n"
      " st b, 1 | ld.cluster r0, x ;\n"
      " st w, 1 | ld.sg r0, x ;\n"
      "exists (1:r0=1)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ((Lines{"st.global.b32", "st.global.cg.b32", "st.volatile.global.b32", "st.relaxed.gpu.global.b32",
                   "st.release.sys.global.b32", "fence.sc.gpu", "st.release.gpu.global.b32",
                   "st.relaxed.cta.shared.b32", "st.relaxed.gpu.global.u8", "st.relaxed.gpu.global.b64"}),
            role(*program, 0));
  EXPECT_EQ((Lines{"ld.global.b32", "ld.global.ca.b32", "ld.volatile.global.b32", "ld.relaxed.cta.global.b32",
                   "ld.acquire.gpu.global.b32", "fence.sc.gpu", "ld.acquire.gpu.global.b32",
                   "ld.acquire.gpu.global.b32", "ld.relaxed.cluster.global.b32", "ld.relaxed.cta.global.b32"}),
            role(*program, 1));
  EXPECT_EQ((PtxVersion{78, 90}), ptx_version(program->kernels()));
}

// The result must not depend on the order in which the compiler evaluates arguments.
TEST(Ptx, OperandsAreComputedFromTheLeft) {
  KernelBuilder builder("k");
  const Var a = builder.let(builtin(Builtin::local_id));
  const Var b = builder.let(builtin(Builtin::workgroup_id));
  builder.let((Expr(a) + Expr(b)) * (Expr(a) - Expr(b)));
  builder.let(select(a, Expr(a) & Expr(b), Expr(a) | Expr(b)));
  KernelModule module;
  module.kernels.push_back(std::move(builder).finish());
  const std::string text = print_ptx(module);
  const std::string expected =
      "  add.u32 %t0, %v0, %v1;\n"
      "  sub.u32 %t1, %v0, %v1;\n"
      "  mul.lo.u32 %v2, %t0, %t1;\n"
      "  and.b32 %t2, %v0, %v1;\n"
      "  or.b32 %t3, %v0, %v1;\n"
      "  setp.ne.u32 %p0, %v0, 0;\n"
      "  selp.b32 %v3, %t2, %t3, %p0;\n";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
}

TEST(Ptx, AtomicsFencesAndBarriers) {
  const auto program = compile(
      "weakspot T\n P0 | P1 ;\n"
      " atom.exch _, x, 1 | fence.sc ;\n"
      " atom.add.rel r0, x, 1 | fence.acq.wg ;\n"
      " atom.cas.acq r0, x, 0, 1 | fence.acqrel.sys ;\n"
      " atom.sub.acqrel r0, x, 1 | fence.rlx ;\n"
      " atom.max.sc r0, x, 1 | membar.wg ;\n"
      " atom.inc r0, x, 7 | membar ;\n"
      " atom.xor r0, x, 7 | membar.sys ;\n"
      " bar | bar ;\n bar.sg | bar.sg ;\n"
      "scopes (wg P0 P1)\nexists (0:r0=1)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(
      (Lines{"atom.relaxed.gpu.global.exch.b32", "atom.release.gpu.global.add.u32", "atom.acquire.gpu.global.cas.b32",
             "atom.acq_rel.gpu.global.add.u32", "fence.sc.gpu", "atom.acq_rel.gpu.global.max.s32",
             "atom.relaxed.gpu.global.inc.u32", "atom.relaxed.gpu.global.xor.b32", "barrier.sync", "bar.warp.sync"}),
      role(*program, 0));
  EXPECT_EQ((Lines{"fence.sc.gpu", "fence.acq_rel.cta", "fence.acq_rel.sys", "//", "membar.cta", "membar.gl",
                   "membar.sys", "barrier.sync", "bar.warp.sync"}),
            role(*program, 1));
  EXPECT_EQ((PtxVersion{70, 70}), ptx_version(program->kernels()));
}

TEST(Ptx, ClustersNeedANewerTarget) {
  const auto program =
      compile("weakspot T\n P0 | P1 ;\n st x, 1 | ld r0, x ;\nscopes (cluster (wg P0) (wg P1))\nexists (1:r0=1)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_NE(std::string::npos, program->program().text.find(".reqnctapercluster 2, 1, 1"));
  EXPECT_NE(std::string::npos, program->program().text.find(".target sm_90"));
}

// Textures and constant memory are read at the location's own place in the memory of the test.
TEST(Ptx, LoadsThroughTexturesAndConstantMemory) {
  const std::string code =
      "weakspot T\n{ t @ PROXY aliases x; }\n P0 ;\n st.na x, 1 ;\n ld.na.PROXY r0, t ;\nexists (0:r0=0)\n";
  auto text_of = [&](const std::string& proxy) {
    std::string text = code;
    for (std::size_t at = text.find("PROXY"); at != std::string::npos; at = text.find("PROXY"))
      text.replace(at, 5, proxy);
    const auto program = compile(text);
    EXPECT_TRUE(program.ok()) << base::render(program.errors());
    EXPECT_EQ(program->program().viewed, 2u);
    EXPECT_EQ(program->program().entries[0].texture, proxy == "texture");
    EXPECT_EQ(program->program().entries[0].constant, proxy == "constant");
    EXPECT_FALSE(program->program().entries[1].texture || program->program().entries[1].constant);
    return program->program().text;
  };
  auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  };
  const std::string texture = text_of("texture");
  has(texture, "  .param .u64 overflow,\n  .param .u64 texture\n)\n");
  has(texture, ", %base2;\n  shr.u64 ");
  has(texture, "  tex.1d.v4.u32.s32 {%v");
  EXPECT_EQ(texture.find("constant_memory"), std::string::npos);
  const std::string constant = text_of("constant");
  has(constant, ".const .align 16 .b8 constant_memory[65536];\n\n.visible .entry run(");
  has(constant, ", %constant;\n  ld.const.b32 %v");
  EXPECT_EQ(constant.find("texture"), std::string::npos);
}

TEST(Ptx, DependenciesThatVanishArithmeticallyAreKept) {
  const auto program = compile("weakspot T\n P0 ;\n ld r0, x ;\n xor r1, r0, r0 ;\n ld r2, y+r1 ;\nexists (0:r2=1)\n");
  ASSERT_TRUE(program.ok()) << base::render(program.errors());
  EXPECT_EQ(std::string::npos, program->program().text.find("xor.b32"));
}

// ---- with the assembler ----

class Ptxas : public testing::Test {
 protected:
  void SetUp() override {
    const base::Result<base::ProcessResult> version = base::run_process({"ptxas", "--version"});
    if (!version || !version->succeeded()) GTEST_SKIP() << "ptxas is not on the PATH";
  }

  // One file for many programs: starting the assembler costs more than assembling.
  static void assemble(const std::vector<litmus::LitmusTest>& tests, const std::vector<std::string>& environments) {
    std::string text = ptx_header({86, 90}) + ptx_constant_memory();
    std::set<std::string> known;
    std::size_t programs = 0;
    std::size_t refused = 0;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      // Tests take the environments in turn.
      const std::string& env = environments[i % environments.size()];
      const auto program =
          TestProgram::compile(tests[i], *parse_environment(base::Source("--env", env)), Target::ptx, h200());
      if (!program) {
        EXPECT_NE(std::string::npos, program.errors().front().message.find("cannot run"));
        refused += testing_support::is_ordinary(tests[i]);
        continue;
      }
      ++programs;
      // Many tests are collected by the same kernel: each kernel once.
      for (const Kernel& kernel : program->kernels().kernels) {
        const KernelModule alone{program->kernels().buffers, {kernel}, program->kernels().viewed};
        if (!known.insert(print_ptx(alone, {.header = false})).second) continue;
        text += print_ptx(alone, {.prefix = fmt::format("k{}_", known.size()), .header = false});
      }
    }
    EXPECT_GT(programs, refused * 5);
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("weakspot_ptx_{}.ptx", ::getpid())).string();
    ASSERT_TRUE(base::write_file(path, text).ok());
    const base::Result<base::ProcessResult> result = base::run_process(
        {"ptxas", "-arch=sm_90", "-O0", path, "-o", "/dev/null"}, {.deadline = std::chrono::seconds(200)});
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(result->succeeded()) << result->errors.substr(0, 2000) << result->output.substr(0, 2000);
    std::filesystem::remove(path);
  }
};

TEST_F(Ptxas, AssemblesTheCorpus) { assemble(corpus_tests("@all", tests::kSampleStep), {"basic"}); }

TEST_F(Ptxas, AssemblesTheCorpusInOtherEnvironments) {
  assemble(corpus_tests("@all", 7),
           {"stress", "interleave,role_order=by_lane,result_store=at_once", "site", "pte,pairing=half",
            "assignment=one,barrier=partner,pairing=neighbour,layout=arrays,second_stride=8",
            "stress,memory_stress_percent=40,barrier_percent=30,memory_store_first_percent=50,"
            "stress_spread=line,role_order=by_warp,pairing=next"});
}

TEST_F(Ptxas, AssemblesWideAccesses) { assemble(corpus_tests("@all", 25), {"access_width=wide"}); }

}  // namespace
}  // namespace weakspot::codegen::print_ptx_test
