// SPDX-License-Identifier: MIT
// The names of the parameters of kernels, which PTX does not have, as a list "weakspot.parameters" of a module: for
// each kernel its symbol and the names.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace weakspot::race_jit {

class KernelParameters {
 public:
  // To be called at the end of the file, when all instances are made.
  void finish(const clang::ASTContext& context);
  void write_to(llvm::Module& module) const;

 private:
  void visit(const clang::Decl& declaration);
  void add(const clang::FunctionDecl& function);

  std::vector<std::vector<std::string>> kernels_;
};

}  // namespace weakspot::race_jit
