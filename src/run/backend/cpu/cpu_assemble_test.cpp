// SPDX-License-Identifier: MIT
// The bytes of both instruction sets, on any machine. Those of AArch64 are compared as words.
#include "backend/cpu/cpu_assemble.h"

#include <gtest/gtest.h>

#include <cstring>

#include "codegen/cpu_kernel.h"
#include "codegen/lock_program.h"
#include "support/device_runs.h"

namespace weakspot::backend::cpu_assemble_test {
namespace {

using codegen::CpuImmediate;
using codegen::CpuInstruction;
using codegen::CpuIsa;
using codegen::CpuLabel;
using codegen::CpuMemory;
using codegen::CpuRegister;
using codegen::CpuWord;

constexpr CpuRegister w(std::uint8_t number) { return {number, 4}; }
constexpr CpuRegister x(std::uint8_t number) { return {number, 8}; }
constexpr CpuMemory at(std::uint8_t base) { return {base, CpuMemory::kNoIndex, 0, 4}; }

TEST(CpuAssemble, AArch64) {
  const std::pair<CpuInstruction, std::uint32_t> cases[] = {
      {{"ldr", {w(5), at(4)}}, 0xb9400085},
      {{"ldr", {x(5), CpuMemory{4, 16, 0, 8}}}, 0xf8706885},
      {{"str", {w(31), at(4)}}, 0xb900009f},
      {{"ldar", {w(5), at(4)}}, 0x88dffc85},
      {{"ldapr", {w(5), at(4)}}, 0xb8bfc085},
      {{"ldapr", {x(5), at(4)}}, 0xf8bfc085},
      {{"ldaprb", {w(5), at(4)}}, 0x38bfc085},
      {{"stlr", {w(17), at(4)}}, 0x889ffc91},
      {{"stlxr", {w(3), w(1), at(5)}}, 0x8803fca1},
      {{"stlxr", {w(3), x(1), at(5)}}, 0xc803fca1},
      {{"ldaddal", {w(17), w(0), at(4)}}, 0xb8f10080},
      {{"casa", {w(1), w(17), at(4)}}, 0x88e17c91},
      {{"dmb", {CpuWord{"ish"}}}, 0xd5033bbf},
      {{"dmb", {CpuWord{"ishld"}}}, 0xd50339bf},
      {{"dmb", {CpuWord{"ishst"}}}, 0xd5033abf},
      {{"dsb", {CpuWord{"sy"}}}, 0xd5033f9f},
      {{"isb", {}}, 0xd5033fdf},
      {{"cset", {w(17), CpuWord{"eq"}}}, 0x1a9f17f1},
      {{"csel", {w(6), w(5), w(0), CpuWord{"eq"}}}, 0x1a8000a6},
      {{"csel", {x(6), x(5), x(31), CpuWord{"lt"}}}, 0x9a9fb0a6},
      {{"mov", {w(17), CpuImmediate{-1}}}, 0x12800011},
      {{"eor", {w(7), w(6), w(6)}}, 0x4a0600c7},
  };
  for (const auto& [instruction, expected] : cases) {
    const auto bytes = assemble(CpuIsa::aarch64, {instruction});
    ASSERT_TRUE(bytes.ok()) << base::render(bytes.errors());
    ASSERT_EQ(4u, bytes->size()) << instruction.mnemonic;
    std::uint32_t word = 0;
    std::memcpy(&word, bytes->data(), 4);
    EXPECT_EQ(expected, word) << instruction.mnemonic;
  }
}

TEST(CpuAssemble, X86) {
  const CpuRegister ecx = {1, 4};
  const CpuMemory at_rsi = {6, CpuMemory::kNoIndex, 0, 4};
  const std::pair<CpuInstruction, std::vector<std::uint8_t>> cases[] = {
      {{"mov", {at_rsi, ecx}}, {0x89, 0x0e}},
      {{"mov", {ecx, at_rsi}}, {0x8b, 0x0e}},
      {{"xchg", {at_rsi, ecx}}, {0x87, 0x0e}},
      {{"lock xadd", {at_rsi, ecx}}, {0xf0, 0x0f, 0xc1, 0x0e}},
      {{"lock cmpxchg", {at_rsi, ecx}}, {0xf0, 0x0f, 0xb1, 0x0e}},
      {{"cmovne", {ecx, CpuRegister{0, 4}}}, {0x0f, 0x45, 0xc8}},
      {{"cmovge", {CpuRegister{7, 4}, CpuRegister{11, 4}}}, {0x41, 0x0f, 0x4d, 0xfb}},
      {{"cmovle", {CpuRegister{1, 8}, CpuRegister{0, 8}}}, {0x48, 0x0f, 0x4e, 0xc8}},
      {{"mfence", {}}, {0x0f, 0xae, 0xf0}},
      {{"ret", {}}, {0xc3}},
  };
  for (const auto& [instruction, expected] : cases) {
    const auto bytes = assemble(CpuIsa::x86_64, {instruction});
    ASSERT_TRUE(bytes.ok()) << base::render(bytes.errors());
    EXPECT_EQ(expected, *bytes) << instruction.mnemonic;
  }
}

TEST(CpuAssemble, BranchesGoBothWays) {
  const auto bytes = assemble(CpuIsa::aarch64, {{"label", {CpuLabel{0}}},
                                                {"b.ne", {CpuLabel{1}}},
                                                {"cbnz", {w(3), CpuLabel{0}}},
                                                {"label", {CpuLabel{1}}},
                                                {"ret", {x(30)}}});
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ((std::vector<std::uint8_t>{0x41, 0, 0, 0x54, 0xe3, 0xff, 0xff, 0x35, 0xc0, 0x03, 0x5f, 0xd6}), *bytes);
}

TEST(CpuAssemble, UnknownInstructionsAreNamed) {
  EXPECT_EQ("error: cpu: cannot encode 'wish': InvalidInstruction\n",
            base::render(assemble(CpuIsa::aarch64, {{"wish", {}}}).errors()));
  EXPECT_EQ("error: cpu: cannot encode 'lock wish': InvalidInstruction\n",
            base::render(assemble(CpuIsa::x86_64, {{"lock wish", {}}}).errors()));
}

// Everything that the lowering writes can be encoded, for machines with and without the newer instructions.
TEST(CpuAssemble, TheWholeCorpus) {
  codegen::TestEnvironment permuted;
  permuted.permute_locations = 3;
  permuted.access_width = codegen::AccessWidth::wide;
  std::size_t assembled = 0;
  for (const litmus::LitmusTest& test : testing_support::corpus_tests()) {
    for (const codegen::CpuFeatures& features :
         {codegen::CpuFeatures{CpuIsa::aarch64, true, true}, codegen::CpuFeatures{CpuIsa::aarch64, false, false},
          codegen::CpuFeatures{CpuIsa::x86_64, false, false}}) {
      for (const codegen::TestEnvironment& environment : {codegen::TestEnvironment{}, permuted}) {
        codegen::TargetLimits limits;
        limits.cpu = features;
        const auto program = codegen::TestProgram::compile(test, environment, codegen::Target::cpu, limits);
        if (!program) continue;  // the reasons are tested beside the lowering
        for (const codegen::CpuRole& role : program->program().cpu->roles) {
          const auto bytes = assemble(features.isa, role.code);
          EXPECT_TRUE(bytes.ok()) << test.name << ": " << base::render(bytes.errors());
          ++assembled;
        }
      }
    }
  }
  EXPECT_GT(assembled, 3000u);
}

TEST(CpuAssemble, Locks) {
  for (const codegen::CpuFeatures& features :
       {codegen::CpuFeatures{CpuIsa::aarch64, true, true}, codegen::CpuFeatures{CpuIsa::aarch64, false, false},
        codegen::CpuFeatures{CpuIsa::x86_64, false, false}}) {
    codegen::TargetLimits limits;
    limits.cpu = features;
    for (const codegen::LockKind kind : codegen::kLockKinds) {
      for (const codegen::LockFences fences : codegen::kLockFences) {
        const auto lock = codegen::LockProgram::compile(kind, fences, codegen::Target::cpu, limits);
        ASSERT_TRUE(lock.ok());
        for (const codegen::CpuKernel& kernel : lock->program().cpu_kernels->kernels) {
          const auto bytes = assemble(features.isa, kernel.code);
          EXPECT_TRUE(bytes.ok()) << to_string(kind) << ": " << base::render(bytes.errors());
        }
      }
    }
  }
}

}  // namespace
}  // namespace weakspot::backend::cpu_assemble_test
