// SPDX-License-Identifier: MIT
// Calls: of the hooks that the lowering leaves, which are atomics, fences, barriers and ends, and of functions.
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "race_jit/hooks/hooks.h"
#include "race_jit/residual/walker.h"

namespace weakspot::race_jit {
namespace {

// Hooks by what a person would call them.
constexpr std::pair<std::string_view, std::string_view> kNotFollowed[] = {
    {"weakspot_barrier_reduce", "a barrier with a result, as __syncthreads_or()"},
    {"weakspot_named_barrier", "a barrier of some of the threads"},
    {"weakspot_named_barrier_reduce", "a barrier of some of the threads with a result"},
    {"weakspot_grid_barrier", "the barrier of the whole grid, grid.sync()"},
    {"weakspot_cluster_barrier", "the barrier of a cluster"},
    {"weakspot_blocks_arrive", "a split barrier of several blocks"},
    {"weakspot_blocks_wait", "a split barrier of several blocks"},
    {"weakspot_bare_barrier", "a barrier that orders no memory"},
    {"weakspot_wave", "an operation of the lanes of a wave"},
    {"weakspot_wave_move", "an operation of the lanes of a wave"},
    {"weakspot_wave_product", "a product of matrices by a wave"},
    {"weakspot_activemask", "__activemask()"},
    {"weakspot_clock", "the clock"},
    {"weakspot_malloc", "malloc()"},
    {"weakspot_free", "free()"},
    {"weakspot_proxy_fence", "a proxy fence"},
    {"weakspot_map_shared", "shared memory of another block"},
    {"weakspot_launch_child", "the launch of a kernel"},
};

bool has_no_effect(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::donothing:
      return true;
    default:
      return false;
  }
}

std::optional<residual::Op> update_of(int operation) {
  using enum AtomicOp;
  using Op = residual::Op;
  switch (operation) {
    case kAdd:
      return Op::add;
    case kSub:
      return Op::sub;
    case kExchange:
      return Op::exchange;
    case kMinSigned:
      return Op::min_signed;
    case kMaxSigned:
      return Op::max_signed;
    case kMinUnsigned:
      return Op::min;
    case kMaxUnsigned:
      return Op::max;
    case kAnd:
      return Op::and_;
    case kOr:
      return Op::or_;
    case kXor:
      return Op::xor_;
    case kCompareExchange:
      return Op::cas;
    case kIncrement:
      return Op::increment;
    case kDecrement:
      return Op::decrement;
    default:
      return std::nullopt;
  }
}

std::optional<std::uint64_t> known_bits(const PartialValue& value) {
  return value.kind == PartialValue::Kind::known ? std::optional(value.bits) : std::nullopt;
}

// Other masks may leave out lanes that are here.
bool takes_whole_warp(std::optional<std::uint64_t> mask, std::uint64_t thread, const race::LaunchShape& launch) {
  const std::uint64_t first = thread / race::kWarp * race::kWarp;
  const std::uint64_t lanes = std::min<std::uint64_t>(race::kWarp, launch.block.count() - first);
  const std::uint64_t here = (std::uint64_t{1} << lanes) - 1;
  return mask && (*mask & here) == here;
}

}  // namespace

// A text of the module, or of the device's memory.
std::string Walker::text_at(const llvm::Value* pointer) {
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(pointer->stripPointerCasts())) {
    if (global->hasInitializer()) {
      if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer())) {
        if (data->isCString()) return data->getAsCString().str();
      }
    }
  }
  const Value address = operand(pointer);
  std::string text;
  if (address.kind != Value::Kind::known || !addresses_.is_device(address.bits)) return text;
  const Allocation* found = addresses_.arena().find(addresses_.pointer(address.bits));
  if (found == nullptr) return text;
  const char* at = addresses_.pointer(address.bits);
  const char* end = addresses_.arena().base() + found->begin + found->size;
  while (at < end && *at != 0 && text.size() < 200) text += *at++;
  return text;
}

bool Walker::call(const llvm::CallInst& call) {
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    copy_memory(*copy);
    return true;
  }
  if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
    set_memory(*set);
    return true;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (has_no_effect(intrinsic->getIntrinsicID())) return true;
    Value value = this->intrinsic(*intrinsic);
    if (!ended_) set(call, std::move(value));
    return true;
  }
  const llvm::Function* callee = call.getCalledFunction();
  if (callee == nullptr) {
    stop(call, Stop::not_modelled, call.isInlineAsm() ? "inline PTX" : "a call of a function by its address");
    return false;
  }
  const llvm::StringRef name = callee->getName();
  if (name == "weakspot_context") {
    set(call, Value::known(SteadyAddresses::kContext));
    return true;
  }
  if (name == "weakspot_atomic") return atomic(call);
  if (name == "weakspot_fence") {
    const std::optional<std::uint64_t> scope = known_bits(operand(call.getArgOperand(0))),
                                       order = known_bits(operand(call.getArgOperand(1)));
    if (!scope || !order) {
      stop(call, Stop::not_modelled, "a fence whose scope or order is computed");
      return false;
    }
    if ((*order & (kSharedAlone | kGlobalAlone)) != 0) {
      stop(call, Stop::not_modelled, "a fence for one address space");
      return false;
    }
    residual::Instruction fence{.kind = Kind::fence, .place = program_.place(call)};
    fence.scope = static_cast<std::uint8_t>(*scope);
    fence.order = static_cast<std::uint8_t>(*order);
    emit(std::move(fence));
    return true;
  }
  if (name == "weakspot_barrier") {
    emit({.kind = Kind::barrier, .op = Op::add, .place = program_.place(call)});
    pass_barrier();
    return true;
  }
  if (name == "weakspot_syncwarp") return warp_operation(call, WarpHook::barrier);
  if (name == "weakspot_vote") return warp_operation(call, WarpHook::vote);
  if (name == "weakspot_shuffle") return warp_operation(call, WarpHook::shuffle);
  if (name == "weakspot_assert") {
    stop(call, Stop::assertion, text_at(call.getArgOperand(0)));
    return false;
  }
  if (name == "weakspot_trap") {
    stop(call, Stop::trap, "__trap()");
    return false;
  }
  if (name == "weakspot_exit") {
    emit({.kind = Kind::end, .place = program_.place(call)});
    return false;
  }
  if (name == "weakspot_printf") {
    set(call, Value{});
    return true;
  }
  if (name == "weakspot_not_modelled") {
    stop(call, Stop::not_modelled, text_at(call.getArgOperand(0)));
    return false;
  }
  for (const auto& [hook, words] : kNotFollowed) {
    if (name != llvm::StringRef(hook)) continue;
    stop(call, Stop::not_modelled, std::string(words));
    return false;
  }
  const std::string function = llvm::demangle(name.str());
  stop(call, Stop::not_modelled,
       callee->isDeclaration() ? "the function " + function : "a call of " + function + ", which was not inlined");
  return false;
}

// Lanes that wait for nobody else on the way to it compute with what each of them knows. Memory is not ordered by it,
// so nothing of it is left. Behind a branch on what others write, a lane might wait for one that waits for it.
bool Walker::warp_operation(const llvm::CallInst& call, WarpHook hook) {
  const bool shuffles = hook == WarpHook::shuffle;
  // Mask, kind and value; of a shuffle also the lane and the width.
  std::vector<std::optional<std::uint64_t>> given;
  for (unsigned i = 0; i < (shuffles ? 5u : hook == WarpHook::vote ? 3u : 1u); ++i) {
    given.push_back(known_bits(operand(call.getArgOperand(i))));
  }
  if (ended_) return false;
  auto refuse = [&](const char* why) {
    const char* what = shuffles ? "a shuffle" : hook == WarpHook::vote ? "a vote or reduction" : "a barrier";
    stop(call, Stop::not_modelled, fmt::format("{} {}", what, why));
    return false;
  };
  if (!takes_whole_warp(given[0], context_.number, launch_)) return refuse("of some lanes of a warp");
  if (hook == WarpHook::barrier) {
    ++warp_barriers_;
    emit({.kind = Kind::barrier, .op = Op::mov, .place = program_.place(call)});
    return true;
  }
  if (point_.forked > 0) return refuse("of a warp behind a branch on what others write");
  if (std::any_of(given.begin(), given.end(), [](const auto& one) { return !one; })) {
    return refuse("of values that others write");
  }
  WarpStep step{.instruction = &call, .phase = point_.phase, .warp_barriers = warp_barriers_, .operation = {}};
  step.operation.kind = static_cast<int>(*given[1]) + (shuffles ? kShuffle : 0);
  step.operation.value = *given[2];
  if (shuffles) {
    step.operation.lane = static_cast<std::uint32_t>(*given[3]);
    step.operation.width = static_cast<std::uint32_t>(*given[4]);
  }
  const std::size_t number = result_.warp_steps.size();
  result_.warp_steps.push_back(step);
  const auto known = knowledge_.warp_results.find({block_, context_.number});
  if (known == knowledge_.warp_results.end() || number >= known->second.size()) {
    return refuse("whose lanes are not all there, or do not come to it in the same order");
  }
  set(call, Value::known(known->second[number]));
  return true;
}

bool Walker::atomic(const llvm::CallInst& call) {
  const Value address = operand(call.getArgOperand(0));
  if (address.has_undefined()) {
    stop(call, Stop::not_modelled, "an atomic at an address that was never set");
    return false;
  }
  if (!address.is_known()) {
    need_known(call, call.getArgOperand(0), "an address");
    return false;
  }
  const std::optional<std::uint64_t> operation = known_bits(operand(call.getArgOperand(1))),
                                     size = known_bits(operand(call.getArgOperand(2))),
                                     scope = known_bits(operand(call.getArgOperand(3))),
                                     order = known_bits(operand(call.getArgOperand(4)));
  if (!operation || !size || !scope || !order) {
    stop(call, Stop::not_modelled, "an atomic whose kind is computed");
    return false;
  }
  const int kind = static_cast<int>(*operation);
  const bool reads = kind != kStore, writes = kind != kLoad;
  Where there = Where::own;
  if (reads) there = where(call, address.bits, *size, false);
  if (writes && !ended_) there = where(call, address.bits, *size, true);
  if (ended_) return false;
  if (there != Where::context) result_.touched[{address.bits, *size}].phases[point_.phase].loud = true;
  if (there == Where::context) {
    stop(call, Stop::not_modelled, "an atomic on the state of the thread");
    return false;
  }
  if (there == Where::own) return atomic_of_own(call, kind, address.bits, *size);
  const Value given = operand(call.getArgOperand(5)), compare = operand(call.getArgOperand(6));
  if ((writes && given.has_undefined()) || (kind == kCompareExchange && compare.has_undefined())) {
    stop(call, Stop::not_modelled, "an atomic with a value that was never set");
    return false;
  }
  residual::Instruction made = access(call,
                                      kind == kLoad    ? Kind::load
                                      : kind == kStore ? Kind::store
                                                       : Kind::update,
                                      address.bits, *size);
  made.strong = true;
  made.order = static_cast<std::uint8_t>(*order);
  made.scope = static_cast<std::uint8_t>(*scope);
  const auto bits = static_cast<unsigned>(8 * *size);
  // Operands are passed as 64 bits whatever the size is.
  auto narrowed = [&](const Value& value) {
    if (value.kind == Value::Kind::known) {
      return Value::known(bits >= 64 ? value.bits : value.bits & ((std::uint64_t{1} << bits) - 1));
    }
    return bits >= 64 ? value : temporary(call, Op::mov, {value}, bits);
  };
  if (made.kind == Kind::update) {
    const std::optional<Op> op = update_of(kind);
    if (!op) {
      for (const unsigned index : {5u}) {
        if (operand(call.getArgOperand(index)).has_unknown()) {
          need_known(call, call.getArgOperand(index), "the operand of an atomic on floats");
          return false;
        }
      }
      stop(call, Stop::not_modelled, "an atomic on floats that several threads update");
      return false;
    }
    made.op = *op;
    made.operands = {as_operand(narrowed(given))};
    if (*op == Op::cas) made.operands.push_back(as_operand(narrowed(compare)));
  } else if (made.kind == Kind::store) {
    made.operands = {as_operand(narrowed(given))};
  }
  if (made.kind == Kind::store) {
    emit(std::move(made));
    set(call, Value::known(0));
    return true;
  }
  made.target = registers_.of(program_.number(call), 1, bits);
  const Value old = Value::unknown(*made.target);
  emit(std::move(made));
  if (knowledge_.split.contains(&call)) {
    // The value is split in the width of memory, and known in that of the result.
    split(call, old, address.bits, static_cast<std::uint8_t>(*size));
    return false;
  }
  set(call, bits >= 64 ? old : emit_compute(call, Op::mov, {old}, 64, 0));
  return true;
}

bool Walker::atomic_of_own(const llvm::CallInst& call, int operation, std::uint64_t address, std::uint64_t size) {
  const Value given = operand(call.getArgOperand(5)), compare = operand(call.getArgOperand(6));
  llvm::Type* type = llvm::Type::getIntNTy(program_.context(), static_cast<unsigned>(8 * size));
  Value old = load_own(call, address, type, 1);
  if (ended_) return false;
  if (operation == kStore || operation == kExchange) {
    Value narrow = given;
    if (narrow.kind == Value::Kind::unknown && size < 8) {
      narrow = temporary(call, Op::mov, {given}, static_cast<unsigned>(8 * size));
    }
    store_own(call, address, size, narrow);
  } else if (operation != kLoad) {
    if (old.has_undefined() || given.has_undefined()) {
      stop(call, Stop::not_modelled, "an atomic on memory that was never set");
      return false;
    }
    if (!old.is_known() || !given.is_known() || (operation == kCompareExchange && !compare.is_known())) {
      stop(call, Stop::not_modelled, "an atomic on memory of one thread with a value that others write");
      return false;
    }
    std::uint64_t memory = old.bits;
    apply_atomic(&memory, operation, static_cast<unsigned>(size), given.bits, compare.bits);
    store_own(call, address, size, Value::known(memory));
  }
  if (ended_) return false;
  if (old.kind == Value::Kind::unknown && size < 8) old = emit_compute(call, Op::mov, {old}, 64, 2);
  set(call, old);
  return true;
}

}  // namespace weakspot::race_jit
