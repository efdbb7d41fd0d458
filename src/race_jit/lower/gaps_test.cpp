// SPDX-License-Identifier: MIT
#include "race_jit/lower/gaps.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <stdexcept>

namespace weakspot::race_jit {
namespace {

// A function whose loads and stores are lines of their own, from 1 in the order of the text.
class Code {
 public:
  explicit Code(const std::string& body) {
    const std::string text =
        "declare void @weakspot_barrier(i32)\ndeclare void @weakspot_syncwarp(i32, i32)\n"
        "define void @k(ptr %p, i1 %c) {\n" +
        body + "}\n";
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_) throw std::runtime_error(problem.getMessage().str());
    gaps_.read(*module_);
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("k"))) {
      if (!llvm::isa<llvm::LoadInst>(instruction) && !llvm::isa<llvm::StoreInst>(instruction)) continue;
      const auto line = static_cast<unsigned>(sites_.size());
      sites_.emplace_back();
      sites_.back().place = {"k.cu", line, 1};
      gaps_.place(static_cast<race::SiteId>(line), instruction);
    }
  }

  // "before 2, after 1"
  std::string between(race::SiteId a, race::SiteId b, BarrierOf reach = BarrierOf::block) const {
    std::string text;
    for (const race::Gap& gap : gaps_.between(a, b, reach, sites_)) {
      text += (text.empty() ? "" : ", ") + std::string(gap.after ? "after " : "before ") + std::to_string(gap.line);
    }
    return text;
  }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
  std::vector<race::Site> sites_ = std::vector<race::Site>(1);
  Gaps gaps_;
};

const std::string kStore = "  store i32 1, ptr %p\n", kBarrier = "  call void @weakspot_barrier(i32 9)\n";
std::string load(const char* name) { return std::string("  %") + name + " = load i32, ptr %p\n"; }

TEST(Gaps, LieBetweenTwoLines) {
  const Code code(kStore + kStore + load("x") + load("y") + "  ret void\n");
  EXPECT_EQ(code.between(1, 3), "after 1, before 2, after 2, before 3");
  EXPECT_EQ(code.between(2, 3), "after 2, before 3");
  EXPECT_EQ(code.between(3, 2), "after 2, before 3");
  EXPECT_EQ(code.between(2, 4), "after 2, before 3, after 3, before 4");
  EXPECT_EQ(code.between(2, 2), "");
}

// They raced all the same, so the code does not tell why.
TEST(Gaps, AreNotKnownAcrossABarrier) {
  const Code code(kStore + kBarrier + load("x") + "  ret void\n");
  EXPECT_EQ(code.between(1, 2), "");
  EXPECT_EQ(code.between(1, 2, BarrierOf::grid), "after 1, before 2") << "a barrier of the block orders only the block";
}

TEST(Gaps, OfALoopMayBeBehindItsEnd) {
  const std::string end = "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n";
  EXPECT_EQ(Code("  br label %loop\nloop:\n" + kStore + kBarrier + load("x") + end).between(1, 2), "before 1, after 2");
  // Without any barrier, one is not enough.
  EXPECT_EQ(Code("  br label %loop\nloop:\n" + kStore + load("x") + end).between(1, 2), "");
}

TEST(Gaps, DoNotExistBetweenSidesOfABranch) {
  const Code code("  br i1 %c, label %one, label %two\none:\n" + kStore + "  br label %done\ntwo:\n" + load("x") +
                  "  br label %done\ndone:\n  ret void\n");
  EXPECT_EQ(code.between(1, 2), "");
}

// A thread that does not store must meet the others as well.
TEST(Gaps, AreWhereAllThreadsPass) {
  const Code code("  br i1 %c, label %some, label %all\nsome:\n" + kStore + "  br label %all\nall:\n" + load("x") +
                  "  ret void\n");
  EXPECT_EQ(code.between(1, 2), "before 2");
}

TEST(Gaps, CountBarriersOfWholeWarpsForWarps) {
  auto code = [](const char* mask) {
    return Code("  br label %loop\nloop:\n" + kStore + "  call void @weakspot_syncwarp(i32 " + mask + ", i32 9)\n" +
                load("x") + "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n")
        .between(1, 2, BarrierOf::warp);
  };
  EXPECT_EQ(code("-1"), "before 1, after 2");
  EXPECT_EQ(code("15"), "");
}

}  // namespace
}  // namespace weakspot::race_jit
