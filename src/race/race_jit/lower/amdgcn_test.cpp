// SPDX-License-Identifier: MIT
// Modules of AMD's target, written by hand, in the form that the others have.
#include "race_jit/lower/amdgcn.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amd_assembly.h"
#include "race_jit/lower/amd_scopes.h"

namespace weakspot::race_jit::amdgcn_test {
namespace {

constexpr const char* kHead = R"(
target triple = "amdgcn-amd-amdhsa"
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wave.barrier()
declare i32 @llvm.amdgcn.workitem.id.y()
declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
declare ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
declare void @llvm.lifetime.start.p5(i64, ptr addrspace(5))
declare void @llvm.memcpy.p5.p4.i64(ptr addrspace(5), ptr addrspace(4), i64, i1)
)";

// The text of the module once it has the common form; what is wrong with it, if it is not valid.
std::string adopted(const std::string& body) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(kHead + body, problem, context);
  if (module == nullptr) return problem.getMessage().str();
  EXPECT_TRUE(is_amdgcn(*module));
  module->setDataLayout("e-i64:64-n8:16:32:64-S128");
  module->setTargetTriple("");
  adopt_amdgcn(*module);
  EXPECT_TRUE(is_amdgcn(*module));
  join_fences_with_barriers(*module);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(*module, &stream)) return text;
  module->print(stream, nullptr);
  return text;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Amdgcn, PrivateMemoryIsInTheCommonSpace) {
  const std::string text = adopted(R"(
define void @take(ptr addrspace(5) byref({i32, i32}) %p) {
  %slot = alloca ptr addrspace(5), addrspace(5)
  call void @llvm.lifetime.start.p5(i64 8, ptr addrspace(5) %slot)
  store ptr addrspace(5) %p, ptr addrspace(5) %slot
  %generic = addrspacecast ptr addrspace(5) %slot to ptr
  %again = load ptr addrspace(5), ptr %generic
  %member = getelementptr {i32, i32}, ptr addrspace(5) %again, i32 0, i32 1
  store i32 1, ptr addrspace(5) %member
  call void @take(ptr addrspace(5) byref({i32, i32}) %again)
  ret void
})");
  EXPECT_FALSE(has(text, "addrspace(5) %")) << text;
  EXPECT_TRUE(has(text, "define void @take(ptr %p)")) << text;
  EXPECT_TRUE(has(text, "alloca ptr, align 8\n")) << text;
  EXPECT_FALSE(has(text, "lifetime.start.p5(i64 8")) << text;
}

TEST(Amdgcn, KernelsTakeStructuresByValue) {
  const std::string text = adopted(R"(
define amdgpu_kernel void @k(ptr addrspace(1) %p, ptr addrspace(4) byref([3 x i64]) %s) #0 {
  %copy = alloca [3 x i64], addrspace(5)
  call void @llvm.memcpy.p5.p4.i64(ptr addrspace(5) %copy, ptr addrspace(4) %s, i64 24, i1 false)
  ret void
}
attributes #0 = { "amdgpu-flat-work-group-size"="1,256" "target-features"="+wavefrontsize32" })");
  EXPECT_TRUE(has(text, "define void @k(ptr addrspace(1) %p, ptr \"weakspot-by-value\"=\"24\" %s)")) << text;
  EXPECT_TRUE(has(text, "call void @llvm.memcpy.p0.p4.i64(")) << text;
  EXPECT_TRUE(has(text, "!\"kernel\", i32 1}")) << text;
  EXPECT_TRUE(has(text, "!\"maxntidx\", i32 256}")) << text;
  EXPECT_TRUE(has(text, "!{i32 32}")) << text;
}

TEST(Amdgcn, RegistersHaveTheirCommonNames) {
  const std::string text = adopted(R"(
define i32 @k() {
  %y = call i32 @llvm.amdgcn.workitem.id.y()
  %a = call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()
  %b = getelementptr i8, ptr addrspace(4) %a, i32 14
  %size = load i16, ptr addrspace(4) %b
  %blocks = load i32, ptr addrspace(4) %a
  %d = call ptr addrspace(4) @llvm.amdgcn.dispatch.ptr()
  %e = getelementptr i8, ptr addrspace(4) %d, i32 20
  %threads = load i32, ptr addrspace(4) %e
  %w = zext i16 %size to i32
  %1 = add i32 %y, %w
  %2 = add i32 %1, %threads
  %3 = add i32 %2, %blocks
  ret i32 %3
})");
  for (const char* name : {"tid.y()", "ntid.y()", "nctaid.x()", "ntid.z()", "nctaid.z()"}) {
    EXPECT_TRUE(has(text, std::string("@llvm.nvvm.read.ptx.sreg.") + name)) << name << text;
  }
  EXPECT_FALSE(has(text, "call ptr addrspace(4)")) << text;
}

// Instructions between the beginning of a function and its end.
std::string fenced(const std::string& instructions) {
  return adopted("define void @k(ptr %p) {\n" + instructions + "\nret void\n}\n");
}

TEST(Amdgcn, FencesOfTheBlockBecomePartOfTheirBarrier) {
  const std::string text = fenced(R"(
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire)");
  EXPECT_TRUE(has(text, "call void @llvm.nvvm.barrier0()")) << text;
  EXPECT_FALSE(has(text, "fence syncscope")) << text;
}

TEST(Amdgcn, WiderFencesStay) {
  const std::string text = fenced(R"(
  fence syncscope("agent") seq_cst
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acq_rel)");
  EXPECT_TRUE(has(text, "call void @llvm.nvvm.barrier0()")) << text;
  EXPECT_TRUE(has(text, "fence syncscope(\"agent\") seq_cst")) << text;
}

TEST(Amdgcn, OtherBarriersOrderNothing) {
  for (const char* text : {
           "call void @llvm.amdgcn.s.barrier()",
           "fence syncscope(\"workgroup\") release\ncall void @llvm.amdgcn.s.barrier()",
           "fence syncscope(\"workgroup\") acquire\ncall void @llvm.amdgcn.s.barrier()\n"
           "fence syncscope(\"workgroup\") release",
           "fence syncscope(\"wavefront\") release\ncall void @llvm.amdgcn.s.barrier()\n"
           "fence syncscope(\"wavefront\") acquire",
           "fence syncscope(\"workgroup\") release\nstore i32 1, ptr %p\ncall void @llvm.amdgcn.s.barrier()\n"
           "fence syncscope(\"workgroup\") acquire",
           "fence syncscope(\"workgroup\") release, !mmra !0\ncall void @llvm.amdgcn.s.barrier()\n"
           "fence syncscope(\"workgroup\") acquire",
       }) {
    const std::string mmra = "!0 = !{!\"amdgpu-as\", !\"local\"}\n";
    const std::string made = adopted(std::string("define void @k(ptr %p) {\n") + text + "\nret void\n}\n" + mmra);
    EXPECT_TRUE(has(made, "call void @llvm.amdgcn.s.barrier()")) << made;
    EXPECT_FALSE(has(made, "call void @llvm.nvvm.barrier0()")) << made;
  }
}

TEST(Amdgcn, FencesOfAWaveBelongToItsBarrier) {
  const std::string text = fenced(R"(
  fence syncscope("wavefront") release
  call void @llvm.amdgcn.wave.barrier()
  fence syncscope("wavefront") acquire)");
  EXPECT_TRUE(has(text, "call void @llvm.amdgcn.wave.barrier(), !weakspot.fences")) << text;
}

TEST(Amdgcn, WaitsDoNotPartABarrierFromItsFences) {
  const std::string text = fenced(R"ir(
  fence syncscope("wavefront") release
  call void asm sideeffect "s_waitcnt lgkmcnt(0)", "~{memory}"()
  call void @llvm.amdgcn.wave.barrier()
  fence syncscope("wavefront") acquire)ir");
  EXPECT_TRUE(has(text, "call void @llvm.amdgcn.wave.barrier(), !weakspot.fences")) << text;
}

TEST(Amdgcn, FencesAreForTheSpacesThatTheyName) {
  struct Row {
    const char* tags;
    std::optional<int> memory;
  };
  for (const Row& row :
       {Row{"!{!\"amdgpu-as\", !\"local\"}", kSharedAlone}, Row{"!{!\"amdgpu-as\", !\"global\"}", kGlobalAlone},
        Row{"!{!\"amdgpu-synchronize-as\", !\"local\"}", kSharedAlone},
        Row{"!{!\"amdgpu-as\", !\"private\"}", std::nullopt}, Row{"!{!\"other\", !\"local\"}", kAllMemory},
        Row{"!{!1, !2}\n!1 = !{!\"amdgpu-as\", !\"local\"}\n!2 = !{!\"amdgpu-as\", !\"global\"}", kAllMemory}}) {
    llvm::LLVMContext context;
    llvm::SMDiagnostic problem;
    const std::string text =
        std::string("define void @k() {\n  fence release, !mmra !0\n  ret void\n}\n!0 = ") + row.tags;
    const std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
    ASSERT_NE(module, nullptr) << problem.getMessage().str() << text;
    EXPECT_EQ(fenced_memory(module->getFunction("k")->front().front()), row.memory) << row.tags;
  }
}

TEST(Amdgcn, AssemblyWaitsAndMeets) {
  struct Row {
    const char *text, *constraints;
    bool known, barrier = false, waits_shared = false, waits_global = false;
  };
  for (const Row& row :
       {Row{"", "~{memory}", true}, Row{"; s_barrier", "", true}, Row{"s_nop 0 // and so on\n\ts_setprio 1", "", true},
        Row{"s_sendmsg 1", "", false}, Row{"s_barrier", "~{memory}", true, true},
        Row{"s_barrier\ns_barrier", "", false}, Row{"s_waitcnt lgkmcnt(0)\ns_barrier", "~{memory}", true, true, true},
        Row{"s_waitcnt vmcnt(0) lgkmcnt(0)\n s_barrier", "~{memory}", true, true, true, true},
        Row{"s_waitcnt vmcnt(3) lgkmcnt(0)\n s_barrier", "~{memory}", true, true, true},
        Row{"s_waitcnt 0\ns_barrier", "~{memory}", true, true, true, true},
        Row{"s_waitcnt 0\ns_barrier", "", true, true}, Row{"s_barrier\ns_waitcnt 0", "~{memory}", true, true},
        Row{"s_wait_dscnt 0x0\ns_waitcnt_vscnt null, 0x0\ns_barrier", "~{memory}", true, true, true, true}}) {
    llvm::LLVMContext context;
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    const auto found = read_amd_assembly(*llvm::InlineAsm::get(type, row.text, row.constraints, true));
    ASSERT_EQ(found.has_value(), row.known) << row.text;
    if (!found) continue;
    EXPECT_EQ(found->barrier, row.barrier) << row.text;
    EXPECT_EQ(found->waits_shared, row.waits_shared) << row.text;
    EXPECT_EQ(found->waits_global, row.waits_global) << row.text;
  }
}

}  // namespace
}  // namespace weakspot::race_jit::amdgcn_test
