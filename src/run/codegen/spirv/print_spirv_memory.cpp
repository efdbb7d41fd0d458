// SPDX-License-Identifier: MIT
#include "codegen/spirv/print_spirv_memory.h"

#include "base/check.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;
using Semantics = spv::MemorySemanticsMask;
using Operands = spv::MemoryAccessMask;

bool acquires(Order order) { return is_acquire(order) || order == Order::consume; }

Semantics mask(bool acquire, bool release, const std::optional<VulkanWords>& words) {
  if (!acquire && !release) return Semantics::MaskNone;
  Semantics bits = acquire && release ? Semantics::AcquireRelease : acquire ? Semantics::Acquire : Semantics::Release;
  if (!words || !words->semantics.empty()) bits = bits | Semantics::UniformMemory | Semantics::WorkgroupMemory;
  if (release && (!words || words->tags.has(Tag::available))) bits = bits | Semantics::MakeAvailable;
  if (acquire && (!words || words->tags.has(Tag::visible))) bits = bits | Semantics::MakeVisible;
  return bits;
}

Semantics with_volatile(Semantics bits, const MemoryAccess& access) {
  return access.is_volatile ? bits | Semantics::Volatile : bits;
}

Operands plain_operands(const MemoryAccess& access) {
  Operands bits = Operands::MaskNone;
  if (!access.vulkan || access.vulkan->tags.has(Tag::non_private)) bits = bits | Operands::NonPrivatePointer;
  if (access.is_volatile) bits = bits | Operands::Volatile;
  if (!access.shared) bits = bits | Operands::Aligned;
  return bits;
}

}  // namespace

spv::Scope spirv_scope(Scope scope) {
  switch (scope) {
    case Scope::thread:
    case Scope::subgroup:
      return spv::Scope::Subgroup;
    case Scope::workgroup:
      return spv::Scope::Workgroup;
    case Scope::queue_family:
      return spv::Scope::QueueFamily;
    case Scope::cluster:
    case Scope::device:
    case Scope::system:
      break;
  }
  return spv::Scope::Device;
}

Semantics load_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst && !is_release(access.order));
  return with_volatile(mask(acquires(access.order), false, access.vulkan), access);
}

Semantics store_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst && !acquires(access.order));
  return with_volatile(mask(false, is_release(access.order), access.vulkan), access);
}

Semantics rmw_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst);
  return with_volatile(mask(acquires(access.order), is_release(access.order), access.vulkan), access);
}

Semantics failure_semantics(const MemoryAccess& access) {
  return with_volatile(mask(acquires(access.order), false, access.vulkan), access);
}

Semantics fence_semantics(const FenceOf& fence) {
  WEAKSPOT_CHECK(fence.fence.order != Order::seq_cst);
  return mask(acquires(fence.fence.order), is_release(fence.fence.order), fence.vulkan);
}

Semantics barrier_semantics(const BarrierOf& barrier) {
  if (!barrier.vulkan) return mask(true, true, std::nullopt);
  return mask(acquires(barrier.order), is_release(barrier.order), barrier.vulkan);
}

Operands load_operands(const MemoryAccess& access) {
  const bool visible = access.vulkan && access.vulkan->tags.has(Tag::visible);
  return plain_operands(access) |
         (visible ? Operands::MakePointerVisible | Operands::NonPrivatePointer : Operands::MaskNone);
}

Operands store_operands(const MemoryAccess& access) {
  const bool available = access.vulkan && access.vulkan->tags.has(Tag::available);
  return plain_operands(access) |
         (available ? Operands::MakePointerAvailable | Operands::NonPrivatePointer : Operands::MaskNone);
}

bool is_atomic(const MemoryAccess& access) {
  return access.order != Order::plain || (access.is_volatile && size_in_bytes(access.type) >= 4);
}

spv::Op atomic_opcode(RmwOp op, Type type) {
  switch (op) {
    case RmwOp::exch:
      return spv::Op::OpAtomicExchange;
    case RmwOp::cas:
      return spv::Op::OpAtomicCompareExchange;
    case RmwOp::add:
      return spv::Op::OpAtomicIAdd;
    case RmwOp::sub:
      return spv::Op::OpAtomicISub;
    case RmwOp::and_:
      return spv::Op::OpAtomicAnd;
    case RmwOp::or_:
      return spv::Op::OpAtomicOr;
    case RmwOp::xor_:
      return spv::Op::OpAtomicXor;
    case RmwOp::min:
      return is_signed(type) ? spv::Op::OpAtomicSMin : spv::Op::OpAtomicUMin;
    case RmwOp::max:
      return is_signed(type) ? spv::Op::OpAtomicSMax : spv::Op::OpAtomicUMax;
    case RmwOp::inc:
    case RmwOp::dec:
      break;
  }
  WEAKSPOT_CHECK(false);
  return spv::Op::OpAtomicIAdd;
}

}  // namespace weakspot::codegen
