// SPDX-License-Identifier: MIT
#include "race_jit/compile/kernel_parameters.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include "race_jit/compile/kernel_templates.h"

namespace weakspot::race_jit {

void KernelParameters::finish(const clang::ASTContext& context) {
  for (const clang::Decl* declaration : context.getTranslationUnitDecl()->noload_decls()) visit(*declaration);
}

void KernelParameters::visit(const clang::Decl& declaration) {
  if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
    for (const clang::FunctionDecl* instance : pattern->specializations()) add(*instance);
  } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
    add(*function);
  } else if (llvm::isa<clang::NamespaceDecl>(declaration) || llvm::isa<clang::LinkageSpecDecl>(declaration)) {
    for (const clang::Decl* member : llvm::cast<clang::DeclContext>(declaration).noload_decls()) visit(*member);
  }
}

void KernelParameters::add(const clang::FunctionDecl& function) {
  if (!function.hasAttr<clang::CUDAGlobalAttr>() || function.isInvalidDecl() || function.isDependentContext()) return;
  if (!function.isThisDeclarationADefinition() && function.getDefinition() != nullptr) return;  // which has the names
  std::vector<std::string> words = {symbol_of(function)};
  for (const clang::ParmVarDecl* parameter : function.parameters()) words.push_back(parameter->getName().str());
  kernels_.push_back(std::move(words));
}

void KernelParameters::write_to(llvm::Module& module) const {
  for (const std::vector<std::string>& words : kernels_) add_note(module, "weakspot.parameters", words);
}

}  // namespace weakspot::race_jit
