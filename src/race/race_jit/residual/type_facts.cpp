// SPDX-License-Identifier: MIT
#include "race_jit/residual/type_facts.h"

namespace weakspot::race_jit {

using llvm::Type;

unsigned TypeFacts::bits_of(Type* type) const {
  return static_cast<unsigned>(layout_.getTypeSizeInBits(type).getFixedValue());
}

std::uint64_t TypeFacts::part_count(Type* type) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getNumElements();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return array->getNumElements();
  return llvm::cast<llvm::StructType>(type)->getNumElements();
}

Type* TypeFacts::part_type(Type* type, std::uint64_t index) {
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) return vector->getElementType();
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return array->getElementType();
  return llvm::cast<llvm::StructType>(type)->getElementType(static_cast<unsigned>(index));
}

std::uint64_t TypeFacts::part_offset(Type* type, std::uint64_t index) const {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    return layout_.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(index));
  }
  Type* element = part_type(type, 0);
  return index * (type->isVectorTy() ? layout_.getTypeStoreSize(element) : layout_.getTypeAllocSize(element));
}

PartialValue TypeFacts::undefined(Type* type) {
  if (!is_aggregate(type)) return {};
  PartialValue value{PartialValue::Kind::parts, 0, {}};
  for (std::uint64_t i = 0; i < part_count(type); ++i) value.parts.push_back(undefined(part_type(type, i)));
  return value;
}

llvm::Constant* TypeFacts::as_constant(const PartialValue& value, Type* type) const {
  if (value.kind == PartialValue::Kind::parts) {
    std::vector<llvm::Constant*> parts;
    for (std::size_t i = 0; i < value.parts.size(); ++i) {
      llvm::Constant* part = as_constant(value.parts[i], part_type(type, i));
      if (part == nullptr) return nullptr;
      parts.push_back(part);
    }
    if (type->isVectorTy()) return llvm::ConstantVector::get(parts);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return llvm::ConstantArray::get(array, parts);
    return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(type), parts);
  }
  if (value.kind != PartialValue::Kind::known) return nullptr;
  if (type->isIntegerTy())
    return llvm::ConstantInt::get(type, llvm::APInt(bits_of(type), low_bits(value.bits, bits_of(type))));
  if (type->isFloatingPointTy()) {
    return llvm::ConstantFP::get(
        type->getContext(),
        llvm::APFloat(type->getFltSemantics(), llvm::APInt(bits_of(type), low_bits(value.bits, bits_of(type)))));
  }
  return nullptr;
}

}  // namespace weakspot::race_jit
