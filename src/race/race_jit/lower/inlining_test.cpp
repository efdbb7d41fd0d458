// SPDX-License-Identifier: MIT
#include "race_jit/lower/inlining.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

#include <stdexcept>

namespace weakspot::race_jit::inlining_test {
namespace {

class Inlined {
 public:
  explicit Inlined(const std::string& text) {
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_) throw std::runtime_error(problem.getMessage().str());
    inline_functions(*module_);
    EXPECT_FALSE(llvm::verifyModule(*module_));
  }

  bool has(const std::string& name) const { return module_->getFunction(name) != nullptr; }
  std::size_t size(const std::string& name) const { return module_->getFunction(name)->getInstructionCount(); }

  // The names of what a function calls, in the order of its code.
  std::vector<std::string> calls(const std::string& name) const {
    std::vector<std::string> names;
    for (const llvm::BasicBlock& block : *module_->getFunction(name)) {
      for (const llvm::Instruction& instruction : block) {
        if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
          names.push_back(call->getCalledFunction()->getName().str());
        }
      }
    }
    return names;
  }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

using Names = std::vector<std::string>;

// Wrappers keep their argument in a stack slot, as clang writes it, and hand it on.
TEST(Inlining, LeavesNothingOfWrappers) {
  std::string text =
      "declare void @use(ptr)\ndefine internal void @f0(ptr %p) {\n  call void @use(ptr %p)\n  ret void\n}\n";
  for (int i = 1; i <= 40; ++i) {
    text += fmt::format(
        "define internal void @f{}(ptr %p) {{\n  %slot = alloca ptr\n  store ptr %p, ptr %slot\n"
        "  %again = load ptr, ptr %slot\n  call void @f{}(ptr %again)\n  ret void\n}}\n",
        i, i - 1);
  }
  text += "define void @k(ptr %p) {\n  call void @f40(ptr %p)\n  call void @f40(ptr %p)\n  ret void\n}\n";
  const Inlined inlined(text);
  EXPECT_EQ(inlined.calls("k"), Names({"use", "use"}));
  EXPECT_EQ(inlined.size("k"), 3u);
  EXPECT_FALSE(inlined.has("f0"));
  EXPECT_FALSE(inlined.has("f40"));
}

TEST(Inlining, KeepsTheOrderOfCalls) {
  const Inlined inlined(
      "declare void @a()\ndeclare void @b()\n"
      "define internal void @both(i1 %c) {\n  call void @a()\n  br i1 %c, label %more, label %end\n"
      "more:\n  call void @b()\n  br label %end\nend:\n  ret void\n}\n"
      "define void @k(i1 %c) {\n  call void @b()\n  call void @both(i1 %c)\n  call void @a()\n"
      "  call void @both(i1 %c)\n  ret void\n}\n");
  EXPECT_EQ(inlined.calls("k"), Names({"b", "a", "b", "a", "a", "b"}));
}

TEST(Inlining, LeavesFunctionsThatCallThemselves) {
  const Inlined inlined(
      "define internal void @direct() {\n  call void @direct()\n  ret void\n}\n"
      "define internal void @ping() {\n  call void @pong()\n  ret void\n}\n"
      "define internal void @pong() {\n  call void @ping()\n  ret void\n}\n"
      "define internal void @outer() {\n  call void @direct()\n  call void @ping()\n  ret void\n}\n"
      "define void @k() {\n  call void @outer()\n  ret void\n}\n");
  EXPECT_EQ(inlined.calls("k"), Names({"direct", "ping"}));
  EXPECT_EQ(inlined.calls("ping"), Names({"pong"}));
  EXPECT_FALSE(inlined.has("outer"));
}

TEST(Inlining, LeavesFunctionsThatAskForIt) {
  const Inlined inlined(
      "define internal void @apart() noinline {\n  ret void\n}\n"
      "define internal void @unused() noinline {\n  ret void\n}\n"
      "define void @k() {\n  call void @apart()\n  ret void\n}\n");
  EXPECT_EQ(inlined.calls("k"), Names({"apart"}));
  EXPECT_FALSE(inlined.has("unused"));
}

// A slot becomes a value; an access to memory that others see stays, even if nobody looks at what it reads.
TEST(Inlining, KeepsAccesses) {
  const Inlined inlined(
      "define internal void @read(ptr %p) {\n  %v = load i32, ptr %p\n  %w = load i32, ptr %p\n  ret void\n}\n"
      "define void @k(ptr %p) {\n  call void @read(ptr %p)\n  ret void\n}\n");
  EXPECT_EQ(inlined.size("k"), 3u);
}

}  // namespace
}  // namespace weakspot::race_jit::inlining_test
