// SPDX-License-Identifier: MIT
#include "race_jit/lower/struct_members.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

namespace weakspot::race_jit {
namespace {

namespace dwarf = llvm::dwarf;

constexpr std::uint64_t kMostElements = 8;
constexpr unsigned kDeepest = 8;

// Without typedefs and qualifiers.
const llvm::DIType* plain_type(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
      case dwarf::DW_TAG_atomic_type:
        type = derived->getBaseType();
        continue;
      default:
        return type;
    }
  }
  return type;
}

bool is_pointer(const llvm::DIType& type) {
  return type.getTag() == dwarf::DW_TAG_pointer_type || type.getTag() == dwarf::DW_TAG_reference_type;
}

class MemberReader {
 public:
  explicit MemberReader(std::string& opaque) : opaque_(opaque) {}

  void read(const llvm::DIType* type, const std::string& name, std::uint64_t offset, unsigned depth) {
    type = plain_type(type);
    if (type == nullptr || depth > kDeepest) return refuse(name);
    if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(type)) {
      const bool floating = basic->getEncoding() == dwarf::DW_ATE_float;
      const std::uint64_t size = basic->getSizeInBits() / 8;
      if (size == 0 || size > 8) return refuse(name);
      return add({name, basic->getName().str(), size, offset, false, floating});
    }
    if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type)) {
      if (!is_pointer(*derived)) return refuse(name);
      return read_pointer(*derived, name, offset);
    }
    if (const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type)) {
      return read_composite(*composite, name, offset, depth);
    }
    refuse(name);
  }

  std::vector<KernelMember> take() { return std::move(members_); }

 private:
  void add(KernelMember member) { members_.push_back(std::move(member)); }
  void refuse(const std::string& name) {
    if (opaque_.empty()) opaque_ = name;
  }

  void read_pointer(const llvm::DIDerivedType& pointer, const std::string& name, std::uint64_t offset) {
    const llvm::DIType* element = plain_type(pointer.getBaseType());
    if (element != nullptr && llvm::isa<llvm::DISubroutineType>(element)) return refuse(name);
    const auto* basic = llvm::dyn_cast_or_null<llvm::DIBasicType>(element);
    const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(element);
    const std::string type = basic != nullptr       ? basic->getName().str()
                             : composite != nullptr ? composite->getName().str()
                                                    : "int";
    add({name, type, 8, offset, true, false});
  }

  void read_composite(const llvm::DICompositeType& composite, const std::string& name, std::uint64_t offset,
                      unsigned depth) {
    if (composite.getTag() == dwarf::DW_TAG_enumeration_type) {
      return add({name, "int", composite.getSizeInBits() / 8, offset, false, false});
    }
    if (composite.getTag() == dwarf::DW_TAG_array_type) return read_array(composite, name, offset, depth);
    for (const llvm::DINode* node : composite.getElements()) {
      const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member == nullptr || member->isStaticMember()) continue;
      const std::uint64_t at = offset + member->getOffsetInBits() / 8;
      if (member->getTag() == dwarf::DW_TAG_inheritance) {
        read(member->getBaseType(), name, at, depth + 1);
      } else if (member->getTag() == dwarf::DW_TAG_member && !member->isBitField()) {
        // An anonymous structure or union inside of another has no name of its own.
        const std::string inner = member->getName().empty() ? name : name + "." + member->getName().str();
        read(member->getBaseType(), inner, at, depth + 1);
        if (composite.getTag() == dwarf::DW_TAG_union_type) return;  // the first of them
      }
    }
  }

  void read_array(const llvm::DICompositeType& array, const std::string& name, std::uint64_t offset, unsigned depth) {
    std::uint64_t count = 1;
    for (const llvm::DINode* node : array.getElements()) {
      const auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
      const auto extent = range == nullptr ? nullptr : llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount());
      if (extent == nullptr) return refuse(name);
      count *= extent->getZExtValue();
    }
    if (count == 0) return;
    const std::uint64_t size = array.getSizeInBits() / 8 / count;
    for (std::uint64_t i = 0; i < std::min(count, kMostElements); ++i) {
      read(array.getBaseType(), name + "[" + std::to_string(i) + "]", offset + i * size, depth + 1);
    }
  }

  std::string& opaque_;
  std::vector<KernelMember> members_;
};

}  // namespace

const llvm::DIType* parameter_type(const llvm::Function& kernel, unsigned number) {
  const llvm::DISubprogram* program = kernel.getSubprogram();
  if (program == nullptr || program->getType() == nullptr) return nullptr;
  const llvm::DITypeRefArray types = program->getType()->getTypeArray();
  // The first is the result. Empty structures may not be passed at all: then nothing is known of any.
  if (types.size() != kernel.arg_size() + 1) return nullptr;
  return types[number + 1];
}

std::vector<KernelMember> members_of(const llvm::DIType* type, const std::string& name, std::string& opaque) {
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(plain_type(type));
  if (composite == nullptr || composite->getTag() == dwarf::DW_TAG_enumeration_type) return {};
  MemberReader reader(opaque);
  reader.read(composite, name, 0, 0);
  return reader.take();
}

}  // namespace weakspot::race_jit
