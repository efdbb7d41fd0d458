// SPDX-License-Identifier: MIT
#include "race_jit/lower/amdgcn.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include <optional>
#include <vector>

#include "race/entry.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amd_assembly.h"
#include "race_jit/lower/amd_scopes.h"

namespace weakspot::race_jit {
namespace {

using llvm::CallInst;
using llvm::Function;
using llvm::FunctionType;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::PointerType;
using llvm::Type;
using llvm::Value;

constexpr unsigned kPrivate = 5, kConstant = 4;
constexpr const char* kWithFences = "weakspot.fences";
constexpr const char* kMark = "weakspot.amdgcn";

Type* without_private(Type* type) {
  llvm::LLVMContext& context = type->getContext();
  if (auto* pointer = llvm::dyn_cast<PointerType>(type)) {
    return pointer->getAddressSpace() == kPrivate ? PointerType::get(context, 0) : type;
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    Type* element = without_private(array->getElementType());
    return element == array->getElementType() ? type : llvm::ArrayType::get(element, array->getNumElements());
  }
  if (auto* function = llvm::dyn_cast<FunctionType>(type)) {
    std::vector<Type*> parameters;
    for (Type* parameter : function->params()) parameters.push_back(without_private(parameter));
    return FunctionType::get(without_private(function->getReturnType()), parameters, function->isVarArg());
  }
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type); structure != nullptr && structure->isLiteral()) {
    std::vector<Type*> members;
    for (Type* member : structure->elements()) members.push_back(without_private(member));
    return llvm::StructType::get(context, members, structure->isPacked());
  }
  return type;
}

// A constant of a private pointer: null, undefined, or the cast of another.
llvm::Constant* constant_without_private(llvm::Constant* constant) {
  Type* type = without_private(constant->getType());
  if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
  if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type);
  if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(constant)) {
    return llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(
        llvm::cast<llvm::Constant>(llvm::cast<llvm::User>(cast)->getOperand(0)), type);
  }
  return llvm::Constant::getNullValue(type);
}

bool is_kernel(const Function& function) { return function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL; }

// Structures have no names as arguments, but their variables in the debug information have.
void name_arguments(Function& function) {
  auto name = [&](const llvm::DILocalVariable* variable) {
    if (variable == nullptr || variable->getArg() == 0 || variable->getArg() > function.arg_size()) return;
    llvm::Argument* argument = function.getArg(variable->getArg() - 1);
    if (!argument->hasName()) argument->setName(variable->getName());
  };
  for (Instruction& instruction : llvm::instructions(function)) {
    for (const llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange())) {
      if (record.getDebugLoc()->getInlinedAt() == nullptr) name(record.getVariable());
    }
    if (auto* declare = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction)) name(declare->getVariable());
  }
}

// A structure that is passed by reference is one by value here: who calls has made the copy, and a kernel only reads.
void mark_references(Function& function) {
  for (llvm::Argument& argument : function.args()) {
    if (!argument.hasByRefAttr()) continue;
    Type* type = argument.getParamByRefType();
    function.removeParamAttr(argument.getArgNo(), llvm::Attribute::ByRef);
    if (!is_kernel(function)) continue;
    const std::uint64_t size = function.getParent()->getDataLayout().getTypeAllocSize(type);
    function.addParamAttr(argument.getArgNo(),
                          llvm::Attribute::get(function.getContext(), "weakspot-by-value", std::to_string(size)));
  }
}

FunctionType* type_of(const Function& function) {
  auto* type = llvm::cast<FunctionType>(without_private(function.getFunctionType()));
  if (!is_kernel(function)) return type;
  std::vector<Type*> parameters(type->params());
  for (unsigned i = 0; i < parameters.size(); ++i) {
    if (function.getAttributes().hasParamAttr(i, "weakspot-by-value")) {
      parameters[i] = PointerType::get(function.getContext(), 0);
    }
  }
  return FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

// The function with another type. Its body moves over.
Function* retyped(Function& function, FunctionType* type) {
  Function* fresh = Function::Create(type, function.getLinkage(), function.getAddressSpace(), "", function.getParent());
  fresh->copyAttributesFrom(&function);
  fresh->setComdat(function.getComdat());
  fresh->setSubprogram(function.getSubprogram());
  function.setSubprogram(nullptr);
  fresh->takeName(&function);
  fresh->splice(fresh->begin(), &function);
  for (llvm::Argument& argument : function.args()) {
    llvm::Argument* new_argument = fresh->getArg(argument.getArgNo());
    new_argument->takeName(&argument);
    Value* value = new_argument;
    Type* expected = without_private(argument.getType());
    if (value->getType() != expected) {
      IRBuilder<> builder(&*fresh->getEntryBlock().getFirstInsertionPt());
      builder.SetCurrentDebugLocation(llvm::DebugLoc());
      value = builder.CreateAddrSpaceCast(value, expected);
    }
    argument.mutateType(expected);
    argument.replaceAllUsesWith(value);
  }
  function.replaceAllUsesWith(fresh);
  function.eraseFromParent();
  return fresh;
}

void change_types(llvm::Module& module) {
  std::vector<Function*> functions;
  for (Function& function : module) functions.push_back(&function);
  for (Function* function : functions) {
    if (function->isIntrinsic()) continue;
    mark_references(*function);
    FunctionType* type = type_of(*function);
    if (type != function->getFunctionType()) retyped(*function, type);
  }
}

// The intrinsic of the same meaning for pointers of another address space.
void change_intrinsic(CallInst& call) {
  Function* callee = call.getCalledFunction();
  llvm::SmallVector<Type*, 4> overloads;
  auto* type = llvm::cast<FunctionType>(without_private(callee->getFunctionType()));
  if (!llvm::Intrinsic::getIntrinsicSignature(callee->getIntrinsicID(), type, overloads)) return;
  call.setCalledFunction(llvm::Intrinsic::getDeclaration(call.getModule(), callee->getIntrinsicID(), overloads));
}

void change_instruction(Instruction& instruction) {
  for (llvm::Use& operand : instruction.operands()) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
    if (constant == nullptr || llvm::isa<llvm::GlobalValue>(constant)) continue;
    if (without_private(constant->getType()) != constant->getType()) operand.set(constant_without_private(constant));
  }
  instruction.mutateType(without_private(instruction.getType()));
  if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    slot->setAllocatedType(without_private(slot->getAllocatedType()));
  } else if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    element->setSourceElementType(without_private(element->getSourceElementType()));
    element->setResultElementType(without_private(element->getResultElementType()));
  } else if (auto* call = llvm::dyn_cast<CallInst>(&instruction)) {
    auto* type = llvm::cast<FunctionType>(without_private(call->getFunctionType()));
    Function* callee = call->getCalledFunction();
    if (callee != nullptr && callee->isIntrinsic() && type != call->getFunctionType()) return change_intrinsic(*call);
    call->mutateFunctionType(type);
    for (unsigned i = 0; i < call->arg_size(); ++i) call->removeParamAttr(i, llvm::Attribute::ByRef);
  }
}

// All casts between private pointers and others become casts of a type to itself.
void drop_private(Function& function) {
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (llvm::isa<llvm::LifetimeIntrinsic>(instruction)) instruction.eraseFromParent();
  }
  for (Instruction& instruction : llvm::instructions(function)) change_instruction(instruction);
  for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::AddrSpaceCastInst>(instruction)) continue;
    if (instruction.getType() != instruction.getOperand(0)->getType()) continue;
    instruction.replaceAllUsesWith(instruction.getOperand(0));
    instruction.eraseFromParent();
  }
}

// The most threads of a block that the kernel is compiled for; 1024 stands for any.
unsigned most_threads(const Function& function) {
  const llvm::StringRef range = function.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  unsigned most = 0;
  return range.split(',').second.getAsInteger(10, most) ? 0 : most;
}

void mark_kernel(Function& function) {
  llvm::LLVMContext& context = function.getContext();
  llvm::NamedMDNode* all = function.getParent()->getOrInsertNamedMetadata("nvvm.annotations");
  auto note = [&](const char* word, unsigned number) {
    llvm::Type* type = llvm::Type::getInt32Ty(context);
    all->addOperand(
        llvm::MDNode::get(context, {llvm::ValueAsMetadata::get(&function), llvm::MDString::get(context, word),
                                    llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(type, number))}));
  };
  note("kernel", 1);
  if (const unsigned most = most_threads(function); most != 0 && most != 1024) note("maxntidx", most);
}

using RegisterId = llvm::Intrinsic::ID;
constexpr RegisterId kThread[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                  llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
constexpr RegisterId kBlock[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                 llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr RegisterId kBlockSize[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                                     llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                                     llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr RegisterId kGridSize[] = {llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                    llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                    llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

Value* read_register(IRBuilder<>& builder, RegisterId id) {
  return builder.CreateCall(llvm::Intrinsic::getDeclaration(builder.GetInsertBlock()->getModule(), id));
}

std::optional<RegisterId> register_of(RegisterId id) {
  switch (id) {
    case llvm::Intrinsic::amdgcn_workitem_id_x:
      return kThread[0];
    case llvm::Intrinsic::amdgcn_workitem_id_y:
      return kThread[1];
    case llvm::Intrinsic::amdgcn_workitem_id_z:
      return kThread[2];
    case llvm::Intrinsic::amdgcn_workgroup_id_x:
      return kBlock[0];
    case llvm::Intrinsic::amdgcn_workgroup_id_y:
      return kBlock[1];
    case llvm::Intrinsic::amdgcn_workgroup_id_z:
      return kBlock[2];
    default:
      return std::nullopt;
  }
}

// A field of the packet that starts a launch, or of the arguments that the compiler adds to a kernel's own.
Value* field_of_launch(IRBuilder<>& builder, bool packet, std::int64_t offset, unsigned bytes) {
  auto axis = [&](std::int64_t first, std::int64_t step) { return static_cast<unsigned>((offset - first) / step); };
  auto is_at = [&](std::int64_t first, unsigned size) {
    return bytes == size && offset >= first && offset < first + 3 * std::int64_t{size} && (offset - first) % size == 0;
  };
  if (is_at(packet ? 4 : 12, 2)) return read_register(builder, kBlockSize[axis(packet ? 4 : 12, 2)]);
  if (packet && is_at(12, 4)) {
    return builder.CreateMul(read_register(builder, kBlockSize[axis(12, 4)]),
                             read_register(builder, kGridSize[axis(12, 4)]));
  }
  if (!packet && is_at(0, 4)) return read_register(builder, kGridSize[axis(0, 4)]);
  if (!packet && is_at(18, 2)) return builder.getInt32(0);    // threads of a last, partial block
  if (!packet && (is_at(40, 8))) return builder.getInt32(0);  // where the grid begins
  if (!packet && offset == 64 && bytes == 2) return builder.getInt32(3);
  return nullptr;
}

// Replaces loads of fields whose place is written in the code. The others stay, and are not modelled.
void read_fields(CallInst& call, bool packet) {
  std::vector<std::pair<llvm::LoadInst*, std::int64_t>> loads;
  for (llvm::User* user : call.users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) loads.emplace_back(load, 0);
    auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    llvm::APInt offset(64, 0);
    if (element == nullptr || !element->accumulateConstantOffset(call.getModule()->getDataLayout(), offset)) continue;
    for (llvm::User* further : element->users()) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(further)) loads.emplace_back(load, offset.getSExtValue());
    }
  }
  for (auto& [load, offset] : loads) {
    IRBuilder<> builder(load);
    const auto bytes = static_cast<unsigned>(call.getModule()->getDataLayout().getTypeStoreSize(load->getType()));
    if (!load->getType()->isIntegerTy()) continue;
    Value* value = field_of_launch(builder, packet, offset, bytes);
    if (value == nullptr) continue;
    load->replaceAllUsesWith(builder.CreateZExtOrTrunc(value, load->getType()));
    load->eraseFromParent();
  }
  for (llvm::User* user : llvm::make_early_inc_range(call.users())) {
    auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
    if (element != nullptr && element->use_empty()) element->eraseFromParent();
  }
  if (call.use_empty()) call.eraseFromParent();
}

void name_registers(Function& function) {
  std::vector<CallInst*> calls;
  for (Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<CallInst>(&instruction);
    if (call != nullptr && call->getIntrinsicID() != llvm::Intrinsic::not_intrinsic) calls.push_back(call);
  }
  for (CallInst* call : calls) {
    const RegisterId id = call->getIntrinsicID();
    if (const std::optional<RegisterId> known = register_of(id)) {
      IRBuilder<> builder(call);
      call->replaceAllUsesWith(read_register(builder, *known));
      call->eraseFromParent();
    } else if (id == llvm::Intrinsic::amdgcn_implicitarg_ptr || id == llvm::Intrinsic::amdgcn_dispatch_ptr) {
      read_fields(*call, id == llvm::Intrinsic::amdgcn_dispatch_ptr);
    }
  }
}

// What concerns the thread itself, and when its instructions are issued.
bool is_wait(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<CallInst>(&instruction);
  if (call == nullptr) return false;
  if (call->isInlineAsm()) {
    const auto assembly = read_amd_assembly(*llvm::cast<llvm::InlineAsm>(call->getCalledOperand()));
    return assembly && !assembly->barrier;
  }
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::amdgcn_s_waitcnt:
    case llvm::Intrinsic::amdgcn_s_sleep:
    case llvm::Intrinsic::amdgcn_s_setprio:
    case llvm::Intrinsic::amdgcn_s_nop:
    case llvm::Intrinsic::amdgcn_sched_barrier:
    case llvm::Intrinsic::amdgcn_sched_group_barrier:
    case llvm::Intrinsic::amdgcn_iglp_opt:
      return true;
    default:
      return false;
  }
}

// The fence next to a barrier, with nothing between that touches memory.
llvm::FenceInst* neighbour(CallInst& barrier, bool before) {
  for (Instruction* at = &barrier;;) {
    at = before ? at->getPrevNode() : at->getNextNode();
    if (at == nullptr) return nullptr;
    if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(at)) return fence;
    if (at->mayReadOrWriteMemory() && !is_wait(*at)) return nullptr;
  }
}

bool is_right(const llvm::FenceInst* fence, bool release, bool of_wave) {
  if (fence == nullptr) return false;
  // Those of a wave count as fences for all memory, of which lower_operations() tells.
  if (!of_wave && fenced_memory(*fence) != kAllMemory) return false;
  const bool reaches = amd_scope(fence->getContext(), fence->getSyncScopeID()).has_value() ||
                       (of_wave && is_of_wave(fence->getContext(), fence->getSyncScopeID()));
  return reaches &&
         (release ? llvm::isReleaseOrStronger(fence->getOrdering()) : llvm::isAcquireOrStronger(fence->getOrdering()));
}

// A fence of the block's scope does nothing more than the barrier; a wider one may order other blocks.
void drop_if_narrow(llvm::FenceInst* fence) {
  if (is_of_block(fence->getContext(), fence->getSyncScopeID())) fence->eraseFromParent();
}

void join_fences(CallInst& barrier) {
  llvm::FenceInst* release = neighbour(barrier, true);
  llvm::FenceInst* acquire = neighbour(barrier, false);
  const bool of_wave = barrier.getIntrinsicID() == llvm::Intrinsic::amdgcn_wave_barrier;
  if (!is_right(release, true, of_wave) || !is_right(acquire, false, of_wave)) return;
  if (of_wave) {
    barrier.setMetadata(kWithFences, llvm::MDNode::get(barrier.getContext(), {}));
    return;
  }
  IRBuilder<> builder(&barrier);
  builder.CreateCall(llvm::Intrinsic::getDeclaration(barrier.getModule(), llvm::Intrinsic::nvvm_barrier0));
  barrier.eraseFromParent();
  drop_if_narrow(release);
  drop_if_narrow(acquire);
}

unsigned lanes_of_wave(const llvm::Module& module) {
  for (const Function& function : module) {
    const llvm::StringRef features = function.getFnAttribute("target-features").getValueAsString();
    if (features.contains("+wavefrontsize32")) return 32;
    if (features.contains("+wavefrontsize64")) return 64;
  }
  return 64;
}

}  // namespace

bool is_amdgcn(const llvm::Module& module) {
  return llvm::StringRef(module.getTargetTriple()).starts_with("amdgcn") || module.getNamedMetadata(kMark) != nullptr;
}

unsigned wave_noted(const llvm::Module& module) {
  const llvm::NamedMDNode* mark = module.getNamedMetadata(kMark);
  if (mark == nullptr || mark->getNumOperands() == 0) return race::kWarp;
  const auto* wave = llvm::mdconst::extract<llvm::ConstantInt>(mark->getOperand(0)->getOperand(0));
  return static_cast<unsigned>(wave->getZExtValue());
}

void adopt_amdgcn(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Constant* wave = llvm::ConstantInt::get(Type::getInt32Ty(context), lanes_of_wave(module));
  module.getOrInsertNamedMetadata(kMark)->addOperand(llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(wave)}));
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    global.setVisibility(llvm::GlobalValue::DefaultVisibility);
    const bool of_compiler =
        global.getName().starts_with("__hip_cuid_") || global.getName().starts_with("__oclc_ABI_version");
    if (of_compiler && global.use_empty()) global.eraseFromParent();
  }
  for (Function& function : module) name_arguments(function);
  change_types(module);
  for (Function& function : module) {
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    drop_private(function);
    if (is_kernel(function)) mark_kernel(function);
    function.setCallingConv(llvm::CallingConv::C);
    name_registers(function);
  }
}

bool has_fences(const CallInst& wave_barrier) { return wave_barrier.hasMetadata(kWithFences); }

void join_fences_with_barriers(llvm::Module& module) {
  std::vector<CallInst*> barriers;
  for (Function& function : module) {
    for (Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<CallInst>(&instruction);
      if (call != nullptr && (call->getIntrinsicID() == llvm::Intrinsic::amdgcn_s_barrier ||
                              call->getIntrinsicID() == llvm::Intrinsic::amdgcn_wave_barrier))
        barriers.push_back(call);
    }
  }
  for (CallInst* barrier : barriers) join_fences(*barrier);
}

}  // namespace weakspot::race_jit
