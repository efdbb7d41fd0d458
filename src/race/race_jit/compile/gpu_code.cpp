// SPDX-License-Identifier: MIT
#include "race_jit/compile/gpu_code.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "race_jit/compile/optimise.h"

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace weakspot::race_jit {
namespace {

// Newer ones run what is compiled for it.
constexpr unsigned kNewestOfBackEnd = 90;

std::unique_ptr<llvm::TargetMachine> gpu_machine(const std::string& triple, unsigned architecture) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string problem;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, problem);
  if (target == nullptr) return nullptr;
  const std::string name = fmt::format("sm_{}", std::min(architecture, kNewestOfBackEnd));
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, name, "+ptx80", llvm::TargetOptions{}, std::nullopt));
}

// Takes out the functions that call, also by way of others, what a GPU does not have. The name of one callee.
std::string leave_out_unknown(llvm::Module& module) {
  std::string name;
  std::vector<llvm::Function*> unknown;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    if (function.getName() == "vprintf" || function.getName() == "__assertfail") continue;  // the driver has them
    unknown.push_back(&function);
    name = function.getName().str();
  }
  std::set<llvm::Function*> left_out;
  while (!unknown.empty()) {
    llvm::Function* function = unknown.back();
    unknown.pop_back();
    for (llvm::User* user : function->users()) {
      auto* call = llvm::dyn_cast<llvm::Instruction>(user);
      if (call != nullptr && left_out.insert(call->getFunction()).second) unknown.push_back(call->getFunction());
    }
  }
  for (llvm::Function* function : left_out) function->deleteBody();
  for (llvm::Function* function : left_out) {
    function->replaceAllUsesWith(llvm::PoisonValue::get(function->getType()));
    function->eraseFromParent();
  }
  return name;
}

}  // namespace

base::Result<std::string> gpu_code_of(const std::string& bitcode, const race::Architecture& architecture) {
  llvm::LLVMContext context;
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "device"), context);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return base::error("the device's code cannot be read");
  }
  llvm::Module& module = **parsed;
  const std::unique_ptr<llvm::TargetMachine> machine = gpu_machine(module.getTargetTriple(), architecture.number);
  if (machine == nullptr) return base::error("this clang has no back end for the GPU", base::ErrorKind::environment);
  module.setDataLayout(machine->createDataLayout());
  // What is kept for the checker alone must not keep functions.
  for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* kept = module.getNamedGlobal(name)) kept->eraseFromParent();
  }
  // More than lines makes it a text for debugging, which is not optimised.
  llvm::stripNonLineTableDebugInfo(module);
  optimise_module(module, *machine);
  const std::string missing = leave_out_unknown(module);
  const bool any = std::any_of(module.begin(), module.end(), [](const llvm::Function& one) {
    return !one.isDeclaration() && one.hasExternalLinkage();
  });
  if (!any) {
    return base::error(
        fmt::format("clang's PTX cannot have the operations that our headers leave to the checker ('{}'): it needs "
                    "nvcc, in PATH or by --cuda-path",
                    missing));
  }
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile)) {
    return base::error("this clang cannot write PTX", base::ErrorKind::environment);
  }
  passes.run(module);
  return std::string(text);
}

}  // namespace weakspot::race_jit
