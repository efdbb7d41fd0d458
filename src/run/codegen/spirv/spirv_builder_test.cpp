// SPDX-License-Identifier: MIT
#include "codegen/spirv/spirv_builder.h"

#include <gtest/gtest.h>

#include "codegen/harness/loop_budget.h"
#include "codegen/spirv_text.h"

namespace weakspot::codegen::spirv::spirv_builder_test {
namespace {

TEST(SpirvBuilder, InstructionsCountTheirWords) {
  Instructions code;
  code.add(spv::Op::OpReturn, {});
  code.add(spv::Op::OpBranch, {7});
  EXPECT_EQ((Words{0x000100fd, 0x000200f9, 7}), code.words());
}

TEST(SpirvBuilder, StringsEndWithAZeroByte) {
  struct Case {
    const char* text;
    Words words;
  };
  const Case cases[] = {
      {"", {0}},
      {"run", {0x006e7572}},
      {"main", {0x6e69616d, 0}},
      {"count", {0x6e756f63, 0x74}},
  };
  for (const Case& one : cases) {
    Instructions code;
    code.add(spv::Op::OpName, {9}, one.text, {5});
    Words expected = {static_cast<std::uint32_t>(one.words.size() + 3) << 16 | 5, 9};
    expected.insert(expected.end(), one.words.begin(), one.words.end());
    expected.push_back(5);
    EXPECT_EQ(expected, code.words()) << one.text;
  }
}

TEST(SpirvBuilder, TypesAndConstantsExistOnce) {
  Builder builder;
  EXPECT_EQ(builder.type_int(32), builder.type_int(32));
  EXPECT_NE(builder.type_int(32), builder.type_int(64));
  EXPECT_EQ(builder.constant32(1), builder.constant32(1));
  EXPECT_NE(builder.constant32(1), builder.constant64(1));
  EXPECT_NE(builder.type_struct({builder.type_int(32)}), builder.type_struct({builder.type_int(32)}));
}

TEST(SpirvBuilder, AModuleAsText) {
  Builder builder;
  builder.capability(spv::Capability::VulkanMemoryModel);
  builder.capability(spv::Capability::Shader);
  const Id word = builder.type_int(32);
  const Id input = builder.global_variable(spv::StorageClass::Input, word);
  builder.decorate(input, spv::Decoration::BuiltIn, {word_of(spv::BuiltIn::LocalInvocationIndex)});
  const Id function = builder.id();
  builder.name(function, "say \"so\"");
  Instructions code;
  code.add(spv::Op::OpFunction, {builder.type_void(), function, 0, builder.type_function()});
  code.add(spv::Op::OpLabel, {builder.id()});
  code.add(spv::Op::OpMemoryBarrier,
           {builder.constant32(1), builder.constant32(word_of(spv::MemorySemanticsMask::AcquireRelease |
                                                              spv::MemorySemanticsMask::UniformMemory |
                                                              spv::MemorySemanticsMask::MakeVisible))});
  code.add(spv::Op::OpLoad, {word, builder.id(), input});
  code.add(spv::Op::OpStore, {input, builder.constant32(7),
                              word_of(spv::MemoryAccessMask::Aligned | spv::MemoryAccessMask::MakePointerAvailable |
                                      spv::MemoryAccessMask::NonPrivatePointer),
                              4, builder.constant32(1)});
  builder.constant64(0x123456789);
  code.add(spv::Op::OpReturn, {});
  code.add(spv::Op::OpFunctionEnd, {});
  builder.add_function(code);
  builder.entry_point(function, "run", {input}, 64);
  const base::Result<std::string> text = spirv_text(builder.words());
  ASSERT_TRUE(text.ok()) << base::render(text.errors());
  EXPECT_EQ(
      "; SPIR-V 1.5\n"
      "          OpCapability Shader\n"
      "          OpCapability Int64\n"
      "          OpCapability VulkanMemoryModel\n"
      "          OpMemoryModel PhysicalStorageBuffer64 Vulkan\n"
      "          OpEntryPoint GLCompute %4 \"run\" %3\n"
      "          OpExecutionMode %4 LocalSize 64 1 1\n"
      "          OpName %4 \"say \\\"so\\\"\"\n"
      "          OpDecorate %3 BuiltIn LocalInvocationIndex\n"
      "     %1 = OpTypeInt 32 0\n"
      "     %2 = OpTypePointer Input %1\n"
      "     %3 = OpVariable %2 Input\n"
      "     %5 = OpTypeVoid\n"
      "     %6 = OpTypeFunction %5\n"
      "     %8 = OpConstant %1 1\n"
      "     %9 = OpConstant %1 16456\n"
      "    %11 = OpConstant %1 7\n"
      "    %12 = OpTypeInt 64 0\n"
      "    %13 = OpConstant %12 4886718345\n"
      "     %4 = OpFunction %5 None %6\n"
      "     %7 = OpLabel\n"
      "          OpMemoryBarrier %8 %9  ; Device, AcquireRelease|UniformMemory|MakeVisible\n"
      "    %10 = OpLoad %1 %3\n"
      "          OpStore %3 %11 Aligned|MakePointerAvailable|NonPrivatePointer 4 %8  ; Device\n"
      "          OpReturn\n"
      "          OpFunctionEnd\n",
      *text);
}

TEST(SpirvText, OtherWordsAreRefused) {
  EXPECT_EQ("error: spirv: not a SPIR-V module\n", base::render(spirv_text(Words{1, 2, 3}).errors()));
  // An unknown capability, a count past the end, a string without an end, too many operands.
  for (const Words& bad :
       {Words{0x00020011, 99}, Words{0x00090011, 1}, Words{0x00030005, 1, 0x61616161}, Words{0x000200fd, 1}}) {
    Words module = {spv::MagicNumber, kVersion15, 0, 10, 0};
    module.insert(module.end(), bad.begin(), bad.end());
    EXPECT_EQ("error: spirv: unknown instruction at word 5\n", base::render(spirv_text(module).errors()));
  }
}

TEST(LoopBudget, SharesRoundsBetweenIterationsAndWaiting) {
  const LoopBudget none{0, 10, 1};
  EXPECT_EQ(256u, none.iterations(256, 4096));
  EXPECT_EQ(4096u, none.spins(256, 4096));
  const LoopBudget bounded{65000, 4, 1};
  EXPECT_EQ(256u, bounded.iterations(256, 4096));
  EXPECT_EQ(249u, bounded.spins(256, 4096));
  EXPECT_EQ(488u, bounded.iterations(1024, 4096));
  EXPECT_EQ(129u, bounded.spins(488, 4096));
  EXPECT_EQ(16u, bounded.spins(488, 16));
  EXPECT_EQ(1u, (LoopBudget{100, 1000, 2}.iterations(64, 16)));
  EXPECT_EQ(1u, (LoopBudget{100, 1000, 2}.spins(1, 16)));
}

}  // namespace
}  // namespace weakspot::codegen::spirv::spirv_builder_test
