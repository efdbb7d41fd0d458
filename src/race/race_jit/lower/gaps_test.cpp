// SPDX-License-Identifier: MIT
#include "race_jit/lower/gaps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace weakspot::race_jit {
namespace {

// A kernel whose loads, stores and atomics are statements on lines of their own, from 1 in the order of the text.
class Code {
 public:
  explicit Code(const std::string& body) {
    const std::string folder = std::filesystem::current_path().string();
    std::string text =
        "declare void @weakspot_barrier(i32)\ndeclare void @weakspot_syncwarp(i32, i32)\n"
        "declare void @weakspot_fence(i32, i32, i32)\n"
        "declare i64 @weakspot_atomic(ptr, i32, i32, i32, i32, i64, i64, i32)\ndeclare i1 @differs()\n"
        "@flag = external global i64\n"
        "define void @k(ptr %p, i1 %c) #0 !dbg !10 {\n";
    std::string places, statements;
    unsigned lines = 0;
    std::istringstream words(body);
    for (std::string line; std::getline(words, line);) {
      const bool accesses = line.find("load") != std::string::npos || line.find("store") != std::string::npos ||
                            line.find("@weakspot_atomic") != std::string::npos;
      if (accesses) {
        ++lines;
        if (const std::size_t site = line.find("SITE"); site != std::string::npos) {
          line.replace(site, 4, std::to_string(lines));
        }
        line += fmt::format(", !dbg !{}", 20 + lines);
        places += fmt::format("!{} = !DILocation(line: {}, column: 1, scope: !10)\n", 20 + lines, lines);
        statements += fmt::format("{0} {0} 3;", lines);
      }
      text += line + "\n";
    }
    text += fmt::format(
        "}}\nattributes #0 = {{ \"weakspot-kernel\" }}\n!llvm.dbg.cu = !{{!0}}\n!llvm.module.flags = !{{!2}}\n"
        "!weakspot.statements = !{{!3}}\n"
        "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)\n"
        "!1 = !DIFile(filename: \"k.cu\", directory: \"{0}\")\n!2 = !{{i32 2, !\"Debug Info Version\", i32 3}}\n"
        "!3 = !{{!\"{0}/k.cu\", !\"{1}\"}}\n"
        "!10 = distinct !DISubprogram(name: \"k\", file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)\n{2}",
        folder, statements, places);
    llvm::SMDiagnostic problem;
    module_ = llvm::parseAssemblyString(text, problem, context_);
    if (!module_) throw std::runtime_error(problem.getMessage().str());
    gaps_.read(*module_);
    for (const llvm::Instruction& instruction : llvm::instructions(*module_->getFunction("k"))) {
      const llvm::DILocation* at = instruction.getDebugLoc();
      if (at == nullptr) continue;
      sites_.emplace_back();
      sites_.back().place = {"k.cu", at->getLine(), 1};
      gaps_.place(static_cast<race::SiteId>(at->getLine()), instruction);
    }
  }

  // "before 2, after 1"
  std::string between(race::SiteId a, race::SiteId b, BarrierOf reach = BarrierOf::block) const {
    std::string text;
    for (const race::Gap& gap : gaps_.between(a, b, reach, sites_).all) {
      text += (text.empty() ? "" : ", ") + gap_text(gap);
    }
    return text;
  }
  std::string best(race::SiteId a, race::SiteId b) const {
    return gap_text(gaps_.between(a, b, BarrierOf::block, sites_).best);
  }
  std::string between_rounds(race::SiteId a, race::SiteId b) const {
    return gap_text(gaps_.between(a, b, BarrierOf::block, sites_).between_rounds);
  }
  std::optional<SignalGaps> signal(race::SiteId a, race::SiteId b) const { return gaps_.signal(a, b, true, sites_); }
  static std::string gap_text(const std::optional<race::Gap>& gap) {
    return gap ? fmt::format("{} {}", gap->after ? "after" : "before", gap->line) : "none";
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

// The accesses raced despite the barrier, so the code does not tell why.
TEST(Gaps, AreNotKnownAcrossABarrier) {
  const Code code(kStore + kBarrier + load("x") + "  ret void\n");
  EXPECT_EQ(code.between(1, 2), "");
  EXPECT_EQ(code.between(1, 2, BarrierOf::grid), "after 1, before 2") << "a barrier of the block orders only the block";
}

TEST(Gaps, OfALoopMayBeBehindItsEnd) {
  const std::string end = "  br i1 %c, label %loop, label %done\ndone:\n  ret void\n";
  EXPECT_EQ(Code("  br label %loop\nloop:\n" + kStore + kBarrier + load("x") + end).between(1, 2), "before 1, after 2");
  // Without any barrier, one is not enough: it separates the rounds, but not the two within a round.
  const Code without("  br label %loop\nloop:\n" + kStore + load("x") + end);
  EXPECT_EQ(without.between(1, 2), "");
  EXPECT_EQ(without.between_rounds(1, 2), "after 2");
  EXPECT_EQ(without.between_rounds(1, 1), "after 1");
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

// Where only some threads come by, the others would wait for nobody.
TEST(Gaps, AreWhereAllThreadsPassTogether) {
  const std::string some = kStore + load("x") + "  br label %all\nall:\n  ret void\n";
  EXPECT_EQ(Code("  br i1 %c, label %some, label %all\nsome:\n" + some).best(1, 2), "before 2");
  EXPECT_EQ(Code("  %d = call i1 @differs()\n  br i1 %d, label %some, label %all\nsome:\n" + some).best(1, 2), "none");
}

// The nearest to the later of the two lines.
TEST(Gaps, BestIsBeforeTheLaterLine) {
  EXPECT_EQ(Code(kStore + kStore + load("x") + load("y") + "  ret void\n").best(4, 1), "before 4");
}

const std::string kSet =
    "  %s = call i64 @weakspot_atomic(ptr @flag, i32 1, i32 8, i32 1, i32 0, i64 1, i64 0, i32 SITE)\n";
const std::string kSpin =
    "  br label %spin\nspin:\n"
    "  %v = call i64 @weakspot_atomic(ptr @flag, i32 0, i32 8, i32 1, i32 0, i64 0, i64 0, i32 SITE)\n"
    "  %w = icmp eq i64 %v, 0\n  br i1 %w, label %spin, label %seen\nseen:\n";
const std::string kFence = "  call void @weakspot_fence(i32 1, i32 7, i32 9)\n";

TEST(Gaps, OfAFlagAreBeforeItIsSetAndAfterItIsSeen) {
  auto code = [](const std::string& before_set, const std::string& after_seen) {
    return Code("  br i1 %c, label %one, label %other\none:\n" + kStore + before_set + kSet + "  ret void\nother:\n" +
                kSpin + after_seen + load("x") + "  ret void\n");
  };
  std::optional<SignalGaps> found = code("", "").signal(1, 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->write.line, 2u);
  EXPECT_EQ(found->read.line, 3u);
  EXPECT_FALSE(found->is_lock);
  EXPECT_EQ(Code::gap_text(found->release), "before 2");
  EXPECT_EQ(Code::gap_text(found->acquire), "after 3");
  found = code(kFence, "").signal(4, 1);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->lacks_release);
  EXPECT_TRUE(found->lacks_acquire);
  found = code(kFence, kFence).signal(4, 1);
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->lacks_release || found->lacks_acquire);
}

TEST(Gaps, OfALockAreInsideIt) {
  std::string take = kSpin;
  take.replace(take.find("i32 0, i32 8"), 12, "i32 12, i32 8");
  const Code code(take + load("x") + kStore + kSet + "  ret void\n");
  const std::optional<SignalGaps> found = code.signal(3, 2);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_lock);
  EXPECT_EQ(Code::gap_text(found->acquire), "after 1");
  EXPECT_EQ(Code::gap_text(found->release), "before 4");
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
