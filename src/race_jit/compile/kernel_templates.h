// SPDX-License-Identifier: MIT
// What the compiler alone knows about kernel templates, written into the module it makes: which of them nobody
// instantiated, and which instance an expression of the command line names, however it is spelled.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace weakspot::race_jit {

// Variables of this name, with a number, hold the address of an instance.
inline constexpr const char* kUseOfInstance = "__ws_use_";

class KernelTemplates {
 public:
  // Called with each declaration at the top of the file.
  void visit(const clang::Decl& declaration);
  // To be called at the end of the file, when all instances are made.
  void finish(clang::ASTContext& context);
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

}  // namespace weakspot::race_jit
