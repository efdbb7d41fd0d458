// SPDX-License-Identifier: MIT
// Compiles modules in this process and finds their functions.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "base/result.h"

namespace weakspot::race_jit {

class Engine {
 public:
  static base::Result<std::unique_ptr<Engine>> create();

  llvm::LLVMContext& context() { return *context_.getContext(); }
  const llvm::DataLayout& layout() const { return jit_->getDataLayout(); }
  std::string triple() const { return jit_->getTargetTriple().str(); }

  // A name that compiled code may use.
  base::Status define(const std::string& name, void* address);
  // Optimises and hands the module over; its functions are compiled when looked up.
  base::Status add(std::unique_ptr<llvm::Module> module, bool optimise);
  base::Result<void*> find(const std::string& name);
  // Runs the module's static constructors.
  base::Status initialise();

 private:
  Engine(std::unique_ptr<llvm::orc::LLJIT> jit, std::unique_ptr<llvm::TargetMachine> target)
      : context_(std::make_unique<llvm::LLVMContext>()), jit_(std::move(jit)), target_(std::move(target)) {}

  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::unique_ptr<llvm::TargetMachine> target_;
};

}  // namespace weakspot::race_jit
