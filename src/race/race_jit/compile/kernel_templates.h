// SPDX-License-Identifier: MIT
// Facts about kernel templates that only the compiler knows, written into the module it makes: which of them nobody
// instantiated, and which instance an expression of the command line names, however it is spelled. Headers are full of
// templates that a file does not mean to use: one of them counts if the file names an instance of it, or if a file does
// of which host functions are left out. Also launches in host code of the file, `kernel<<<1, 256>>>(...)`, which state
// how many blocks a kernel has.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/IR/Module.h>

#include <set>
#include <string>
#include <vector>

#include "race_jit/compile/clang_compiler.h"

namespace weakspot::race_jit {

// Variables of this name, with a number, hold the address of an instance.
inline constexpr const char* kUseOfInstance = "__ws_use_";

// The name of a kernel in the module.
std::string symbol_of(const clang::FunctionDecl& kernel);
// Adds a line of words to a list in the module, for device_module.cpp.
void add_note(llvm::Module& module, const char* list, const std::vector<std::string>& words);

class KernelTemplates {
 public:
  // Called with each declaration at the top of the file.
  void visit(const clang::Decl& declaration);
  // To be called at the end of the file, when all instances are made.
  void finish(clang::ASTContext& context, const ClangJob& job);
  void write_to(llvm::Module& module) const;

 private:
  struct Template {
    std::string name, file;
    unsigned line = 0;
  };
  struct Alias {
    std::string variable, symbol;
  };

  std::vector<const clang::FunctionTemplateDecl*> kernels_;
  std::vector<const clang::VarDecl*> uses_;
  std::vector<Template> idle_;
  std::vector<Alias> aliases_;
};

// Notes kernels that are launched, always with one block, and mentioned nowhere else: what else is done with their
// address is not known.
class HostLaunches {
 public:
  // Called with each declaration at the top of the file.
  void visit(clang::Decl& declaration) { declarations_.push_back(&declaration); }
  // To be called at the end of the file, when all instances of host functions are made.
  void finish(clang::ASTContext& context);
  void write_to(llvm::Module& module) const;

 private:
  std::vector<clang::Decl*> declarations_;
  std::set<std::string> one_block_;  // symbols
};

}  // namespace weakspot::race_jit
