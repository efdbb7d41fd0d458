// SPDX-License-Identifier: MIT
#include "compile/spirv/order.h"

namespace weakspot::compile::spirv {
namespace {

using litmus::Order;
using Semantics = spv::MemorySemanticsMask;

std::optional<Order> order_bits(std::uint32_t semantics) {
  constexpr std::uint32_t kAll = word_of(Semantics::Acquire) | word_of(Semantics::Release) |
                                 word_of(Semantics::AcquireRelease) | word_of(Semantics::SequentiallyConsistent);
  switch (static_cast<Semantics>(semantics & kAll)) {
    case Semantics::MaskNone:
      return Order::relaxed;
    case Semantics::Acquire:
      return Order::acquire;
    case Semantics::Release:
      return Order::release;
    case Semantics::AcquireRelease:
      return Order::acq_rel;
    case Semantics::SequentiallyConsistent:
      return Order::seq_cst;
    default:
      return std::nullopt;
  }
}

// A load does not release and a store does not acquire, whatever the bits say.
Order fitting(Order order, Role role) {
  if (order == Order::seq_cst) return order;
  if (role == Role::load) return litmus::is_acquire(order) ? Order::acquire : Order::relaxed;
  if (role == Role::store) return litmus::is_release(order) ? Order::release : Order::relaxed;
  return order;
}

std::string vulkan_suffixes(std::uint32_t semantics, Order order, Dialect dialect) {
  std::string text = ".semsc0";
  const bool available = dialect.implicit_availability || has(semantics, Semantics::MakeAvailable);
  const bool visible = dialect.implicit_availability || has(semantics, Semantics::MakeVisible);
  if (available && litmus::is_release(order)) text += ".av";
  if (visible && litmus::is_acquire(order)) text += ".vis";
  return text;
}

std::string opencl_suffixes(std::uint32_t semantics) {
  std::string text;
  if (has(semantics, Semantics::CrossWorkgroupMemory)) text += ".semglobal";
  if (has(semantics, Semantics::WorkgroupMemory)) text += ".semshared";
  return text;
}

}  // namespace

Dialect dialect_of(spv::MemoryModel model) {
  const bool opencl = model == spv::MemoryModel::OpenCL;
  return {!opencl, !opencl && model != spv::MemoryModel::Vulkan};
}

std::optional<litmus::Scope> scope_of(std::int64_t number, Dialect dialect) {
  switch (static_cast<spv::Scope>(number)) {
    case spv::Scope::CrossDevice:
      return dialect.vulkan ? std::nullopt : std::optional(litmus::Scope::system);
    case spv::Scope::Device:
      return litmus::Scope::device;
    case spv::Scope::Workgroup:
      return litmus::Scope::workgroup;
    case spv::Scope::Subgroup:
      return litmus::Scope::subgroup;
    case spv::Scope::Invocation:
      return dialect.vulkan ? std::nullopt : std::optional(litmus::Scope::thread);
    case spv::Scope::QueueFamily:
      return dialect.vulkan ? std::optional(litmus::Scope::queue_family) : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::optional<Ordering> ordering_of(std::uint32_t semantics, Role role, Dialect dialect) {
  const std::optional<Order> bits = order_bits(semantics);
  if (!bits || (dialect.vulkan && *bits == Order::seq_cst)) return std::nullopt;
  const Order order = fitting(*bits, role);
  if (order == Order::relaxed) return Ordering{};
  if (dialect.vulkan) {
    // Semantics that do not cover storage buffers order nothing in a test.
    if (!has(semantics, Semantics::UniformMemory)) return Ordering{};
    return Ordering{order, vulkan_suffixes(semantics, order, dialect)};
  }
  if (role != Role::fence) return Ordering{order, {}};
  const std::string suffixes = opencl_suffixes(semantics);
  return suffixes.empty() ? Ordering{} : Ordering{order, suffixes};
}

}  // namespace weakspot::compile::spirv
