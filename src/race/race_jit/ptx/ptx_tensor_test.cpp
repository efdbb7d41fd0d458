// SPDX-License-Identifier: MIT
#include "race_jit/ptx/ptx_tensor.h"

#include <gtest/gtest.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace weakspot::race_jit::ptx_tensor_test {
namespace {

// The functions that an instruction becomes calls of, with their numbers; "-" if it is not understood.
std::vector<std::string> lowered(const std::string& text) {
  llvm::LLVMContext context;
  llvm::Module module("test", context);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                                          llvm::GlobalValue::ExternalLinkage, "f", module);
  PtxBuilder builder(context, llvm::ConstantFolder(), llvm::IRBuilderCallbackInserter([](llvm::Instruction*) {}));
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", function));
  const PtxInstruction instruction = parse_inline_ptx(text)->front();
  std::vector<std::string> calls;
  auto constant = [](llvm::Type* type) -> llvm::Value* { return llvm::Constant::getNullValue(type); };
  const PtxTools tools{
      .builder = builder,
      .value = [&](std::size_t, llvm::Type* type) { return constant(type); },
      .operand = [&](const PtxOperand&, llvm::Type* type) { return constant(type); },
      .assign = [](std::size_t, llvm::Value*) { return true; },
      .assign_to = [](const PtxOperand&, llvm::Value*) { return true; },
      .lane = [&] { return constant(builder.getInt32Ty()); },
      .hook = [&](const char* name, llvm::Type*, const std::vector<llvm::Value*>& arguments) -> llvm::Value* {
        std::string call = std::string(name).substr(std::string("weakspot_tmem_").size());
        for (const llvm::Value* argument : arguments) {
          const auto* number = llvm::dyn_cast<llvm::ConstantInt>(argument);
          call += " " + (number != nullptr ? std::to_string(number->getZExtValue()) : "p");
        }
        calls.push_back(call);
        return builder.getInt32(0);
      }};
  EXPECT_TRUE(is_ptx_tensor(instruction)) << text;
  return lower_ptx_tensor(instruction, tools) ? calls : std::vector<std::string>{"-"};
}

using Calls = std::vector<std::string>;

TEST(PtxTensor, Allocates) {
  EXPECT_EQ(lowered("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$0], 64;"), Calls{"alloc p 0"});
  EXPECT_EQ(lowered("tcgen05.dealloc.cta_group::1.sync.aligned.b32 $0, 64;"), Calls{"dealloc 0 0"});
  EXPECT_EQ(lowered("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"), Calls{"relinquish"});
}

TEST(PtxTensor, LoadsAndStoresAsManyRegistersAsTheShapeHas) {
  EXPECT_EQ(lowered("tcgen05.ld.sync.aligned.32x32b.x2.b32 {$0, $1}, [$2+4];"),
            (Calls{"load 4 0 2 0", "get 0", "get 1"}));
  EXPECT_EQ(lowered("tcgen05.ld.sync.aligned.16x64b.x1.pack::16b.b32 {$0}, [$1];"), (Calls{"load 0 1 1 1", "get 0"}));
  EXPECT_EQ(lowered("tcgen05.st.sync.aligned.16x128b.x1.b32 [$0], {$1, $2};"),
            (Calls{"set 0 0", "set 1 0", "store 0 2 2 0"}));
  EXPECT_EQ(lowered("tcgen05.ld.sync.aligned.16x256b.x1.b32 {$0, $1}, [$2];"), Calls{"-"});
  EXPECT_EQ(lowered("tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {$0}, [$1], 16;"), Calls{"-"});
  EXPECT_EQ(lowered("tcgen05.ld.red.sync.aligned.32x32b.x2.u32.max {$0, $1}, $2, [$3];"), Calls{"-"});
}

TEST(PtxTensor, WaitsAndFences) {
  EXPECT_EQ(lowered("tcgen05.wait::ld.sync.aligned;"), Calls{"wait 0"});
  EXPECT_EQ(lowered("tcgen05.wait::st.sync.aligned;"), Calls{"wait 1"});
  EXPECT_EQ(lowered("tcgen05.fence::before_thread_sync;"), Calls{"fence 0"});
  EXPECT_EQ(lowered("tcgen05.fence::after_thread_sync;"), Calls{"fence 1"});
  EXPECT_EQ(lowered("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [$0];"),
            Calls{"commit p 0"});
}

// Sums, factors, descriptor, kind, whether the first factor is in tensor memory, whether to add, scale, disabled lanes.
TEST(PtxTensor, Multiplies) {
  EXPECT_EQ(lowered("tcgen05.mma.cta_group::1.kind::f16 [$0], $1, $2, $3, p;"), Calls{"product 0 0 0 0 0 0 0 0 0"});
  EXPECT_EQ(lowered("tcgen05.mma.cta_group::1.kind::i8 [$0], [$1], $2, $3, {$4, $5, $6, $7}, p;"),
            Calls{"product 0 0 0 0 3 1 0 0 0"});
  EXPECT_EQ(lowered("tcgen05.cp.cta_group::1.128x256b [$0], $1;"), Calls{"copy 0 0 128 8"});
  EXPECT_EQ(lowered("tcgen05.cp.cta_group::1.32x128b.warpx4 [$0], $1;"), Calls{"copy 0 0 32 4"});
}

TEST(PtxTensor, TheRestIsNotUnderstood) {
  for (const char* text :
       {"tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [$0], 64;",
        "tcgen05.mma.cta_group::2.kind::f16 [$0], $1, $2, $3, p;",
        "tcgen05.mma.ws.cta_group::1.kind::f16 [$0], $1, $2, $3, p;",
        "tcgen05.mma.sp.cta_group::1.kind::f16 [$0], $1, $2, [$3], $4, p;",
        "tcgen05.mma.cta_group::1.kind::mxf4.block_scale [$0], $1, $2, $3, [$4], [$5], p;",
        "tcgen05.mma.cta_group::1.kind::f16.collector::a::use [$0], $1, $2, $3, p;",
        "tcgen05.cp.cta_group::1.4x256b [$0], $1;", "tcgen05.cp.cta_group::1.64x128b.warpx2::02_13 [$0], $1;",
        "tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [$0], $1;", "tcgen05.shift.cta_group::1.down [$0];",
        "tcgen05.alloc.exclusive.cta_group::1.sync.aligned.shared::cta.b32 [$0], 64;",
        "tcgen05.dealloc.exclusive.cta_group::1.sync.aligned.b32 $0, 64;",
        "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [$0];",
        "tcgen05.mma.cta_group::1.kind::f16.ashift [$0], [$1], $2, $3, p;"}) {
    EXPECT_EQ(lowered(text), Calls{"-"}) << text;
  }
}

}  // namespace
}  // namespace weakspot::race_jit::ptx_tensor_test
