// SPDX-License-Identifier: MIT
#include "race_jit/bitcode/ptx_origin.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include <memory>

namespace weakspot::race_jit {
namespace {

constexpr const char* kOrigin = "weakspot.ptx";
constexpr const char* kInstructions = "weakspot.instructions";

llvm::Metadata* number(llvm::LLVMContext& context, std::uint64_t value) {
  return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value));
}

llvm::MDNode* place_node(llvm::LLVMContext& context, const race::Place& place) {
  return llvm::MDNode::get(
      context, {llvm::MDString::get(context, place.file), number(context, place.line), number(context, place.column)});
}

std::uint64_t number_in(const llvm::MDNode& node, unsigned index) {
  return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(index))->getZExtValue();
}

race::Place place_in(const llvm::MDNode& origin, unsigned index) {
  const auto& node = *llvm::cast<llvm::MDNode>(origin.getOperand(index));
  return {llvm::cast<llvm::MDString>(node.getOperand(0))->getString().str(), static_cast<unsigned>(number_in(node, 1)),
          static_cast<unsigned>(number_in(node, 2))};
}

}  // namespace

void set_ptx_origin(llvm::IRBuilderBase& builder, const race::PtxOrigin& origin) {
  llvm::LLVMContext& context = builder.getContext();
  // A builder takes over metadata from an instruction only.
  struct Delete {
    void operator()(llvm::Instruction* instruction) const { instruction->deleteValue(); }
  };
  const std::unique_ptr<llvm::Instruction, Delete> sample(new llvm::UnreachableInst(context));
  sample->setMetadata(kOrigin, llvm::MDNode::get(context, {place_node(context, origin.instruction),
                                                           place_node(context, origin.library)}));
  keep_ptx_origin(builder, *sample);
}

void keep_ptx_origin(llvm::IRBuilderBase& builder, const llvm::Instruction& from) {
  const unsigned kind = builder.getContext().getMDKindID(kOrigin);
  if (from.getMetadata(kind) != nullptr) {
    builder.CollectMetadataToCopy(const_cast<llvm::Instruction*>(&from), {kind});  // NOLINT: it is only read
  }
}

std::optional<race::PtxOrigin> ptx_origin(const llvm::Instruction& instruction) {
  const llvm::MDNode* node = instruction.getMetadata(kOrigin);
  if (node == nullptr) return std::nullopt;
  return race::PtxOrigin{.library = place_in(*node, 1), .instruction = place_in(*node, 0)};
}

void note_ptx_instructions(llvm::Module& module, std::uint64_t count) {
  llvm::LLVMContext& context = module.getContext();
  module.getOrInsertNamedMetadata(kInstructions)->addOperand(llvm::MDNode::get(context, {number(context, count)}));
}

std::optional<std::uint64_t> ptx_instructions(const llvm::Module& module) {
  const llvm::NamedMDNode* notes = module.getNamedMetadata(kInstructions);
  if (notes == nullptr) return std::nullopt;
  std::uint64_t count = 0;
  for (const llvm::MDNode* note : notes->operands()) count += number_in(*note, 0);
  return count;
}

}  // namespace weakspot::race_jit
