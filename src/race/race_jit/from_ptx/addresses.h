// SPDX-License-Identifier: MIT
// PTX computes addresses as integers. Names of memory, facts for a search and private memory need pointers: where one
// variable or parameter is the base of an address, the access gets a pointer that is computed from it.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace weakspot::race_jit {

// Calls of these stand for the conversion of an address until recover_addresses().
llvm::Value* generic_pointer(llvm::IRBuilder<>& builder, llvm::Value* address);
llvm::Value* shared_pointer(llvm::IRBuilder<>& builder, llvm::Value* address);

// After registers have become values. `anchor` is any shared variable of the module, null if there is none.
void recover_addresses(llvm::Function& function, llvm::Value* anchor);

}  // namespace weakspot::race_jit
