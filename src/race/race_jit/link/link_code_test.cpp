// SPDX-License-Identifier: MIT
#include "race_jit/link/link_code.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "race_jit/bitcode/kernel_part.h"

namespace weakspot::race_jit {
namespace {

CodeToLink code(bool relocatable, const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_NE(module, nullptr) << problem.getMessage().str();
  CodeToLink made{relocatable, "a.cu", ""};
  llvm::raw_string_ostream stream(made.bitcode);
  if (module != nullptr) llvm::WriteBitcodeToFile(*module, stream);
  return made;
}

class Linked {
 public:
  explicit Linked(const base::Result<LinkedCode>& code) {
    EXPECT_TRUE(code.ok());
    if (!code) return;
    auto buffer = llvm::MemoryBuffer::getMemBuffer(code->bitcode, "", false);
    llvm::Expected<std::unique_ptr<llvm::Module>> parsed = llvm::parseBitcodeFile(*buffer, context_);
    EXPECT_TRUE(static_cast<bool>(parsed));
    if (parsed) module_ = std::move(*parsed);
  }
  const llvm::Module& module() const { return *module_; }
  bool defines(const char* name) const {
    const llvm::GlobalValue* value = module_ == nullptr ? nullptr : module_->getNamedValue(name);
    return value != nullptr && !value->isDeclaration();
  }

 private:
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

TEST(LinkCode, CodeThatIsNotRelocatableKeepsItsOwnNames) {
  const CodeToLink one = code(false, "@x = global i32 1\ndefine void @k() { ret void }\n");
  const base::Result<LinkedCode> linked = link_code({one, one}, {});
  ASSERT_TRUE(linked.ok());
  EXPECT_TRUE(linked->renamed[0].empty());
  EXPECT_EQ(linked->renamed[1].at("k"), "k.1");
  EXPECT_EQ(linked->renamed[1].at("x"), "x.1");
  const Linked module(linked);
  EXPECT_TRUE(module.defines("k") && module.defines("k.1"));
}

TEST(LinkCode, NamesOfEarlierCodeAreTaken) {
  const CodeToLink one = code(false, "@x = global i32 1\ndefine weak_odr void @k() { ret void }\n");
  const CodeToLink two = code(false, "@x = global i32 2\n");
  const base::Result<LinkedCode> linked = link_code({one, two}, {}, {"k", "k.1", "x"});
  ASSERT_TRUE(linked.ok());
  EXPECT_EQ(linked->renamed[0].at("k"), "k.2");
  EXPECT_EQ(linked->renamed[0].at("x"), "x.2");
  EXPECT_EQ(linked->renamed[1].at("x"), "x.1");
  const Linked module(linked);
  EXPECT_TRUE(module.defines("k.2") && module.defines("x.1") && module.defines("x.2"));
  EXPECT_FALSE(module.defines("k") || module.defines("x"));
}

TEST(LinkCode, InstancesOfTemplatesAreOne) {
  const CodeToLink one = code(false, "define weak_odr void @k() { ret void }\n");
  const base::Result<LinkedCode> linked = link_code({one, one}, {});
  ASSERT_TRUE(linked.ok());
  EXPECT_TRUE(linked->renamed[1].empty());
}

TEST(LinkCode, RelocatableCodeIsResolvedAndLibrariesGiveWhatIsNeeded) {
  const CodeToLink user = code(true, "declare i32 @f()\ndefine void @k() {\n  %1 = call i32 @f()\n  ret void\n}\n");
  const CodeToLink library = code(true, "declare i32 @g()\ndefine i32 @f() {\n  %1 = call i32 @g()\n  ret i32 %1\n}\n");
  const CodeToLink other = code(true, "define i32 @g() { ret i32 1 }\n");
  const CodeToLink unused = code(true, "define i32 @h() { ret i32 1 }\n");
  const Linked module(link_code({user}, {unused, other, library}));
  EXPECT_TRUE(module.defines("f") && module.defines("g"));
  EXPECT_FALSE(module.defines("h"));
}

TEST(LinkCode, TwoDefinitionsAreAnError) {
  const CodeToLink one = code(true, "define i32 @f() { ret i32 1 }\n");
  EXPECT_FALSE(link_code({one, one}, {}).ok());
}

TEST(KernelPart, HasWhatTheKernelNeeds) {
  const Linked whole(link_code({code(true,
                                     "@used = internal constant i32 7\n@outside = external global i32\n"
                                     "define internal i32 @inner() {\n  %1 = load i32, ptr @used\n  ret i32 %1\n}\n"
                                     "define void @k() {\n  %1 = call i32 @inner()\n  store i32 %1, ptr @outside\n"
                                     "  ret void\n}\n"
                                     "define void @other() { ret void }\n")},
                               {}));
  const std::unique_ptr<llvm::Module> part = part_of(whole.module(), {"k"});
  EXPECT_FALSE(part->getFunction("k")->isDeclaration());
  EXPECT_FALSE(part->getFunction("inner")->isDeclaration());
  EXPECT_TRUE(part->getNamedGlobal("outside")->isDeclaration());
  EXPECT_NE(part->getNamedGlobal("used"), nullptr);
  EXPECT_EQ(part->getFunction("other"), nullptr);
}

}  // namespace
}  // namespace weakspot::race_jit
