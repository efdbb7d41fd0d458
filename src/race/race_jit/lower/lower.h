// SPDX-License-Identifier: MIT
// The first steps of load_device_module(): a module for the GPU becomes one for this processor.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "race_jit/lower/device_module.h"
#include "race_jit/lower/site_table.h"

namespace weakspot::race_jit {

struct SharedVariable {
  std::string name;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;  // 0: as large as the launch says
};

// A variable of the module that lives in the memory of the device.
struct DeviceVariable {
  std::string symbol;
  std::string initial;  // symbol of its initial value; empty for zeros
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t alignment = 1;
  unsigned element = 0;
  bool managed = false;
};

struct Lowered {
  std::vector<SharedVariable> shared;
  std::uint64_t static_shared = 0;
  std::vector<DeviceVariable> variables;
  std::vector<llvm::Function*> kernels;
  std::vector<LeftOut> left_out;
  race::Share modelled;  // see DeviceModule::modelled()
  std::vector<SyncPoint> sync_points;
};

// Sets triple and layout of this machine, makes arguments passed by value explicit, inlines functions where possible
// and turns stack slots into values, without moving or merging any access to memory.
void retarget(llvm::Module& module, const llvm::DataLayout& layout, const std::string& triple);

// Replaces variables in shared and device memory by code that finds them at run time.
Lowered lower_variables(llvm::Module& module);

// Replaces everything that is not plain code by calls of hooks: special registers, barriers, fences, warp operations,
// library functions. Unknown operations become calls of weakspot_not_modelled; they are returned.
std::vector<LeftOut> lower_operations(llvm::Module& module, SiteTable& sites, race::Share& modelled);

// Replaces a call of inline PTX by its meaning. False, with nothing changed, if it is not understood.
bool lower_inline_ptx(llvm::CallInst& call, SiteTable& sites);

// The same for an intrinsic of barriers, warps and atomics, and for an atomic instruction.
bool lower_intrinsic(llvm::CallInst& call, SiteTable& sites);
bool lower_amd_intrinsic(llvm::CallInst& call, SiteTable& sites);
bool lower_atomic_instruction(llvm::Instruction& instruction, SiteTable& sites);

// The pointer to the current thread's context, loaded at the entry of a function.
llvm::Value* current_context(llvm::Function& function);

}  // namespace weakspot::race_jit
