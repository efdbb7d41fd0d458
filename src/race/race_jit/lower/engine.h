// SPDX-License-Identifier: MIT
// Compiles modules in this process and finds their functions.
#pragma once

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "race_jit/compile/compile_cache.h"

namespace weakspot::race_jit {

class Engine {
 public:
  // Machine code is kept in this folder for the next time; an empty one: nowhere.
  static base::Result<std::unique_ptr<Engine>> create(const std::filesystem::path& cache = {});

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
  Engine(std::unique_ptr<llvm::orc::LLJIT> jit, std::unique_ptr<llvm::TargetMachine> target, CompileCache cache)
      : context_(std::make_unique<llvm::LLVMContext>()),
        jit_(std::move(jit)),
        target_(std::move(target)),
        cache_(std::move(cache)) {}

  base::Status add_cached(llvm::Module& module);
  llvm::Error add_code(const std::string& code);

  llvm::orc::ThreadSafeContext context_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::unique_ptr<llvm::TargetMachine> target_;
  CompileCache cache_;
};

}  // namespace weakspot::race_jit
