#include "codegen/spirv/print_spirv_memory.h"

#include "base/check.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;
using namespace spirv;

constexpr std::uint32_t kAllMemory = kUniformMemory | kWorkgroupMemory;
bool acquires(Order order) { return is_acquire(order) || order == Order::consume; }

std::uint32_t mask(bool acquire, bool release, const std::optional<VulkanWords>& words) {
  if (!acquire && !release) return kRelaxed;
  std::uint32_t bits = acquire && release ? kAcquireRelease : acquire ? kAcquire : kRelease;
  if (!words || !words->semantics.empty()) bits |= kAllMemory;
  if (release && (!words || words->tags.has(Tag::available))) bits |= kMakeAvailable;
  if (acquire && (!words || words->tags.has(Tag::visible))) bits |= kMakeVisible;
  return bits;
}

std::uint32_t with_volatile(std::uint32_t bits, const MemoryAccess& access) {
  return access.is_volatile ? bits | kVolatileSemantics : bits;
}

std::uint32_t plain_operands(const MemoryAccess& access) {
  std::uint32_t bits = 0;
  if (!access.vulkan || access.vulkan->tags.has(Tag::non_private)) bits |= kNonPrivatePointer;
  if (access.is_volatile) bits |= kVolatileAccess;
  if (!access.shared) bits |= kAligned;
  return bits;
}

}  // namespace

MemoryScope spirv_scope(Scope scope) {
  switch (scope) {
    case Scope::thread:
    case Scope::subgroup:
      return MemoryScope::Subgroup;
    case Scope::workgroup:
      return MemoryScope::Workgroup;
    case Scope::queue_family:
      return MemoryScope::QueueFamily;
    case Scope::cluster:
    case Scope::device:
    case Scope::system:
      break;
  }
  return MemoryScope::Device;
}

std::uint32_t load_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst && !is_release(access.order));
  return with_volatile(mask(acquires(access.order), false, access.vulkan), access);
}

std::uint32_t store_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst && !acquires(access.order));
  return with_volatile(mask(false, is_release(access.order), access.vulkan), access);
}

std::uint32_t rmw_semantics(const MemoryAccess& access) {
  WEAKSPOT_CHECK(access.order != Order::seq_cst);
  return with_volatile(mask(acquires(access.order), is_release(access.order), access.vulkan), access);
}

std::uint32_t failure_semantics(const MemoryAccess& access) {
  return with_volatile(mask(acquires(access.order), false, access.vulkan), access);
}

std::uint32_t fence_semantics(const FenceOf& fence) {
  WEAKSPOT_CHECK(fence.fence.order != Order::seq_cst);
  return mask(acquires(fence.fence.order), is_release(fence.fence.order), fence.vulkan);
}

std::uint32_t barrier_semantics(const BarrierOf& barrier) {
  if (!barrier.vulkan) return mask(true, true, std::nullopt);
  return mask(acquires(barrier.order), is_release(barrier.order), barrier.vulkan);
}

std::uint32_t load_operands(const MemoryAccess& access) {
  const bool visible = access.vulkan && access.vulkan->tags.has(Tag::visible);
  return plain_operands(access) | (visible ? kMakePointerVisible | kNonPrivatePointer : 0u);
}

std::uint32_t store_operands(const MemoryAccess& access) {
  const bool available = access.vulkan && access.vulkan->tags.has(Tag::available);
  return plain_operands(access) | (available ? kMakePointerAvailable | kNonPrivatePointer : 0u);
}

bool is_atomic(const MemoryAccess& access) {
  return access.order != Order::plain || (access.is_volatile && size_in_bytes(access.type) >= 4);
}

OpCode atomic_opcode(RmwOp op, Type type) {
  switch (op) {
    case RmwOp::exch:
      return OpCode::AtomicExchange;
    case RmwOp::cas:
      return OpCode::AtomicCompareExchange;
    case RmwOp::add:
      return OpCode::AtomicIAdd;
    case RmwOp::sub:
      return OpCode::AtomicISub;
    case RmwOp::and_:
      return OpCode::AtomicAnd;
    case RmwOp::or_:
      return OpCode::AtomicOr;
    case RmwOp::xor_:
      return OpCode::AtomicXor;
    case RmwOp::min:
      return is_signed(type) ? OpCode::AtomicSMin : OpCode::AtomicUMin;
    case RmwOp::max:
      return is_signed(type) ? OpCode::AtomicSMax : OpCode::AtomicUMax;
    case RmwOp::inc:
    case RmwOp::dec:
      break;
  }
  WEAKSPOT_CHECK(false);
  return OpCode::AtomicIAdd;
}

}  // namespace weakspot::codegen
