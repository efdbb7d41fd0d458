// SPDX-License-Identifier: MIT
// Modules as words, and what is read of them.
#include "compile/spirv/spirv_code.h"

#include <gtest/gtest.h>

#include "compile/spirv/words.h"

namespace weakspot::compile::spirv_code_test {
namespace {

using spirv::word_of;
using spv::Op;

std::vector<std::uint32_t> string_words(const std::string& text) {
  std::vector<std::uint32_t> words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    words[i / 4] |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * (i % 4));
  }
  return words;
}

// The words of a module with a function "f" and variables that have names: 10 is ws_x, 11 wsout_r0. Types: 1 void, 2
// int, 3 a pointer to it; constants: 20 to 24 are 0 to 4, 25 is 16, 26 is 0x210, 27 is 0x48.
class Words {
 public:
  explicit Words(spv::MemoryModel model = spv::MemoryModel::OpenCL) {
    words_ = {spv::MagicNumber, 0x00010000, 0, 100, 0};
    add(Op::OpMemoryModel, {2, word_of(model)});
    link(10, "ws_x");
    link(11, "wsout_r0");
    link(12, "f");
    add(Op::OpTypeVoid, {1});
    add(Op::OpTypeInt, {2, 32, 0});
    add(Op::OpTypePointer, {3, word_of(spv::StorageClass::CrossWorkgroup), 2});
    add(Op::OpTypeFunction, {4, 1});
    add(Op::OpTypeBool, {5});
    for (std::uint32_t i = 0; i < 5; ++i) add(Op::OpConstant, {2, 20 + i, i});
    add(Op::OpConstant, {2, 25, 16});
    add(Op::OpConstant, {2, 26, 0x210});
    add(Op::OpConstant, {2, 27, 0x48});
    add(Op::OpVariable, {3, 10, 5});
    add(Op::OpVariable, {3, 11, 5});
    add(Op::OpFunction, {1, 12, 0, 4});
    add(Op::OpLabel, {13});
  }

  Words& add(Op op, std::vector<std::uint32_t> operands) {
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16 | word_of(op));
    words_.insert(words_.end(), operands.begin(), operands.end());
    return *this;
  }

  std::string bytes(bool little = true) {
    std::string text;
    for (const std::uint32_t word : words_) {
      for (unsigned i = 0; i < 4; ++i) text += static_cast<char>((word >> (8 * (little ? i : 3 - i))) & 0xff);
    }
    return text;
  }

  std::string whole(bool little = true) {
    add(Op::OpReturn, {});
    add(Op::OpFunctionEnd, {});
    return bytes(little);
  }

 private:
  void link(std::uint32_t id, const std::string& name) {
    std::vector<std::uint32_t> operands = {id, word_of(spv::Decoration::LinkageAttributes)};
    const std::vector<std::uint32_t> text = string_words(name);
    operands.insert(operands.end(), text.begin(), text.end());
    operands.push_back(0);
    add(Op::OpDecorate, operands);
  }

  std::vector<std::uint32_t> words_;
};

using Lines = std::vector<std::string>;

MachineFunction read(Words& words, bool little = true) {
  const auto functions = spirv_functions(words.whole(little), {});
  EXPECT_TRUE(functions.ok());
  return functions.ok() && functions->contains("f") ? functions->at("f") : MachineFunction{};
}

TEST(SpirvCode, AtomicsOfOpenCl) {
  for (const bool little : {true, false}) {
    Words words;
    words.add(Op::OpAtomicStore, {10, 21, 24, 21})
        .add(Op::OpAtomicLoad, {2, 30, 10, 22, 22})
        .add(Op::OpAtomicIAdd, {2, 31, 10, 20, 25, 30})
        .add(Op::OpAtomicCompareExchange, {2, 32, 10, 21, 25, 22, 21, 20})
        .add(Op::OpMemoryBarrier, {21, 26})
        .add(Op::OpStore, {11, 30});
    const MachineFunction function = read(words, little);
    EXPECT_EQ(function.machine, Machine::spirv_opencl);
    EXPECT_EQ(function.misread, "");
    EXPECT_EQ(function.lines,
              (Lines{"st.rel.dev x, 1", "ld.acq.wg r30, x", "atom.add.sc.sys r31, x, r30",
                     "atom.cas.sc.dev.failacq r32, x, 0, 1", "fence.sc.dev.semglobal", "mov result_r0, r30"}));
  }
}

TEST(SpirvCode, BarriersAndPlainAccessesOfVulkan) {
  Words words(spv::MemoryModel::GLSL450);
  words.add(Op::OpStore, {10, 21})
      .add(Op::OpControlBarrier, {22, 22, 27})
      .add(Op::OpControlBarrier, {23, 23, 20})
      .add(Op::OpControlBarrier, {22, 22, 20})
      .add(Op::OpLoad, {2, 30, 10})
      .add(Op::OpAtomicLoad, {2, 31, 10, 21, 20});
  const MachineFunction function = read(words);
  EXPECT_EQ(function.machine, Machine::spirv_vulkan);
  EXPECT_EQ(function.lines, (Lines{"st.na.sc0.nonpriv x, 1", "bar.wg.acqrel.memwg.semsc0.av.vis", "bar.sg", "bar.wg",
                                   "ld.na.sc0.nonpriv r30, x", "ld.rlx.dev.sc0 r31, x"}));
}

TEST(SpirvCode, PrivateAccessesOfVulkan) {
  Words words(spv::MemoryModel::Vulkan);
  // NonPrivatePointer and MakePointerAvailable, of the device.
  words.add(Op::OpStore, {10, 21}).add(Op::OpStore, {10, 22, 0x2a, 4, 21});
  EXPECT_EQ(read(words).lines, (Lines{"st.na.sc0 x, 1", "st.na.sc0.nonpriv.av.dev x, 2"}));
}

TEST(SpirvCode, BranchesAndValuesThatTheyGive) {
  Words words;
  words.add(Op::OpAtomicLoad, {2, 30, 10, 21, 20})
      .add(Op::OpINotEqual, {5, 31, 30, 20})
      .add(Op::OpSelectionMerge, {41, 0})
      .add(Op::OpBranchConditional, {31, 40, 41})
      .add(Op::OpLabel, {40})
      .add(Op::OpAtomicStore, {10, 21, 20, 22})
      .add(Op::OpBranch, {41})
      .add(Op::OpLabel, {41})
      .add(Op::OpPhi, {2, 32, 20, 13, 21, 40})
      .add(Op::OpStore, {11, 32});
  EXPECT_EQ(read(words).lines,
            (Lines{"ld.rlx.dev r30, x", "ne r31, r30, 0", "mov phi32, 0", "bne r31, 0, L40", "b L41",
                   "L40:", "st.rlx.dev x, 2", "mov phi32, 1", "L41:", "mov r32, phi32", "mov result_r0, r32"}));
}

TEST(SpirvCode, NamesWhatItDoesNotUnderstand) {
  Words call;
  call.add(Op::OpFunctionCall, {1, 30, 12});
  EXPECT_EQ(read(call).misread, "instruction 57 of SPIR-V");
  Words scope;
  scope.add(Op::OpAtomicLoad, {2, 30, 10, 25, 20});
  EXPECT_EQ(read(scope).misread, "a scope that the memory model does not have");
  Words result;
  result.add(Op::OpAtomicLoad, {2, 30, 11, 21, 20});
  EXPECT_EQ(read(result).misread, "a result is accessed in an unknown way");
}

TEST(SpirvCode, DamagedModulesAreAnError) {
  Words words;
  const std::string bytes = words.whole();
  EXPECT_TRUE(is_spirv(bytes));
  EXPECT_FALSE(is_spirv("hello"));
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    refused += spirv_functions(bytes.substr(0, size), {}).ok() ? 0 : 1;
  }
  EXPECT_GT(refused, bytes.size() * 3 / 4);
  // Reading ends for every value of every byte.
  for (std::size_t at = 4; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    (void)spirv_functions(changed, {}).ok();
  }
}

TEST(SpirvCode, SeveralModulesInAFile) {
  Words one, other;
  other.add(Op::OpAtomicStore, {10, 21, 20, 21});
  const auto functions = spirv_functions(one.whole() + other.whole(), {});
  ASSERT_TRUE(functions.ok());
  EXPECT_EQ(functions->at("f").lines, (Lines{"st.rlx.dev x, 1"}));
}

}  // namespace
}  // namespace weakspot::compile::spirv_code_test
