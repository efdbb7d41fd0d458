// SPDX-License-Identifier: MIT
// A kernel as the evaluator walks through it: the lowered code before instrumentation, its variables and arguments, and
// which values are still needed where.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "race/site.h"
#include "race_jit/bitcode/branch_sides.h"
#include "race_jit/lower/device_module.h"
#include "race_jit/lower/engine.h"
#include "race_jit/lower/gaps.h"
#include "race_jit/lower/site_table.h"
#include "race_jit/storage/arena.h"

namespace weakspot::race_jit {

// Addresses do not depend on where the arena happens to lie.
class SteadyAddresses {
 public:
  explicit SteadyAddresses(const Arena& arena) : arena_(arena) {}

  static constexpr std::uint64_t kBase = std::uint64_t{0x10} << 40;  // of the arena
  static constexpr std::uint64_t kPrivate = std::uint64_t{0x50} << 40;
  static constexpr std::uint64_t kPrivateSize = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kContext = std::uint64_t{0x60} << 40;  // of the running thread

  bool is_device(std::uint64_t address) const { return address - kBase < arena_.size(); }
  bool is_block_shared(std::uint64_t address) const { return is_device(address) && arena_.is_shared(pointer(address)); }
  static bool is_private(std::uint64_t address) { return address - kPrivate < kPrivateSize; }
  // Moves an address of the arena to where every process has it; other addresses stay as they are.
  std::uint64_t steady(std::uint64_t real) const {
    const std::uint64_t offset = real - reinterpret_cast<std::uint64_t>(arena_.base());
    return offset < arena_.size() ? kBase + offset : real;
  }
  const char* pointer(std::uint64_t steady) const { return arena_.base() + (steady - kBase); }
  std::uint64_t window(std::uint64_t block) const {
    return steady(reinterpret_cast<std::uint64_t>(arena_.window(block)));
  }
  const Arena& arena() const { return arena_; }

 private:
  const Arena& arena_;
};

class ResidualProgram {
 public:
  // Reads the bitcode again and lowers it as load_device_module() does, but for the instrumentation.
  static base::Result<std::unique_ptr<ResidualProgram>> load(const std::string& bitcode, const std::string& symbol,
                                                             const DeviceModule& device,
                                                             const std::vector<std::string>& own_folders);

  llvm::Function& kernel() const { return *kernel_; }
  const llvm::DataLayout& layout() const { return module_->getDataLayout(); }
  llvm::LLVMContext& context() const { return module_->getContext(); }

  unsigned number(const llvm::Instruction& instruction) const { return numbers_.at(&instruction); }
  // The instructions whose values are needed at the start of the block or later.
  const std::set<const llvm::Instruction*>& live_in(const llvm::BasicBlock& block) const { return live_.at(&block); }
  // Null if the name is not one of a variable.
  void* variable(const std::string& symbol) const;
  // The number of the instruction's place in places().
  std::uint32_t place(const llvm::Instruction& instruction);
  const std::vector<race::Place>& places() const { return places_; }
  // The steady private address of a stack slot, each time the same.
  std::uint64_t slot(const llvm::AllocaInst& alloca) const { return slots_.at(&alloca); }

 private:
  void number_instructions();
  void find_live();

  std::unique_ptr<Engine> engine_;
  std::vector<race::Site> sites_;
  BranchSides sides_;
  Gaps gaps_;
  std::unique_ptr<SiteTable> site_table_;
  std::unique_ptr<llvm::Module> module_;
  llvm::Function* kernel_ = nullptr;
  std::map<std::string, void*> variables_;
  std::map<const llvm::Instruction*, unsigned> numbers_;
  std::map<const llvm::BasicBlock*, std::set<const llvm::Instruction*>> live_;
  std::map<const llvm::AllocaInst*, std::uint64_t> slots_;
  std::map<const llvm::Instruction*, std::uint32_t> place_of_;
  std::map<race::Place, std::uint32_t> place_numbers_;
  std::vector<race::Place> places_;
};

}  // namespace weakspot::race_jit
