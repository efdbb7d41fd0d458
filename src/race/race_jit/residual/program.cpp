// SPDX-License-Identifier: MIT
#include "race_jit/residual/program.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MemoryBuffer.h>

#include "race_jit/lower/lower.h"

namespace weakspot::race_jit {

base::Result<std::unique_ptr<ResidualProgram>> ResidualProgram::load(const std::string& bitcode,
                                                                     const std::string& symbol,
                                                                     const DeviceModule& device,
                                                                     const std::vector<std::string>& own_folders) {
  auto program = std::make_unique<ResidualProgram>();
  base::Result<std::unique_ptr<Engine>> engine = Engine::create();
  if (!engine) return engine.errors();
  program->engine_ = *std::move(engine);
  auto buffer = llvm::MemoryBuffer::getMemBuffer(bitcode, "device", false);
  llvm::Expected<std::unique_ptr<llvm::Module>> parsed = llvm::parseBitcodeFile(*buffer, program->engine_->context());
  if (!parsed) return base::error("cannot read the compiled kernels: " + llvm::toString(parsed.takeError()));
  program->module_ = std::move(*parsed);
  llvm::Module& module = *program->module_;
  // A function that stays one would be followed no further.
  for (llvm::Function& function : module) {
    if (!function.hasFnAttribute(llvm::Attribute::OptimizeNone)) function.removeFnAttr(llvm::Attribute::NoInline);
  }
  retarget(module, program->engine_->layout(), program->engine_->triple());
  Lowered lowered = lower_variables(module);
  program->site_table_ = std::make_unique<SiteTable>(program->sites_, own_folders, program->sides_, program->gaps_);
  race::Share modelled;
  lower_operations(module, *program->site_table_, modelled);
  program->variables_ = device.variables();
  program->kernel_ = module.getFunction(symbol);
  if (program->kernel_ == nullptr) return base::error("the kernel " + symbol + " is not in the compiled code");
  program->place_numbers_[{}] = 0;
  program->places_.emplace_back();
  program->number_instructions();
  program->find_live();
  return program;
}

void* ResidualProgram::variable(const std::string& symbol) const {
  const auto found = variables_.find(symbol);
  return found == variables_.end() ? nullptr : found->second;
}

void ResidualProgram::number_instructions() {
  std::uint64_t next = SteadyAddresses::kPrivate + 4096;
  for (llvm::Instruction& instruction : llvm::instructions(*kernel_)) {
    numbers_[&instruction] = static_cast<unsigned>(numbers_.size());
    const auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (alloca == nullptr) continue;
    const std::optional<llvm::TypeSize> size = alloca->getAllocationSize(layout());
    slots_[alloca] = next;
    const std::uint64_t bytes = size ? size->getFixedValue() : 0;
    next += (bytes + 4096 + 255) / 256 * 256;
  }
}

// Backwards from the uses, block by block; a phi needs its value at the end of the block that it comes from.
void ResidualProgram::find_live() {
  for (llvm::BasicBlock& block : *kernel_) live_[&block];
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock& block : llvm::reverse(*kernel_)) {
      std::set<const llvm::Instruction*> live;
      for (const llvm::BasicBlock* next : llvm::successors(&block)) {
        for (const llvm::Instruction* needed : live_[next]) {
          const auto* phi = llvm::dyn_cast<llvm::PHINode>(needed);
          if (phi == nullptr || phi->getParent() != next) live.insert(needed);
        }
        for (const llvm::PHINode& phi : next->phis()) {
          if (const auto* from = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(&block))) {
            live.insert(from);
          }
        }
      }
      for (const llvm::Instruction& instruction : llvm::reverse(block)) {
        if (llvm::isa<llvm::PHINode>(instruction)) continue;
        live.erase(&instruction);
        for (const llvm::Use& use : instruction.operands()) {
          if (const auto* needed = llvm::dyn_cast<llvm::Instruction>(use.get())) live.insert(needed);
        }
      }
      if (live.size() == live_[&block].size()) continue;  // it only grows
      live_[&block] = std::move(live);
      changed = true;
    }
  }
}

std::uint32_t ResidualProgram::place(const llvm::Instruction& instruction) {
  const auto known = place_of_.find(&instruction);
  if (known != place_of_.end()) return known->second;
  const race::SiteId site = site_table_->of(instruction);
  const race::Place place = site < sites_.size() ? sites_[site].place : race::Place{};
  const auto [number, fresh] = place_numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (fresh) places_.push_back(place);
  return place_of_[&instruction] = number->second;
}

}  // namespace weakspot::race_jit
