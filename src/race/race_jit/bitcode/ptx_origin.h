// SPDX-License-Identifier: MIT
// The instruction of PTX that an instruction of the bitcode was translated from, noted as metadata, which outlives
// inlining.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>

#include "race/site.h"

namespace weakspot::race_jit {

// Notes that all instructions made from now on have this origin.
void set_ptx_origin(llvm::IRBuilderBase& builder, const race::PtxOrigin& origin);
// Notes that they come from where another one does, if that is known.
void keep_ptx_origin(llvm::IRBuilderBase& builder, const llvm::Instruction& from);
std::optional<race::PtxOrigin> ptx_origin(const llvm::Instruction& instruction);

// The number of instructions that a module was translated from; none: it was not made of PTX.
void note_ptx_instructions(llvm::Module& module, std::uint64_t count);
std::optional<std::uint64_t> ptx_instructions(const llvm::Module& module);

}  // namespace weakspot::race_jit
