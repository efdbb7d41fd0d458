// SPDX-License-Identifier: MIT
// The code of a CPU, for both instruction sets on any machine.
#include <gtest/gtest.h>

#include "backend/cpu/cpu_assemble.h"
#include "base/source.h"
#include "codegen/cpu_program.h"
#include "litmus/dialect.h"
#include "optcheck/optcheck.h"
#include "support/corpus_tests.h"
#include "support/sanitized.h"

namespace weakspot::optcheck::cpu_code_test {
namespace {

using codegen::CpuFeatures;
using codegen::CpuIsa;

constexpr CpuFeatures kNew = {CpuIsa::aarch64, true, true};
constexpr CpuFeatures kOld = {CpuIsa::aarch64, false, false};
constexpr CpuFeatures kIntel = {CpuIsa::x86_64, false, false};

codegen::TestEnvironment environment(const std::string& text) {
  return *codegen::parse_environment(base::Source("--env", text));
}

std::optional<CodeCheck> checked(const litmus::LitmusTest& test, const std::string& env, const CpuFeatures& features) {
  codegen::TargetLimits limits;
  limits.cpu = features;
  const auto program = codegen::TestProgram::compile(test, environment(env), codegen::Target::cpu, limits);
  if (!program) return std::nullopt;
  backend::MachineCode code;
  code.form = features.isa == CpuIsa::aarch64 ? backend::CodeForm::aarch64 : backend::CodeForm::x86_64;
  for (const codegen::CpuRole& role : program->program().cpu->roles) {
    code.functions.push_back(*backend::assemble(features.isa, role.code));
  }
  return check_code(*program, code);
}

litmus::LitmusTest read(const std::string& text) {
  const auto tests = litmus::read_tests(base::Source("test", text));
  EXPECT_TRUE(tests.ok()) << base::render(tests.errors());
  return tests->front();
}

TEST(CpuCode, TheWholeCorpusMatches) {
  std::size_t matched = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests("@all", tests::kSampleStep)) {
    for (const CpuFeatures& features : {kNew, kOld, kIntel}) {
      for (const char* env : {"basic", "permute_locations=3,access_width=wide", "layout=arrays,memory_stride=16"}) {
        const std::optional<CodeCheck> check = checked(test, env, features);
        if (!check) continue;  // the reasons are tested beside the lowering
        EXPECT_TRUE(check->verdict == CodeVerdict::matched)
            << test.name << " " << env << " " << static_cast<int>(features.isa) << features.lse << ": "
            << check->reason;
        matched += check->verdict == CodeVerdict::matched;
      }
    }
  }
  EXPECT_GT(matched, 1500u / tests::kSampleStep);
}

struct Planted {
  const char* env;
  const char* text;
  const char* reason;  // the beginning, for AArch64 with the newer instructions
};

TEST(CpuCode, PlantedFaultsAreFound) {
  const Planted cases[] = {
      {"weaken=acquire", "weakspot T\n P0 ;\n ld.acq r0, x ;\n ld r1, y ;\nexists (0:r0=1)\n",
       "P0: 'ld.acq r0, x': the order is rlx, expected acqpc or acq: 'ldr w7, [x4]' at"},
      {"weaken=release", "weakspot T\n P0 ;\n st x, 1 ;\n st.rel y, 1 ;\nexists (x=1)\n",
       "P0: 'st.rel y, 1': the order is rlx, expected rel: 'str w17, [x5]' at"},
      {"weaken=fence", "weakspot T\n P0 ;\n st x, 1 ;\n fence.sc ;\n ld r0, y ;\nexists (0:r0=1)\n",
       "P0: 'fence.sc': the fence is missing from the code"},
      {"weaken=rmw", "weakspot T\n P0 ;\n atom.add r0, x, 1 ;\n ld r1, y ;\nexists (0:r0=1)\n",
       "P0: 'atom.add r0, x, 1': the code has a load, expected a read-modify-write"},
      {"weaken=swap", "weakspot T\n P0 ;\n ld r0, x ;\n ld r1, y ;\nexists (0:r0=1)\n",
       "P0: 'ld r0, x': two accesses are swapped: 'ldr w8, [x5]' at"},
      {"weaken=dependency", "weakspot T\n P0 ;\n ld r0, x ;\n xor r1, r0, r0 ;\n ld r2, y+r1 ;\nexists (0:r2=1)\n",
       "P0: 'ld r2, y+r1': the address dependency on 'ldr w"},
      {"weaken=dependency", "weakspot T\n P0 ;\n ld r0, x ;\n and r1, r0, 0 ;\n st y, r1 ;\nexists (0:r0=1)\n",
       "P0: 'st y, r1': the data dependency on 'ldr w"},
  };
  for (const Planted& planted : cases) {
    const std::optional<CodeCheck> whole = checked(read(planted.text), "basic", kNew);
    ASSERT_TRUE(whole.has_value());
    EXPECT_EQ(CodeVerdict::matched, whole->verdict) << whole->reason;
    const std::optional<CodeCheck> broken = checked(read(planted.text), planted.env, kNew);
    ASSERT_TRUE(broken.has_value());
    EXPECT_EQ(CodeVerdict::changed, broken->verdict) << planted.text;
    EXPECT_TRUE(broken->reason.starts_with(planted.reason)) << broken->reason;
  }
}

}  // namespace
}  // namespace weakspot::optcheck::cpu_code_test
