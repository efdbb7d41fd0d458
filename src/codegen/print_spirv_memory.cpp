#include "codegen/print_spirv_memory.h"

#include "base/check.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;
using namespace spirv;

constexpr std::uint32_t kAllMemory = kUniformMemory | kWorkgroupMemory;
constexpr std::uint32_t kAcquiring = kAcquire | kMakeVisible | kAllMemory;
constexpr std::uint32_t kReleasing = kRelease | kMakeAvailable | kAllMemory;
constexpr std::uint32_t kBoth = kAcquireRelease | kMakeAvailable | kMakeVisible | kAllMemory;

bool acquires(Order order) { return is_acquire(order) || order == Order::consume; }

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

std::uint32_t load_semantics(Order order) {
  WEAKSPOT_CHECK(order != Order::seq_cst && !is_release(order));
  return acquires(order) ? kAcquiring : kRelaxed;
}

std::uint32_t store_semantics(Order order) {
  WEAKSPOT_CHECK(order != Order::seq_cst && !acquires(order));
  return is_release(order) ? kReleasing : kRelaxed;
}

std::uint32_t rmw_semantics(Order order) {
  WEAKSPOT_CHECK(order != Order::seq_cst);
  if (acquires(order) && is_release(order)) return kBoth;
  if (acquires(order)) return kAcquiring;
  return is_release(order) ? kReleasing : kRelaxed;
}

std::uint32_t failure_semantics(Order order) { return acquires(order) ? kAcquiring : kRelaxed; }

std::uint32_t fence_semantics(Order order) { return rmw_semantics(order); }

std::uint32_t barrier_semantics() { return kBoth; }

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
