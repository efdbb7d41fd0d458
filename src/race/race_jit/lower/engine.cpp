// SPDX-License-Identifier: MIT
#include "race_jit/lower/engine.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include "base/hash.h"
#include "race_jit/compile/optimise.h"

namespace weakspot::race_jit {
namespace {

base::Diagnostic failure(const std::string& what, llvm::Error error) {
  return base::error(what + ": " + llvm::toString(std::move(error)));
}

// The processor as the operating system offers it: its name would promise instructions that may be switched off.
llvm::orc::JITTargetMachineBuilder this_machine() {
  llvm::orc::JITTargetMachineBuilder builder{llvm::Triple(llvm::sys::getProcessTriple())};
#if defined(__x86_64__)
  builder.setCPU("x86-64");
  __builtin_cpu_init();
  // Unlike cpuid alone this asks whether the system saves the registers.
  if (__builtin_cpu_supports("sse4.2")) builder.addFeatures({"+sse4.2", "+popcnt"});
  if (__builtin_cpu_supports("avx2")) builder.addFeatures({"+avx2"});
  if (__builtin_cpu_supports("fma")) builder.addFeatures({"+fma"});
#endif
  builder.setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
  return builder;
}

}  // namespace

base::Result<std::unique_ptr<Engine>> Engine::create(const std::filesystem::path& cache) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::orc::JITTargetMachineBuilder builder = this_machine();
  llvm::Expected<std::unique_ptr<llvm::TargetMachine>> target = builder.createTargetMachine();
  if (!target) return failure("cannot compile for this machine", target.takeError());
  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(builder)).create();
  if (!jit) return failure("cannot start the compiler", jit.takeError());
  auto process =
      llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess((*jit)->getDataLayout().getGlobalPrefix());
  if (!process) return failure("cannot look up symbols", process.takeError());
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  return std::unique_ptr<Engine>(new Engine(std::move(*jit), std::move(*target), CompileCache(cache)));
}

base::Status Engine::define(const std::string& name, void* address) {
  llvm::orc::SymbolMap symbols;
  symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address), llvm::JITSymbolFlags::Exported};
  if (llvm::Error error = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols)))) {
    return failure("cannot define " + name, std::move(error));
  }
  return base::ok_status();
}

base::Status Engine::add(std::unique_ptr<llvm::Module> module, bool optimise) {
  if (optimise && !cache_.folder().empty()) return add_cached(*module);
  if (optimise) optimise_module(*module, *target_);
  if (llvm::Error error = jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), context_))) {
    return failure("cannot compile", std::move(error));
  }
  return base::ok_status();
}

llvm::Error Engine::add_code(const std::string& code) {
  return jit_->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(code, "kernel"));
}

// The code depends on nothing but the module and this processor: what it refers to, it names.
base::Status Engine::add_cached(llvm::Module& module) {
  llvm::SmallString<0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  const std::string key =
      fmt::format("code {} {} {} {}", LLVM_VERSION_STRING, target_->getTargetCPU().str(),
                  target_->getTargetFeatureString().str(), base::hash_bytes({bitcode.data(), bitcode.size()}).hex());
  if (const std::optional<CachedCompilation> known = cache_.find(key)) {
    llvm::Error error = add_code(known->bitcode);
    if (!error) return base::ok_status();
    llvm::consumeError(std::move(error));
  }
  optimise_module(module, *target_);
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> code = llvm::orc::SimpleCompiler(*target_)(module);
  if (!code) return failure("cannot compile", code.takeError());
  const std::string bytes = (*code)->getBuffer().str();
  cache_.store(key, {bytes, ""}, {});
  if (llvm::Error error = add_code(bytes)) return failure("cannot compile", std::move(error));
  return base::ok_status();
}

base::Result<void*> Engine::find(const std::string& name) {
  llvm::Expected<llvm::orc::ExecutorAddr> address = jit_->lookup(name);
  if (!address) return failure("cannot compile " + name, address.takeError());
  return address->toPtr<void*>();
}

base::Status Engine::initialise() {
  if (llvm::Error error = jit_->initialize(jit_->getMainJITDylib())) {
    return failure("cannot run static constructors", std::move(error));
  }
  return base::ok_status();
}

}  // namespace weakspot::race_jit
