// SPDX-License-Identifier: MIT
// The members of a structure that a kernel takes by value, from its debug information: numbers and pointers, each with
// the name that the source gives it ("view.rows") and where it lies.
#pragma once

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>

#include <vector>

#include "race_jit/lower/device_module.h"

namespace weakspot::race_jit {

// The type of a parameter; null where the debug information does not tell.
const llvm::DIType* parameter_type(const llvm::Function& kernel, unsigned number);

// The members of the parameter `name`; empty if the type is not a structure. Arrays have an entry for each of their
// first elements ("view.sizes[0]"). `opaque` names a member for which nothing can be made up, if there is one.
std::vector<KernelMember> members_of(const llvm::DIType* type, const std::string& name, std::string& opaque);

}  // namespace weakspot::race_jit
