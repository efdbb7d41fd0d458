// SPDX-License-Identifier: MIT
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

#include "race_jit/bitcode/ptx_origin.h"
#include "race_jit/bitcode/signature.h"
#include "race_jit/hooks/context.h"
#include "race_jit/hooks/hooks.h"
#include "race_jit/lower/amd_assembly.h"
#include "race_jit/lower/amd_scopes.h"
#include "race_jit/lower/amdgcn.h"
#include "race_jit/lower/lower.h"
#include "race_jit/math/nv_math.h"
#include "race_jit/ptx/ptx_effects.h"

namespace weakspot::race_jit {
namespace {

using llvm::CallInst;
using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// A hook that takes the operands of the call it replaces, perhaps after constants, and then the site.
struct Rewrite {
  const char* from;
  const char* hook;
  int constant = -1, second = -1;  // passed first if not negative
};

constexpr Rewrite kRewrites[] = {
    {"llvm.nvvm.barrier0", "weakspot_barrier"},
    {"llvm.nvvm.barrier0.popc", "weakspot_barrier_reduce", kCountTrue},
    {"llvm.nvvm.barrier0.and", "weakspot_barrier_reduce", kAllTrue},
    {"llvm.nvvm.barrier0.or", "weakspot_barrier_reduce", kAnyTrue},
    {"llvm.nvvm.membar.cta", "weakspot_fence", kBlockScope, kScFence},
    {"llvm.nvvm.membar.gl", "weakspot_fence", kDeviceScope, kScFence},
    {"llvm.nvvm.membar.sys", "weakspot_fence", kSystemScope, kScFence},
    {"llvm.trap", "weakspot_trap"},
    {"llvm.nvvm.bar.warp.sync", "weakspot_syncwarp"},
    {"llvm.nvvm.activemask", "weakspot_activemask"},
    {"__ws_atomic", "weakspot_atomic"},
    {"__ws_syncwarp", "weakspot_syncwarp"},
    {"__ws_shuffle", "weakspot_shuffle"},
    {"__ws_vote", "weakspot_vote"},
    {"__ws_activemask", "weakspot_activemask"},
    {"__ws_barrier_reduce", "weakspot_barrier_reduce"},
    {"__ws_grid_barrier", "weakspot_grid_barrier"},
    {"__ws_cluster_barrier", "weakspot_cluster_barrier"},
    {"__ws_blocks_arrive", "weakspot_blocks_arrive"},
    {"__ws_blocks_wait", "weakspot_blocks_wait"},
    {"__ws_map_shared", "weakspot_map_shared"},
    {"__ws_shared_rank", "weakspot_shared_rank"},
    {"__ws_cluster_register", "weakspot_cluster_register"},
    {"__ws_fence", "weakspot_fence"},
    {"__ws_gate_init", "weakspot_gate_init"},
    {"__ws_gate_arrive", "weakspot_gate_arrive"},
    {"__ws_gate_wait", "weakspot_gate_wait"},
    {"__ws_gate_test", "weakspot_gate_test"},
    {"__ws_texel", "weakspot_texel"},
    {"__ws_surface", "weakspot_surface"},
    {"__ws_texture_fact", "weakspot_texture_fact"},
    {"__ws_launch_child", "weakspot_launch_child"},
    {"__ws_wait_for_children", "weakspot_wait_for_children"},
    {"__ws_async_copy", "weakspot_async_copy"},
    {"__ws_async_commit", "weakspot_async_commit"},
    {"__ws_async_wait", "weakspot_async_wait"},
    {"__ws_async_wait_all", "weakspot_async_wait_all"},
    {"__ws_async_tell", "weakspot_async_tell"},
    {"__ws_mbarrier_init", "weakspot_mbarrier_init"},
    {"__ws_mbarrier_arrive", "weakspot_mbarrier_arrive"},
    {"__ws_mbarrier_bytes", "weakspot_mbarrier_bytes"},
    {"__ws_mbarrier_wait", "weakspot_mbarrier_wait"},
    {"__ws_proxy_fence", "weakspot_proxy_fence"},
    {"__ws_bulk_copy", "weakspot_bulk_copy"},
    {"__ws_bulk_reduce", "weakspot_bulk_reduce"},
    {"__ws_bulk_store", "weakspot_bulk_store"},
    {"__ws_bulk_update", "weakspot_bulk_update"},
    {"__ws_tensor_load", "weakspot_tensor_load"},
    {"__ws_tensor_store", "weakspot_tensor_store"},
    {"__ws_tmem_set", "weakspot_tmem_set"},
    {"__ws_tmem_get", "weakspot_tmem_get"},
    {"__ws_tmem_load", "weakspot_tmem_load"},
    {"__ws_tmem_store", "weakspot_tmem_store"},
    {"__ws_bulk_commit", "weakspot_bulk_commit"},
    {"__ws_bulk_wait", "weakspot_bulk_wait"},
    {"llvm.nvvm.cp.async.commit.group", "weakspot_async_commit"},
    {"llvm.nvvm.cp.async.wait.group", "weakspot_async_wait"},
    {"llvm.nvvm.cp.async.wait.all", "weakspot_async_wait_all"},
    {"llvm.readcyclecounter", "weakspot_clock"},
    {"llvm.nvvm.exit", "weakspot_exit"},
    {"llvm.nvvm.read.ptx.sreg.clock", "weakspot_clock"},
    {"llvm.nvvm.read.ptx.sreg.clock64", "weakspot_clock"},
    {"llvm.nvvm.read.ptx.sreg.globaltimer", "weakspot_clock"},
    {"vprintf", "weakspot_printf"},
    {"__ws_printf", "weakspot_printf"},
    {"__assertfail", "weakspot_assert"},
    {"malloc", "weakspot_malloc"},
    {"free", "weakspot_free"},
};

// A number in the context of the thread that a special register holds.
std::optional<std::size_t> register_offset(llvm::StringRef name) {
  if (!name.consume_front("llvm.nvvm.read.ptx.sreg.") || name.size() < 3) return std::nullopt;
  const std::size_t axis = static_cast<std::size_t>(name.back() - 'x');
  const llvm::StringRef which = name.drop_back(2);
  if (axis > 2 || name[name.size() - 2] != '.') return std::nullopt;
  const std::size_t base = which == "tid"      ? offsetof(ThreadContext, thread)
                           : which == "ctaid"  ? offsetof(ThreadContext, block)
                           : which == "ntid"   ? offsetof(ThreadContext, block_size)
                           : which == "nctaid" ? offsetof(ThreadContext, grid_size)
                                               : 0;
  if (base == 0) return std::nullopt;
  return base + 4 * axis;
}

Value* load_field(CallInst& call, std::size_t offset) {
  Value* context = current_context(*call.getFunction());
  IRBuilder<> builder(&call);
  Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context, offset);
  llvm::LoadInst* load = builder.CreateLoad(builder.getInt32Ty(), field);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(call.getContext(), {}));
  return load;
}

void replace(CallInst& call, Value* value) {
  if (value != nullptr && !call.getType()->isVoidTy()) call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

constexpr unsigned kAtomicSize = 2;  // an argument of __ws_atomic

void rewrite_call(CallInst& call, const Rewrite& rewrite, SiteTable& sites) {
  IRBuilder<> builder(&call);
  std::vector<Value*> arguments;
  std::vector<Type*> types;
  auto pass = [&](Value* value) {
    arguments.push_back(value);
    types.push_back(value->getType());
  };
  for (const int constant : {rewrite.constant, rewrite.second}) {
    if (constant >= 0) pass(builder.getInt32(static_cast<std::uint32_t>(constant)));
  }
  const bool launches = std::string_view(rewrite.from) == "__ws_launch_child";
  if (launches) {
    // The kernel itself may not have been compiled yet: the machine is told its name.
    const std::string symbol = call.getArgOperand(0)->stripPointerCasts()->getName().str();
    pass(builder.CreateGlobalString(symbol, "weakspot.text"));
    pass(builder.CreateGlobalString(parse_signature(llvm::demangle(source_symbol(symbol))).name, "weakspot.text"));
  }
  for (Value* argument : llvm::drop_begin(call.args(), launches ? 1 : 0)) pass(argument);
  const race::SiteId site = sites.of(call);
  if (std::string_view(rewrite.from) == "__ws_atomic") {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(kAtomicSize));
    sites.mark_address(site, call.getArgOperand(0), size == nullptr ? 0 : static_cast<unsigned>(size->getZExtValue()));
  }
  pass(builder.getInt32(site));
  llvm::FunctionCallee hook =
      call.getModule()->getOrInsertFunction(rewrite.hook, llvm::FunctionType::get(call.getType(), types, false));
  replace(call, builder.CreateCall(hook, arguments));
}

// The text as it was written, on one line, and not more than a line of it.
std::string clipped_asm(std::string_view text) {
  constexpr std::size_t kLongest = 72;
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c == '$' ? '%' : c;
  }
  while (line.ends_with(' ')) line.pop_back();
  if (line.size() > kLongest) line = line.substr(0, kLongest - 3) + "...";
  return line;
}

class OperationLowering {
 public:
  explicit OperationLowering(SiteTable& sites) : sites_(sites) {}

  void lower(CallInst& call) {
    if (call.isInlineAsm()) {
      ++operations_;
      return lower_asm(call);
    }
    llvm::Function* callee = call.getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration()) return;
    const llvm::StringRef name = callee->getName();
    // Other intrinsics of LLVM are plain code.
    const bool of_gpu = name.starts_with("llvm.nvvm.") || name.starts_with("llvm.amdgcn.");
    if (!name.starts_with("llvm.") || of_gpu) ++operations_;
    for (const Rewrite& rewrite : kRewrites) {
      if (name == rewrite.from) return rewrite_call(call, rewrite, sites_);
    }
    if (name == "llvm.amdgcn.global.load.lds") {
      note(call, "a copy to shared memory that ends at a later wait", Effect::stronger);
    }
    if (lower_intrinsic(call, sites_) || lower_amd_intrinsic(call, sites_)) return;
    if (std::optional<std::size_t> offset = register_offset(name)) return replace(call, load_field(call, *offset));
    IRBuilder<> builder(&call);
    if (name == "llvm.nvvm.read.ptx.sreg.warpsize") return replace(call, builder.getInt32(32));
    if (name == "llvm.nvvm.read.ptx.sreg.laneid") {
      return replace(call, builder.CreateAnd(load_field(call, offsetof(ThreadContext, number)), 31));
    }
    if (nv_math_function(name.str()) != nullptr || name.starts_with("weakspot_")) return;
    if (name.starts_with("llvm.nvvm.")) return leave_out(call, name.str(), effect_of(call, nvvm_effect(name)));
    if (name.starts_with("llvm.amdgcn.")) return leave_out(call, name.str(), effect_of(call, Effect::unknown));
    if (name.starts_with("llvm.")) return;
    const Effect otherwise = name.starts_with("__nv_") ? Effect::value : Effect::unknown;
    leave_out(call, "the function " + llvm::demangle(name.str()), effect_of(call, otherwise));
  }

  // Notes AMD's operations that are treated as stronger than they are.
  void look_at(llvm::Instruction& atomic) {
    if (!is_amdgcn(*atomic.getModule())) return;
    if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&atomic)) {
      // The detector knows fences for one space, but not those of a wave: it takes them for fences for all memory.
      const std::optional<int> memory = fenced_memory(*fence);
      const bool of_wave = !amd_scope(atomic.getContext(), fence->getSyncScopeID());
      if (!memory || (of_wave && *memory != kAllMemory)) {
        note(atomic, "a fence for one address space", Effect::stronger);
      }
    } else if (!amd_scope(atomic.getContext(), llvm::getAtomicSyncScopeID(&atomic).value_or(llvm::SyncScope::System))) {
      note(atomic, "an atomic of a scope within a wave", Effect::stronger);
    }
  }

  std::vector<LeftOut> take() { return std::move(left_out_); }
  void count_atomic() { ++operations_; }
  // Instructions of PTX may have been copied by inlining. The others are counted as they stand in the code.
  race::Share modelled(std::optional<std::uint64_t> instructions) const {
    if (instructions) return {*instructions, *instructions - left_out_origins_.size()};
    return {operations_, operations_ - left_out_.size()};
  }

 private:
  using Effect = race::Effect;

  // A function that reads and writes nothing is only missed for its result.
  static Effect effect_of(const CallInst& call, Effect otherwise) {
    return otherwise == Effect::unknown && call.doesNotAccessMemory() && !call.getType()->isVoidTy() ? Effect::value
                                                                                                     : otherwise;
  }

  void lower_asm(CallInst& call) {
    const std::string text = llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString();
    if (is_amdgcn(*call.getModule())) {
      const auto& assembly = *llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
      const auto known = read_amd_assembly(assembly);
      const std::string what = "inline assembly '" + clipped_asm(text) + "'";
      if (!known) return leave_out(call, what, Effect::unknown);
      if (known->barrier) meet(call, *known, what);
      if (call.getType()->isVoidTy()) return replace(call, nullptr);
      Value* passed = passed_through(call, assembly);
      return passed != nullptr ? replace(call, passed) : leave_out(call, what, Effect::value);
    }
    if (lower_inline_ptx(call, sites_)) return;
    leave_out(call, "inline PTX '" + clipped_asm(text) + "'", inline_ptx_effect(text));
  }

  // The registers that assembly without instructions for them hands on; null if one is only written.
  static Value* passed_through(CallInst& call, const llvm::InlineAsm& assembly) {
    const llvm::InlineAsm::ConstraintInfoVector all = assembly.ParseConstraints();
    std::vector<Value*> outputs;
    for (const llvm::InlineAsm::ConstraintInfo& output : all) {
      if (output.Type != llvm::InlineAsm::isOutput || output.isIndirect) continue;
      if (!output.hasMatchingInput()) return nullptr;
      const auto takes_argument = [](const auto& one) { return one.hasArg(); };
      outputs.push_back(call.getArgOperand(
          static_cast<unsigned>(std::count_if(all.begin(), all.begin() + output.MatchingInput, takes_argument))));
    }
    if (!call.getType()->isStructTy()) return outputs.size() == 1 ? outputs.front() : nullptr;
    IRBuilder<> builder(&call);
    Value* together = llvm::PoisonValue::get(call.getType());
    for (unsigned i = 0; i < outputs.size(); ++i) together = builder.CreateInsertValue(together, outputs[i], i);
    return together;
  }

  // LLVM's model knows no assembly. What a barrier's waits and clobbers order is more than it promises.
  void meet(CallInst& call, const AmdAssembly& assembly, const std::string& what) {
    IRBuilder<> builder(&call);
    auto hook = [&](const char* name, std::vector<Value*> arguments) {
      arguments.push_back(builder.getInt32(sites_.of(call)));
      const std::vector<Type*> types(arguments.size(), builder.getInt32Ty());
      builder.CreateCall(
          call.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(builder.getVoidTy(), types, false)),
          arguments);
    };
    const bool orders = assembly.waits_shared || assembly.waits_global;
    const int memory = !assembly.waits_global ? kSharedAlone : !assembly.waits_shared ? kGlobalAlone : kAllMemory;
    auto fence = [&](int order) {
      const auto number = static_cast<std::uint32_t>(order + memory);
      if (orders) hook("weakspot_fence", {builder.getInt32(kBlockScope), builder.getInt32(number)});
    };
    if (orders) note(call, what, Effect::stronger);
    fence(kReleaseFence);
    hook("weakspot_bare_barrier", {});
    fence(kAcquireFence);
  }

  void leave_out(CallInst& call, const std::string& what, Effect effect) {
    if (effect != Effect::none) note(call, what, effect);
    replace(call, call.getType()->isVoidTy() ? nullptr : llvm::Constant::getNullValue(call.getType()));
  }

  // Says so when it runs.
  void note(llvm::Instruction& at, const std::string& what, Effect effect) {
    IRBuilder<> builder(&at);
    llvm::FunctionCallee hook = at.getModule()->getOrInsertFunction(
        "weakspot_not_modelled", builder.getVoidTy(), builder.getPtrTy(), builder.getInt32Ty(), builder.getInt32Ty());
    const race::SiteId site = sites_.of(at);
    builder.CreateCall(hook, {builder.CreateGlobalString(what, "weakspot.text"),
                              builder.getInt32(static_cast<std::uint32_t>(effect)), builder.getInt32(site)});
    left_out_.push_back({what, site, effect});
    if (const std::optional<race::PtxOrigin> origin = ptx_origin(at)) left_out_origins_.insert(origin->instruction);
  }

  SiteTable& sites_;
  std::vector<LeftOut> left_out_;
  std::set<race::Place> left_out_origins_;
  std::uint64_t operations_ = 0;
};

}  // namespace

std::vector<LeftOut> lower_operations(llvm::Module& module, SiteTable& sites, race::Share& modelled) {
  std::vector<CallInst*> calls;
  std::vector<llvm::Instruction*> atomics;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* call = llvm::dyn_cast<CallInst>(&instruction)) calls.push_back(call);
      if (instruction.isAtomic()) atomics.push_back(&instruction);
    }
  }
  OperationLowering lowering(sites);
  for (CallInst* call : calls) lowering.lower(*call);
  for (llvm::Instruction* atomic : atomics) {
    lowering.look_at(*atomic);
    if (lower_atomic_instruction(*atomic, sites)) lowering.count_atomic();
  }
  modelled = lowering.modelled(ptx_instructions(module));
  return lowering.take();
}

}  // namespace weakspot::race_jit
