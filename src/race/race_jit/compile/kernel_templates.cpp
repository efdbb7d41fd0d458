// SPDX-License-Identifier: MIT
#include "race_jit/compile/kernel_templates.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

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

// Whether the file names an instance of the template, "name<...>", or launches it.
bool names_instance(const clang::ASTContext& context, clang::FileID file, llvm::StringRef name) {
  const clang::SourceManager& sources = context.getSourceManager();
  clang::Lexer lexer(file, sources.getBufferOrFake(file), sources, context.getLangOpts());
  clang::Token token;
  for (bool named = false, ends = false; !ends;) {
    ends = lexer.LexFromRawLexer(token);
    if (named && token.isOneOf(clang::tok::less, clang::tok::lesslessless)) return true;
    named = token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == name;
  }
  return false;
}

// The file itself, and those with host functions that are left out.
std::set<clang::FileID> files_of_launches(clang::ASTContext& context, const ClangJob& job) {
  clang::SourceManager& sources = context.getSourceManager();
  std::set<clang::FileID> files{sources.getMainFileID()};
  for (const std::string& place : job.skipped_bodies) {
    const std::string name = place.substr(0, place.rfind(':', place.rfind(':') - 1));
    const clang::OptionalFileEntryRef entry = sources.getFileManager().getOptionalFileRef(name);
    const clang::FileID file = entry ? sources.translateFile(*entry) : clang::FileID();
    if (file.isValid()) files.insert(file);
  }
  return files;
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

void KernelTemplates::finish(clang::ASTContext& context, const ClangJob& job) {
  const clang::SourceManager& sources = context.getSourceManager();
  const std::set<clang::FileID> files = files_of_launches(context, job);
  for (const clang::FunctionTemplateDecl* kernel : kernels_) {
    if (has_instances(*kernel)) continue;
    const clang::SourceLocation at = sources.getExpansionLoc(kernel->getLocation());
    auto names = [&](clang::FileID file) { return names_instance(context, file, kernel->getName()); };
    const bool is_meant = sources.isInMainFile(at) || std::any_of(files.begin(), files.end(), names) ||
                          (job.skip_host_bodies && names(sources.getFileID(at)));
    if (!is_meant) continue;
    const clang::PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(kernel->getLocation()));
    idle_.push_back({kernel->getQualifiedNameAsString(), place.getFilename(), place.getLine()});
  }
  for (const clang::VarDecl* use : uses_) {
    const clang::FunctionDecl* function = function_in(use->getInit());
    if (function != nullptr) aliases_.push_back({use->getName().str(), symbol_of(*function)});
  }
}

std::string symbol_of(const clang::FunctionDecl& kernel) {
  const std::unique_ptr<clang::MangleContext> mangler(kernel.getASTContext().createMangleContext());
  if (!mangler->shouldMangleDeclName(&kernel)) return kernel.getName().str();
  std::string symbol;
  llvm::raw_string_ostream stream(symbol);
  mangler->mangleName(clang::GlobalDecl(&kernel, clang::KernelReferenceKind::Kernel), stream);
  return stream.str();
}

void add_note(llvm::Module& module, const char* list, const std::vector<std::string>& words) {
  llvm::LLVMContext& context = module.getContext();
  std::vector<llvm::Metadata*> parts;
  for (const std::string& word : words) parts.push_back(llvm::MDString::get(context, word));
  module.getOrInsertNamedMetadata(list)->addOperand(llvm::MDNode::get(context, parts));
}

void KernelTemplates::write_to(llvm::Module& module) const {
  for (const Template& idle : idle_) {
    add_note(module, "weakspot.templates", {idle.name, idle.file, std::to_string(idle.line)});
  }
  for (const Alias& alias : aliases_) add_note(module, "weakspot.aliases", {alias.variable, alias.symbol});
}

namespace {

bool is_one(const clang::Expr* number, const clang::ASTContext& context) {
  if (llvm::isa<clang::CXXDefaultArgExpr>(number)) return true;  // as dim3 has them
  clang::Expr::EvalResult value;
  return !number->isValueDependent() && number->EvaluateAsInt(value, context) && value.Val.getInt() == 1;
}

// Whether an extent is written as 1, dim3(1, 1) or the like.
bool is_one_block(const clang::Expr* extent, const clang::ASTContext& context) {
  while (true) {
    extent = extent->IgnoreUnlessSpelledInSource();
    if (const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(extent)) {
      extent = cast->getSubExpr();
      continue;
    }
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(extent);
    if (made == nullptr) return extent->getType()->isIntegralOrEnumerationType() && is_one(extent, context);
    if (made->getConstructor()->isCopyOrMoveConstructor()) {
      extent = made->getArg(0);
      continue;
    }
    return std::all_of(made->arg_begin(), made->arg_end(),
                       [&](const clang::Expr* side) { return is_one(side, context); });
  }
}

// Launches and other uses of kernels, in templates and their instances as well. clang's own visitor takes a fifth of a
// minute to compile.
class LaunchVisitor {
 public:
  struct Mentions {
    unsigned all = 0, one_block = 0;
  };

  explicit LaunchVisitor(const clang::ASTContext& context) : context_(context) {}

  void visit(const clang::Decl& declaration) {
    if (const auto* pattern = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
      visit(*pattern->getTemplatedDecl());
      for (const clang::FunctionDecl* instance : pattern->specializations()) visit(*instance);
    } else if (const auto* classes = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
      visit(*classes->getTemplatedDecl());
      for (const clang::ClassTemplateSpecializationDecl* instance : classes->specializations()) visit(*instance);
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declaration)) {
      read(variable->getInit());
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function)) {
        for (const clang::CXXCtorInitializer* member : constructor->inits()) read(member->getInit());
      }
      if (function->doesThisDeclarationHaveABody()) read(function->getBody());
    } else if (const auto* inside = llvm::dyn_cast<clang::DeclContext>(&declaration)) {
      for (const clang::Decl* member : inside->decls()) visit(*member);
    }
  }

  std::map<const clang::FunctionDecl*, Mentions> mentions;

 private:
  void read(const clang::Stmt* statement) {
    if (statement == nullptr) return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
      if (function != nullptr && function->hasAttr<clang::CUDAGlobalAttr>())
        ++mentions[function->getCanonicalDecl()].all;
    } else if (const auto* launch = llvm::dyn_cast<clang::CUDAKernelCallExpr>(statement)) {
      const clang::FunctionDecl* kernel = launch->getDirectCallee();
      const clang::CallExpr* extents = launch->getConfig();
      if (kernel != nullptr && extents != nullptr && extents->getNumArgs() > 0 &&
          is_one_block(extents->getArg(0), context_)) {
        ++mentions[kernel->getCanonicalDecl()].one_block;
      }
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* local : declared->decls()) {
        if (!llvm::isa<clang::VarDecl>(local)) visit(*local);
      }
    }
    for (const clang::Stmt* part : statement->children()) read(part);
  }

  const clang::ASTContext& context_;
};

}  // namespace

void HostLaunches::finish(clang::ASTContext& context) {
  const clang::SourceManager& sources = context.getSourceManager();
  LaunchVisitor visitor(context);
  for (clang::Decl* declaration : declarations_) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
    if (variable != nullptr && variable->getName().starts_with(kUseOfInstance)) continue;
    if (sources.isInMainFile(sources.getExpansionLoc(declaration->getLocation()))) visitor.visit(*declaration);
  }
  for (const auto& [kernel, mentions] : visitor.mentions) {
    if (mentions.one_block > 0 && mentions.all == mentions.one_block) one_block_.insert(symbol_of(*kernel));
  }
}

void HostLaunches::write_to(llvm::Module& module) const {
  for (const std::string& symbol : one_block_) add_note(module, "weakspot.one_block", {symbol});
}

}  // namespace weakspot::race_jit
