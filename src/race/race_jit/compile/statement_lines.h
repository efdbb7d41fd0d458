// SPDX-License-Identifier: MIT
// The lines between which a statement may be inserted into device code. The syntax tells: between lines of one
// statement, or between an if and the single statement below it, there is no room.
#pragma once

#include <clang/AST/DeclBase.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>

namespace weakspot::race_jit {

class StatementLines {
 public:
  // A declaration at the top level, with those inside.
  void visit(const clang::Decl& declaration, const clang::SourceManager& sources);
  // As metadata "weakspot.statements": for each file its path and its statements, "FIRST LAST ROOM;...". Room is a bit
  // for a line before (1) and one for a line after (2).
  void write_to(llvm::Module& module) const;

 private:
  void read(const clang::Stmt& statement, const clang::SourceManager& sources);

  std::map<std::string, std::string> lists_;  // by file
};

}  // namespace weakspot::race_jit
