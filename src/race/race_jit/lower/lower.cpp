// SPDX-License-Identifier: MIT
#include "race_jit/lower/lower.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cstddef>
#include <set>

#include "race_jit/bitcode/shared_layout.h"
#include "race_jit/hooks/context.h"
#include "race_jit/lower/amdgcn.h"
#include "race_jit/lower/inlining.h"

namespace weakspot::race_jit {
namespace {

// byval: the callee owns a copy. Made explicit, since targets differ in how they pass it.
void copy_by_value_arguments(llvm::Function& function) {
  for (llvm::Argument& argument : function.args()) {
    if (!argument.hasByValAttr()) continue;
    llvm::Type* type = argument.getParamByValType();
    if (!function.isDeclaration()) {
      llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
      llvm::AllocaInst* copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
      argument.replaceAllUsesWith(copy);
      const llvm::DataLayout& layout = function.getParent()->getDataLayout();
      builder.CreateMemCpy(copy, copy->getAlign(), &argument, llvm::Align(1), layout.getTypeAllocSize(type));
    }
    function.removeParamAttr(argument.getArgNo(), llvm::Attribute::ByVal);
    const std::uint64_t size = function.getParent()->getDataLayout().getTypeAllocSize(type);
    function.addParamAttr(argument.getArgNo(),
                          llvm::Attribute::get(function.getContext(), "weakspot-by-value", std::to_string(size)));
  }
  // Calls of any function, those of virtual ones as well.
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    for (unsigned i = 0; call != nullptr && i < call->arg_size(); ++i) {
      call->removeParamAttr(i, llvm::Attribute::ByVal);
    }
  }
}

// The toolkit's cooperative groups wait for the grid, and for parts of a block, through memory that the driver
// provides. We replace the grid's barrier; the others are not modelled.
void replace_group_barrier(llvm::Function& function) {
  if (function.isDeclaration() || !function.getName().contains("cooperative_groups")) return;
  const std::string name = llvm::demangle(function.getName().str());
  if (name.find("::details::sync_warps") != std::string::npos) {
    function.deleteBody();
    function.setComdat(nullptr);
    return;
  }
  if (name.find("::details::grid::sync(") == std::string::npos || !function.getReturnType()->isVoidTy()) return;
  llvm::DISubprogram* program = function.getSubprogram();
  function.deleteBody();
  function.setSubprogram(program);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(function.getContext(), "", &function));
  if (program != nullptr) {
    builder.SetCurrentDebugLocation(llvm::DILocation::get(function.getContext(), program->getLine(), 1, program));
  }
  builder.CreateCall(function.getParent()->getOrInsertFunction("__ws_grid_barrier", builder.getVoidTy()));
  builder.CreateRetVoid();
}

std::uint64_t align_to(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Uses of `global` inside functions become uses of what `make` inserts at the function's entry.
template <typename Make>
void replace_in_functions(llvm::GlobalVariable& global, Make make) {
  llvm::Constant* constants[] = {&global};
  llvm::convertUsersOfConstantsToInstructions(constants);
  std::map<llvm::Function*, llvm::Value*> made;
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : global.uses()) uses.push_back(&use);
  for (llvm::Use* use : uses) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(use->getUser());
    if (instruction == nullptr) continue;
    llvm::Function* function = instruction->getFunction();
    llvm::Value*& value = made[function];
    if (value == nullptr) value = make(*function);
    if (instruction->getType()->isPointerTy() && llvm::isa<llvm::AddrSpaceCastInst>(instruction)) {
      instruction->replaceAllUsesWith(value);
      continue;
    }
    llvm::Value* typed = value;
    if (typed->getType() != use->get()->getType()) {
      llvm::IRBuilder<> builder(llvm::isa<llvm::PHINode>(instruction) ? function->getEntryBlock().getTerminator()
                                                                      : instruction);
      typed = builder.CreateAddrSpaceCast(value, use->get()->getType());
    }
    use->set(typed);
  }
  for (llvm::Use* use : uses) {
    auto* instruction = llvm::dyn_cast<llvm::AddrSpaceCastInst>(use->getUser());
    if (instruction != nullptr && instruction->use_empty() && instruction->getOperand(0) == &global) {
      instruction->eraseFromParent();
    }
  }
}

unsigned element_size(llvm::Type* type, const llvm::DataLayout& layout) {
  while (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) type = array->getElementType();
  return static_cast<unsigned>(layout.getTypeAllocSize(type));
}

// An annotation of a variable or kernel in our headers: a word and numbers.
struct Annotated {
  llvm::GlobalValue* value = nullptr;
  std::string word;
  std::vector<std::uint64_t> numbers;
};

std::vector<Annotated> annotated(const llvm::Module& module) {
  std::vector<Annotated> found;
  const llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr || !annotations->hasInitializer()) return found;
  for (const llvm::Use& entry : llvm::cast<llvm::User>(annotations->getInitializer())->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    if (fields == nullptr) continue;
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    const auto* data = text == nullptr || !text->hasInitializer()
                           ? nullptr
                           : llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
    auto* value = llvm::dyn_cast<llvm::GlobalValue>(fields->getOperand(0)->stripPointerCasts());
    if (value == nullptr || data == nullptr || !data->isCString()) continue;
    Annotated entry_of{value, data->getAsCString().str(), {}};
    const auto* numbers = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(4)->stripPointerCasts());
    if (numbers != nullptr && numbers->hasInitializer()) {
      for (unsigned i = 0; const llvm::Constant* number = numbers->getInitializer()->getAggregateElement(i); ++i) {
        if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(number)) {
          entry_of.numbers.push_back(integer->getZExtValue());
        }
      }
    }
    found.push_back(std::move(entry_of));
  }
  return found;
}

// A pointer into the shared memory of the block that runs the function.
llvm::Value* shared_address(llvm::Function& function, const std::string& name, std::uint64_t offset) {
  llvm::LLVMContext& context = function.getContext();
  auto* loaded = llvm::cast<llvm::Instruction>(current_context(function));
  llvm::IRBuilder<> builder(loaded->getNextNode());
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  llvm::Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), loaded, offsetof(ThreadContext, shared));
  llvm::LoadInst* base = builder.CreateLoad(llvm::PointerType::get(context, 0), field);
  base->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  // An argument of a function would be one more name for getUnderlyingObject to stop at.
  llvm::Value* address =
      builder.CreateAdd(builder.CreatePtrToInt(base, builder.getInt64Ty()), builder.getInt64(offset));
  return builder.CreateIntToPtr(address, llvm::PointerType::get(context, 0), "shared." + name + ".");
}

void place_shared(llvm::GlobalVariable& global, std::uint64_t offset, std::uint64_t size, Lowered& lowered) {
  const std::string name = variable_name(&global);
  lowered.shared.push_back({name, offset, size});
  replace_in_functions(global, [&](llvm::Function& function) { return shared_address(function, name, offset); });
  if (global.use_empty()) global.eraseFromParent();
}

// Variables without a size all begin behind those with one.
void lower_shared(const std::vector<llvm::GlobalVariable*>& globals, Lowered& lowered) {
  std::vector<llvm::GlobalVariable*> dynamic, fixed;
  for (llvm::GlobalVariable* global : globals) {
    const std::uint64_t size = global->getParent()->getDataLayout().getTypeAllocSize(global->getValueType());
    (global->isDeclaration() || size == 0 ? dynamic : fixed).push_back(global);
  }
  const SharedLayout layout = lay_out_shared(fixed);
  for (std::size_t i = 0; i < fixed.size(); ++i) {
    const std::uint64_t size = fixed[i]->getParent()->getDataLayout().getTypeAllocSize(fixed[i]->getValueType());
    place_shared(*fixed[i], layout.offsets[i], size, lowered);
  }
  lowered.static_shared = dynamic.empty() ? layout.size : align_to(layout.size, 128);
  for (llvm::GlobalVariable* global : dynamic) place_shared(*global, lowered.static_shared, 0, lowered);
}

// Kernels keep their clusters as an attribute. Gives the variables that are managed.
std::set<const llvm::GlobalValue*> take_annotations(llvm::Module& module) {
  std::set<const llvm::GlobalValue*> managed;
  for (const Annotated& entry : annotated(module)) {
    if (entry.word == "weakspot.managed") managed.insert(entry.value);
    auto* kernel = llvm::dyn_cast<llvm::Function>(entry.value);
    if (entry.word != "weakspot.cluster" || kernel == nullptr) continue;
    kernel->addFnAttr("weakspot-cluster", fmt::format("{}", fmt::join(entry.numbers, ",")));
  }
  if (llvm::GlobalVariable* annotations = module.getGlobalVariable("llvm.global.annotations")) {
    annotations->eraseFromParent();
  }
  return managed;
}

// The symbol of a constant with the variable's initial value; empty if that is zero.
std::string keep_initial_value(llvm::GlobalVariable& global) {
  if (!global.hasInitializer() || global.getInitializer()->isNullValue() ||
      llvm::isa<llvm::UndefValue>(global.getInitializer())) {
    return {};
  }
  auto* initial =
      new llvm::GlobalVariable(*global.getParent(), global.getValueType(), true, llvm::GlobalValue::ExternalLinkage,
                               global.getInitializer(), global.getName() + ".weakspot.initial");
  return initial->getName().str();
}

// The variable becomes one that is defined outside of the module, in the memory of the device.
DeviceVariable lower_device_variable(llvm::GlobalVariable& global) {
  const llvm::DataLayout& layout = global.getParent()->getDataLayout();
  DeviceVariable variable;
  variable.name = variable_name(&global);
  variable.size = std::max<std::uint64_t>(layout.getTypeAllocSize(global.getValueType()), 1);
  variable.alignment = global.getAlign().valueOrOne().value();
  variable.element = element_size(global.getValueType(), layout);
  variable.initial = keep_initial_value(global);
  if (!global.hasName()) global.setName("weakspot.variable");
  auto* outside = new llvm::GlobalVariable(*global.getParent(), global.getValueType(), false,
                                           llvm::GlobalValue::ExternalLinkage, nullptr, "");
  outside->takeName(&global);
  variable.symbol = outside->getName().str();
  llvm::Constant* replacement = outside;
  if (global.getAddressSpace() != 0) replacement = llvm::ConstantExpr::getAddrSpaceCast(outside, global.getType());
  global.replaceAllUsesWith(replacement);
  global.eraseFromParent();
  return variable;
}

}  // namespace

llvm::Value* current_context(llvm::Function& function) {
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    if (instruction.getName() == "weakspot.context") return &instruction;
  }
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  llvm::FunctionCallee current = module.getOrInsertFunction("weakspot_context", pointer);
  auto* hook = llvm::cast<llvm::Function>(current.getCallee());
  // Another thread has another context, but a thread never sees that.
  hook->setDoesNotAccessMemory();
  hook->setDoesNotThrow();
  hook->setWillReturn();
  llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  return builder.CreateCall(current, {}, "weakspot.context");
}

void retarget(llvm::Module& module, const llvm::DataLayout& layout, const std::string& triple) {
  const bool amd = is_amdgcn(module);
  module.setTargetTriple(triple);
  module.setDataLayout(layout);
  if (amd) adopt_amdgcn(module);
  if (llvm::NamedMDNode* used = module.getNamedMetadata("nvvmir.version")) used->eraseFromParent();
  for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* used = module.getGlobalVariable(name)) used->eraseFromParent();
  }
  std::vector<llvm::Function*> kernels;
  if (const llvm::NamedMDNode* annotations = module.getNamedMetadata("nvvm.annotations")) {
    for (const llvm::MDNode* node : annotations->operands()) {
      const auto* text = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(1));
      auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
      if (text == nullptr || function == nullptr) continue;
      if (text->getString() == "kernel") kernels.push_back(function);
      if (text->getString() != "maxntidx") continue;
      const auto* threads = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(2));
      if (threads != nullptr) function->addFnAttr("weakspot-threads", std::to_string(threads->getZExtValue()));
    }
  }
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        instruction.dropDbgRecords();  // records of local variables, which nobody asks for
        if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) instruction.eraseFromParent();
      }
    }
  }
  for (llvm::Function& function : module) replace_group_barrier(function);
  for (llvm::Function& function : module) {
    copy_by_value_arguments(function);
    for (const char* attribute : {"target-cpu", "target-features", "frame-pointer"}) function.removeFnAttr(attribute);
    function.removeFnAttr(llvm::Attribute::Convergent);
    const bool kernel = std::find(kernels.begin(), kernels.end(), &function) != kernels.end();
    if (function.isDeclaration() || kernel) continue;
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (llvm::Function* kernel : kernels) {
    kernel->setComdat(nullptr);
    kernel->setLinkage(llvm::GlobalValue::ExternalLinkage);
    kernel->addFnAttr("weakspot-kernel");
  }
  inline_functions(module);
  if (amd) join_fences_with_barriers(module);
}

Lowered lower_variables(llvm::Module& module) {
  constexpr unsigned kSharedSpace = 3;
  Lowered lowered;
  std::vector<llvm::GlobalVariable*> shared, device;
  for (llvm::GlobalVariable& global : module.globals()) {
    if (global.getName().starts_with("llvm.")) continue;
    (global.getAddressSpace() == kSharedSpace ? shared : device).push_back(&global);
  }
  lower_shared(shared, lowered);
  const std::set<const llvm::GlobalValue*> managed = take_annotations(module);
  for (llvm::GlobalVariable* global : device) {
    if (global->use_empty() && (global->isDeclaration() || global->hasLocalLinkage())) continue;
    const bool is_managed = managed.contains(global);
    lowered.variables.push_back(lower_device_variable(*global));
    lowered.variables.back().managed = is_managed;
  }
  for (llvm::Function& function : module) {
    if (function.hasFnAttribute("weakspot-kernel") && !function.isDeclaration()) lowered.kernels.push_back(&function);
  }
  return lowered;
}

}  // namespace weakspot::race_jit
