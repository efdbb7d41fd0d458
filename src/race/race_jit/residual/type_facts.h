// SPDX-License-Identifier: MIT
// The types of LLVM as a partial evaluator sees them, and values as its constants.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/DerivedTypes.h>

#include "race_jit/residual/values.h"

namespace weakspot::race_jit {

class TypeFacts {
 public:
  explicit TypeFacts(const llvm::DataLayout& layout) : layout_(layout) {}

  unsigned bits_of(llvm::Type* type) const;
  static bool is_aggregate(llvm::Type* type) { return type->isAggregateType() || type->isVectorTy(); }
  static std::uint64_t part_count(llvm::Type* type);
  static llvm::Type* part_type(llvm::Type* type, std::uint64_t index);
  std::uint64_t part_offset(llvm::Type* type, std::uint64_t index) const;
  static PartialValue undefined(llvm::Type* type);
  // Null if a part is not known, or is an address.
  llvm::Constant* as_constant(const PartialValue& value, llvm::Type* type) const;

 private:
  const llvm::DataLayout& layout_;
};

}  // namespace weakspot::race_jit
