// SPDX-License-Identifier: MIT
// LLVM's ordinary optimisations.
#pragma once

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace weakspot::race_jit {

void optimise_module(llvm::Module& module, llvm::TargetMachine& target);

}  // namespace weakspot::race_jit
