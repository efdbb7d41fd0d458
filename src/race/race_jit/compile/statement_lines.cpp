// SPDX-License-Identifier: MIT
#include "race_jit/compile/statement_lines.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>
#include <llvm/IR/Metadata.h>

#include <filesystem>

namespace weakspot::race_jit {
namespace {

// Nothing behind it is reached.
bool leads_away(const clang::Stmt& statement) {
  return llvm::isa<clang::ReturnStmt>(statement) || llvm::isa<clang::BreakStmt>(statement) ||
         llvm::isa<clang::ContinueStmt>(statement) || llvm::isa<clang::GotoStmt>(statement);
}

}  // namespace

void StatementLines::visit(const clang::Decl& declaration, const clang::SourceManager& sources) {
  if (const auto* function = declaration.getAsFunction()) {
    const bool on_device = function->hasAttr<clang::CUDADeviceAttr>() || function->hasAttr<clang::CUDAGlobalAttr>();
    const clang::FunctionDecl* written = function->getTemplateInstantiationPattern();
    if (!on_device || written != nullptr || !function->doesThisDeclarationHaveABody()) return;
    if (const clang::Stmt* body = function->getBody()) read(*body, sources);
  } else if (const auto* pattern = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
    visit(*pattern->getTemplatedDecl(), sources);
  } else if (const auto* inside = llvm::dyn_cast<clang::DeclContext>(&declaration)) {
    for (const clang::Decl* member : inside->decls()) visit(*member, sources);
  }
}

void StatementLines::read(const clang::Stmt& statement, const clang::SourceManager& sources) {
  auto line_of = [&](clang::SourceLocation place) { return sources.getPresumedLoc(place).getLine(); };
  auto first_of = [&](const clang::Stmt& part) { return sources.getExpansionRange(part.getBeginLoc()).getBegin(); };
  auto last_of = [&](const clang::Stmt& part) { return sources.getExpansionRange(part.getEndLoc()).getEnd(); };
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(&statement);
      block != nullptr && !block->getLBracLoc().isMacroID() && block->getLBracLoc().isValid()) {
    const clang::PresumedLoc begin = sources.getPresumedLoc(block->getLBracLoc());
    std::error_code ignored;
    std::string& list = lists_[std::filesystem::absolute(begin.getFilename(), ignored).string()];
    unsigned end_before = begin.getLine();
    for (auto part = block->body_begin(); part != block->body_end(); ++part) {
      const unsigned first = line_of(first_of(**part)), last = line_of(last_of(**part));
      const auto next = std::next(part);
      const unsigned begin_after = line_of(next == block->body_end() ? block->getRBracLoc() : first_of(**next));
      const bool before = end_before < first && !llvm::isa<clang::SwitchCase>(**part);
      const bool after = last < begin_after && !leads_away(**part);
      list += fmt::format("{} {} {};", first, last, (before ? 1 : 0) + (after ? 2 : 0));
      end_before = last;
    }
  }
  for (const clang::Stmt* part : statement.children()) {
    if (part != nullptr) read(*part, sources);
  }
}

void StatementLines::write_to(llvm::Module& module) const {
  llvm::LLVMContext& context = module.getContext();
  for (const auto& [file, list] : lists_) {
    module.getOrInsertNamedMetadata("weakspot.statements")
        ->addOperand(
            llvm::MDNode::get(context, {llvm::MDString::get(context, file), llvm::MDString::get(context, list)}));
  }
}

}  // namespace weakspot::race_jit
