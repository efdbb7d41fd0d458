// SPDX-License-Identifier: MIT
// Special registers of inline PTX: %tid.x, %laneid, %clock and the like.
#pragma once

#include <functional>
#include <string>

#include "race_jit/ptx/ptx_floats.h"

namespace weakspot::race_jit {

// The value of a register; null if there is none of this name. `field` loads a word of the thread's context from an
// offset, `hook` calls a function of the machine.
llvm::Value* ptx_special_register(
    PtxBuilder& builder, const std::string& name, const std::function<llvm::Value*(std::size_t)>& field,
    const std::function<llvm::Value*(const char*, llvm::Type*, std::vector<llvm::Value*>)>& hook);

}  // namespace weakspot::race_jit
