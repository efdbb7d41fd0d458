// SPDX-License-Identifier: MIT
#include "race_jit/compile/named_symbols.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBufferRef.h>

#include "base/hash.h"

namespace weakspot::race_jit {

std::map<std::string, std::string> symbols_of(const std::string& bitcode, const std::vector<std::string>& expressions) {
  std::map<std::string, std::string> symbols;
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "source"), context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return symbols;
  }
  const llvm::NamedMDNode* aliases = (*module)->getOrInsertNamedMetadata("weakspot.aliases");
  for (const llvm::MDNode* alias : aliases->operands()) {
    const llvm::StringRef variable = llvm::cast<llvm::MDString>(alias->getOperand(0))->getString();
    for (const std::string& expression : expressions) {
      if (!variable.ends_with(base::hash_bytes(expression).hex())) continue;
      symbols[expression] = llvm::cast<llvm::MDString>(alias->getOperand(1))->getString().str();
    }
  }
  for (const std::string& expression : expressions) {
    const llvm::GlobalValue* named = (*module)->getNamedValue(expression);
    if (named != nullptr && !named->isDeclaration()) symbols.try_emplace(expression, expression);
  }
  return symbols;
}

}  // namespace weakspot::race_jit
