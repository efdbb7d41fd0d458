// SPDX-License-Identifier: MIT
#include "race_jit/from_ptx/translate.h"

#include <gtest/gtest.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <cstdlib>
#include <filesystem>

#include "base/file.h"
#include "race_jit/from_ptx/places.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/machine/machine.h"
#include "support/shared_data.h"

namespace weakspot::race_jit::translate_test {
namespace {

const std::string kHead = ".version 8.7\n.target sm_90a\n.address_size 64\n";

// The translated module as text.
std::string code_of(const std::string& text, const PtxOptions& options = {}) {
  const base::Result<std::string> bitcode = bitcode_of_ptx(base::Source("k.ptx", kHead + text), options);
  if (!bitcode) return base::render(bitcode.errors());
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(*bitcode, "k"), context);
  if (!module) return llvm::toString(module.takeError());
  std::string code;
  llvm::raw_string_ostream stream(code);
  (*module)->print(stream, nullptr);
  return code;
}

bool has(const std::string& code, const std::string& part) { return code.find(part) != std::string::npos; }

TEST(FromPtx, MakesPointersOfAddresses) {
  const std::string code = code_of(
      ".extern .shared .align 16 .b8 smem[];\n"
      ".entry k(.param .u64 .ptr .global .align 4 k_param_0, .param .u64 k_param_1) .reqntid 128 {\n"
      ".reg .b32 %r<4>;\n.reg .b64 %rd<5>;\n"
      "ld.param.u64 %rd1, [k_param_0];\nld.param.u64 %rd4, [k_param_1];\nmov.u32 %r1, %tid.x;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.b32 %r2, [%rd3+8];\n"
      "mov.b32 %r3, smem;\nadd.s32 %r3, %r3, %r1;\nst.shared.b32 [%r3], %r2;\nret;\n}\n");
  EXPECT_TRUE(has(code, "define void @k(ptr %param_0, i64 %param_1)")) << code;
  EXPECT_TRUE(has(code, "getelementptr i8, ptr %param_0")) << code;
  EXPECT_TRUE(has(code, "getelementptr i8, ptr %smem")) << code;
  EXPECT_FALSE(has(code, "inttoptr")) << code;
  EXPECT_TRUE(has(code, "\"weakspot-block\"=\"128\"")) << code;
}

// Each address follows from the one before: its distance is computed once, however many accesses follow.
TEST(FromPtx, KeepsLongChainsOfAddressesShort) {
  std::string text =
      ".entry k(.param .u64 .ptr .global .align 4 k_param_0) {\n.reg .b32 %r<2>;\n.reg .b64 %rd<2>;\n"
      "ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\n";
  for (int i = 0; i < 300; ++i) text += "st.global.b32 [%rd1], %r1;\nadd.s64 %rd1, %rd1, 256;\n";
  const std::string code = code_of(text + "ret;\n}\n");
  EXPECT_FALSE(has(code, "inttoptr")) << code.substr(0, 2000);
  std::size_t sums = 0;
  for (std::size_t at = code.find(" = add "); at != std::string::npos; at = code.find(" = add ", at + 1)) ++sums;
  EXPECT_LE(sums, 2u * 300);
}

// Two accesses by one register have one address, which is how the first read of a compare-and-swap loop is known.
TEST(FromPtx, GivesOneRegisterOneAddress) {
  const std::string code = code_of(
      ".entry k(.param .u64 .ptr .global .align 4 k_param_0) {\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [k_param_0];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
      "ld.global.b32 %r2, [%rd3];\nst.global.b32 [%rd3], %r1;\nret;\n}\n");
  std::vector<std::string> addresses;
  for (std::size_t at = code.find("getelementptr"); at != std::string::npos; at = code.find("getelementptr", at + 1)) {
    addresses.push_back(code.substr(at, code.find(',', code.find("i64", at)) - at));
  }
  ASSERT_EQ(addresses.size(), 2u) << code;
  EXPECT_EQ(addresses[0], addresses[1]) << code;
}

// The toolkit's groups of several warps meet in memory that the system reserves.
TEST(FromPtx, ReservesSharedMemory) {
  const std::string code = code_of(
      ".entry k() {\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n.reg .u32 start;\nmov.u32 start, %reserved_smem_offset_1;\n"
      "cvt.u64.u32 %rd1, start;\ncvta.shared.u64 %rd2, %rd1;\nst.b32 [%rd2+4], 1;\n"
      "mov.u32 %r1, %reserved_smem_offset_cap;\nst.shared.b32 [start], %r1;\nret;\n}\n");
  EXPECT_TRUE(has(code, "@\"%reserved_smem\" =")) << code;
  EXPECT_TRUE(has(code, "[1024 x i8]")) << code;
  EXPECT_TRUE(has(code, "store i32 1024, ptr %\"%reserved_smem\"")) << code;
  EXPECT_FALSE(has(code, "inttoptr")) << code;
}

// A module without code, with the names of one kernel's parameters and another list.
std::string notes_of(const std::vector<std::string>& words) {
  llvm::LLVMContext context;
  llvm::Module module("notes", context);
  std::vector<llvm::Metadata*> parts;
  for (const std::string& word : words) parts.push_back(llvm::MDString::get(context, word));
  for (const char* list : {"weakspot.parameters", "weakspot.one_block"}) {
    module.getOrInsertNamedMetadata(list)->addOperand(llvm::MDNode::get(context, parts));
  }
  std::string bitcode;
  llvm::raw_string_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  return stream.str();
}

TEST(FromPtx, TakesNamesAndListsFromTheSyntaxOfTheSource) {
  const std::string text = ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) { ret; }\n";
  auto translated = [&](const std::vector<std::string>& words) {
    return code_of(text, {.shared = 0, .source = "k.cu", .notes = notes_of(words)});
  };
  const std::string code = translated({"k", "in", "n"});
  EXPECT_TRUE(has(code, "@k(i64 %in, i32 %n)")) << code;
  EXPECT_TRUE(has(code, "!weakspot.one_block = ")) << code;
  EXPECT_FALSE(has(code, "weakspot.parameters")) << code;
  EXPECT_TRUE(has(code, "filename: \"k.cu\"")) << code;
  EXPECT_FALSE(has(code, "filename: \"k.ptx\"")) << code;
  // Names of another number of parameters are not this kernel's.
  EXPECT_TRUE(has(translated({"k", "in"}), "@k(i64 %param_0, i32 %param_1)"));
}

TEST(FromPtx, ReadsStructuresThroughTheirAddress) {
  const std::string code = code_of(
      ".entry k(.param .align 16 .b8 k_param_0[32]) {\n.reg .b32 %r<5>;\n.reg .b64 %rd<2>;\n"
      "mov.b64 %rd1, k_param_0;\nld.param.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1+16];\nret;\n}\n");
  EXPECT_TRUE(has(code, "load <4 x i32>, ptr")) << code;
  EXPECT_FALSE(has(code, "asm ")) << code;
}

TEST(FromPtx, KnowsPointersByUseAndByMangledNames) {
  const std::string used = code_of(
      ".entry k(.param .u64 k_param_0, .param .u64 k_param_1) {\n.reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [k_param_0];\ncvta.to.global.u64 %rd2, %rd1;\nst.global.u64 [%rd2], 1;\nret;\n}\n");
  EXPECT_TRUE(has(used, "@k(ptr %param_0, i64 %param_1)")) << used;
  const std::string named =
      code_of(".entry _Z1kPil(.param .u64 _Z1kPil_param_0, .param .u64 _Z1kPil_param_1) { ret; }\n");
  EXPECT_TRUE(has(named, "@_Z1kPil(ptr %param_0, i64 %param_1)")) << named;
}

// An instruction that is not plain is one call of inline assembly, under its predicate; an instruction that nobody
// knows as well, for the list of what is not modelled.
TEST(FromPtx, LeavesOtherInstructionsToAssembly) {
  const std::string code = code_of(
      ".entry k() {\n.reg .pred %p<3>;\n.reg .b32 %r<3>;\n"
      "@%p1 bar.sync 1, 64;\nshfl.sync.up.b32 %r1|%p2, %r2, 1, 0, -1;\nfrobnicate.b32 %r1, %r2;\nret;\n}\n");
  EXPECT_TRUE(has(code, "asm sideeffect \"bar.sync 1, 64;\"")) << code;
  EXPECT_TRUE(has(code, "asm sideeffect \"shfl.sync.up.b32 $0, $1, $2, 1, 0, -1;\", \"=r,=r,r\"")) << code;
  EXPECT_TRUE(has(code, "asm sideeffect \"frobnicate.b32 $0, $1;\"")) << code;
}

// Two instructions of one line are two, and each call of assembly knows which it was.
TEST(FromPtx, CountsInstructionsAndTheirPlaces) {
  const std::string code = code_of(
      ".entry k() {\n.reg .b32 %r<3>;\nbar.sync 0; bar.sync 1;\nadd.u32 %r1, %r2, 1;\nret;\n}\n.func f() { ret; }\n");
  EXPECT_TRUE(has(code, "!weakspot.instructions = ")) << code;
  EXPECT_TRUE(has(code, "!{i64 5}")) << code;
  EXPECT_TRUE(has(code, "!{!\"k.ptx\", i64 6, i64 1}")) << code;
  EXPECT_TRUE(has(code, "!{!\"k.ptx\", i64 6, i64 13}")) << code;
}

TEST(FromPtx, NamesTheUsersLines) {
  const std::string code = code_of(
      ".entry k() {\n.loc 2 170 27 // standard.py:170:27 @[ helper.py:7:3 @[ kernels.py:33:15 ] ]\n"
      "bar.sync 0;\nret;\n}\n.file 1 \"kernels.py\"\n.file 2 \"standard.py\"\n");
  EXPECT_TRUE(has(code, "!DILocation(line: 7, column: 3")) << code;
  EXPECT_TRUE(has(code, "!DILocation(line: 33, column: 15")) << code;
  EXPECT_FALSE(has(code, "line: 170")) << code;
  EXPECT_TRUE(has(code, "!{!\"standard.py\", i64 170, i64 27}")) << code;
  EXPECT_TRUE(is_library_file("standard.py"));
  EXPECT_TRUE(is_library_file("/usr/lib/python3/dist-packages/triton/language/standard.py"));
  EXPECT_FALSE(is_library_file("/home/me/standard.py"));
}

TEST(FromPtx, NamesLinesOfThePtxWhereItNamesNoSource) {
  EXPECT_TRUE(has(code_of(".entry k() {\nbar.sync 0;\nret;\n}\n"), "!DILocation(line: 5, column: 1"));
  const std::string code = code_of(".entry k() {\n.loc 1 0 3\nbar.sync 0;\nret;\n}\n.file 1 \"a.cu\"\n");
  EXPECT_TRUE(has(code, "!DILocation(line: 6, column: 1")) << code;
}

// Real modules, where the checkout has them beside it.
TEST(FromPtx, TranslatesWhatCompilersMake) {
  const std::filesystem::path folder = support::shared_data("ptx-kernels");
  if (folder.empty()) GTEST_SKIP() << "no folder shared/data/ptx-kernels beside the checkout";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".ptx") continue;
    const base::Source source(entry.path().string(), *base::read_file(entry.path().string()));
    const base::Result<std::string> bitcode = bitcode_of_ptx(source);
    EXPECT_TRUE(bitcode.ok()) << base::render(bitcode.errors());
  }
}

TEST(FromPtx, SaysHowManyPlacesFindNoNumber) {
  const base::Result<std::string> bitcode = bitcode_of_ptx(base::Source(
      "k.ptx", kHead + ".entry k(.param .u64 .ptr .global .align 4 k_param_0) {\n.reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n"
                       "ld.param.u64 %rd1, [k_param_0];\nld.global.b32 %r1, [%rd1];\nld.global.b32 %r2, [%rd1+4];\n"
                       "st.global.b32 [%rd1+8], %r1;\nst.global.b32 [%rd1+12], %r2;\nret;\n}\n"));
  ASSERT_TRUE(bitcode);
  Machine machine(std::move(*Arena::create()), MachineOptions{});
  machine.sites().resize(65'533);
  const std::unique_ptr<DeviceModule> module = std::move(*load_device_module(*bitcode, machine, {}));
  ASSERT_EQ(module->left_out().size(), 1u);
  EXPECT_TRUE(module->left_out()[0].concerns_all);
  EXPECT_EQ(module->left_out()[0].what, "places behind the first 65535, so that 2 more share one without a line");
}

}  // namespace
}  // namespace weakspot::race_jit::translate_test
