// SPDX-License-Identifier: MIT
#include "race_jit/compile/kernel_templates.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>

namespace weakspot::race_jit {
namespace {

bool has_instances(const clang::FunctionTemplateDecl& kernel) {
  for (const clang::FunctionDecl* instance : kernel.specializations()) {
    if (instance->hasBody() || instance->isDefined()) return true;
  }
  return false;
}

// The function whose address an expression takes, below casts.
const clang::FunctionDecl* function_in(const clang::Expr* expression) {
  if (expression == nullptr) return nullptr;
  expression = expression->IgnoreParenCasts();
  if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    expression = address->getSubExpr()->IgnoreParenCasts();
  }
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression);
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
}

}  // namespace

void KernelTemplates::visit(const clang::Decl& declaration) {
  if (const auto* inside = llvm::dyn_cast<clang::DeclContext>(&declaration);
      inside != nullptr &&
      (llvm::isa<clang::NamespaceDecl>(declaration) || llvm::isa<clang::LinkageSpecDecl>(declaration))) {
    for (const clang::Decl* member : inside->decls()) visit(*member);
  } else if (const auto* kernel = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
    const clang::FunctionDecl* function = kernel->getTemplatedDecl();
    if (function->hasAttr<clang::CUDAGlobalAttr>() && function->isThisDeclarationADefinition()) {
      kernels_.push_back(kernel);
    }
  } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
    if (variable->getName().starts_with(kUseOfInstance)) uses_.push_back(variable);
  }
}

void KernelTemplates::finish(clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  for (const clang::FunctionTemplateDecl* kernel : kernels_) {
    // Headers are full of templates that a file does not mean to use.
    if (!sources.isInMainFile(sources.getExpansionLoc(kernel->getLocation())) || has_instances(*kernel)) continue;
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(kernel->getLocation()));
    idle_.push_back({kernel->getQualifiedNameAsString(), place.getFilename(), place.getLine()});
  }
  const std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
  for (const clang::VarDecl* use : uses_) {
    const clang::FunctionDecl* function = function_in(use->getInit());
    if (function == nullptr) continue;
    Alias alias{use->getName().str(), {}};
    llvm::raw_string_ostream stream(alias.symbol);
    if (mangler->shouldMangleDeclName(function)) {
      mangler->mangleName(clang::GlobalDecl(function, clang::KernelReferenceKind::Kernel), stream);
    } else {
      stream << function->getName();
    }
    stream.flush();
    aliases_.push_back(std::move(alias));
  }
}

void KernelTemplates::write_to(llvm::Module& module) const {
  llvm::LLVMContext& context = module.getContext();
  auto add = [&](const char* list, const std::vector<std::string>& words) {
    std::vector<llvm::Metadata*> parts;
    for (const std::string& word : words) parts.push_back(llvm::MDString::get(context, word));
    module.getOrInsertNamedMetadata(list)->addOperand(llvm::MDNode::get(context, parts));
  };
  for (const Template& idle : idle_) add("weakspot.templates", {idle.name, idle.file, std::to_string(idle.line)});
  for (const Alias& alias : aliases_) add("weakspot.aliases", {alias.variable, alias.symbol});
}

}  // namespace weakspot::race_jit
