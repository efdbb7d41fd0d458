// SPDX-License-Identifier: MIT
#include "race_jit/link/link_code.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <set>

namespace weakspot::race_jit {
namespace {

class LinkMessages : public llvm::DiagnosticHandler {
 public:
  explicit LinkMessages(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

class CodeLinker {
 public:
  CodeLinker() : whole_(std::make_unique<llvm::Module>("program", context_)), linker_(*whole_) {
    context_.setDiagnosticHandler(std::make_unique<LinkMessages>(problem_));
  }

  base::Result<std::map<std::string, std::string>> add(const CodeToLink& code, unsigned flags) {
    auto buffer = llvm::MemoryBuffer::getMemBuffer(code.bitcode, code.source, false);
    llvm::Expected<std::unique_ptr<llvm::Module>> parsed = llvm::parseBitcodeFile(*buffer, context_);
    if (!parsed) return failed(code, llvm::toString(parsed.takeError()));
    std::map<std::string, std::string> renamed;
    if (!code.relocatable) renamed = rename_own(**parsed);
    if (whole_->getDataLayoutStr().empty()) {
      whole_->setDataLayout((*parsed)->getDataLayoutStr());
      whole_->setTargetTriple((*parsed)->getTargetTriple());
    }
    if (linker_.linkInModule(std::move(*parsed), flags)) return failed(code, problem_);
    return renamed;
  }

  // Gives other names to what has a taken one.
  std::map<std::string, std::string> rename_taken(const std::set<std::string>& taken) {
    std::map<std::string, std::string> renamed;
    for (const std::string& name : taken) {
      auto* object = llvm::dyn_cast_or_null<llvm::GlobalObject>(whole_->getNamedValue(name));
      if (object == nullptr || object->isDeclaration() || object->getName().starts_with("llvm.")) continue;
      std::string fresh;
      for (unsigned i = 1; fresh.empty() || taken.contains(fresh) || whole_->getNamedValue(fresh) != nullptr; ++i) {
        fresh = fmt::format("{}.{}", name, i);
      }
      object->setComdat(nullptr);
      object->setName(fresh);
      renamed[name] = object->getName().str();
    }
    return renamed;
  }

  std::size_t symbols() const { return whole_->size() + whole_->global_size(); }

  std::string bitcode() const {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::WriteBitcodeToFile(*whole_, stream);
    return bytes;
  }

 private:
  base::Diagnostics failed(const CodeToLink& code, const std::string& why) const {
    return {base::error_in(code.source, "its device code cannot be linked: " + why)};
  }

  // Definitions that the whole has already get other names. Those of templates and inline functions are the same
  // everywhere.
  std::map<std::string, std::string> rename_own(llvm::Module& module) {
    std::map<std::string, std::string> renamed;
    for (llvm::GlobalObject& object : module.global_objects()) {
      if (object.isDeclaration() || !object.hasExternalLinkage() || object.getName().starts_with("llvm.")) continue;
      const llvm::GlobalValue* other = whole_->getNamedValue(object.getName());
      if (other == nullptr || other->isDeclaration()) continue;
      const std::string name = object.getName().str();
      std::string fresh;
      for (unsigned i = 1; fresh.empty() || whole_->getNamedValue(fresh) != nullptr; ++i) {
        fresh = fmt::format("{}.{}", name, i);
      }
      object.setComdat(nullptr);
      object.setName(fresh);
      renamed[name] = object.getName().str();
    }
    return renamed;
  }

  llvm::LLVMContext context_;
  std::string problem_;
  std::unique_ptr<llvm::Module> whole_;
  llvm::Linker linker_;
};

}  // namespace

base::Result<LinkedCode> link_code(const std::vector<CodeToLink>& codes, const std::vector<CodeToLink>& libraries,
                                   const std::set<std::string>& taken) {
  CodeLinker linker;
  LinkedCode linked;
  linked.renamed.resize(codes.size());
  // Names of relocatable code come first: they cannot be changed.
  for (const bool relocatable : {true, false}) {
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i].relocatable != relocatable || codes[i].bitcode.empty()) continue;
      base::Result<std::map<std::string, std::string>> renamed = linker.add(codes[i], llvm::Linker::None);
      if (!renamed) return renamed.errors();
      linked.renamed[i] = *std::move(renamed);
    }
    // A library may refer to one that was looked at before, so the libraries are tried until no symbol is added.
    for (std::size_t before = 0; relocatable && before != linker.symbols();) {
      before = linker.symbols();
      for (const CodeToLink& library : libraries) {
        if (auto added = linker.add(library, llvm::Linker::LinkOnlyNeeded); !added) return added.errors();
      }
    }
  }
  const std::map<std::string, std::string> fresh = linker.rename_taken(taken);
  for (std::map<std::string, std::string>& renamed : linked.renamed) {
    for (auto& [name, other] : renamed) {
      if (auto found = fresh.find(other); found != fresh.end()) other = found->second;
    }
    renamed.insert(fresh.begin(), fresh.end());  // but not what had another name in the first place
  }
  linked.bitcode = linker.bitcode();
  return linked;
}

}  // namespace weakspot::race_jit
