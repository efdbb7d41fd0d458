// SPDX-License-Identifier: MIT
// The atomics of OpenCL 2.0, which have an order and a scope.
#include <fmt/format.h>

#include "base/check.h"
#include "codegen/opencl/print_opencl_memory.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

std::string_view order_name(Order order) {
  switch (order) {
    case Order::plain:
    case Order::relaxed:
      return "memory_order_relaxed";
    case Order::acquire:
      return "memory_order_acquire";
    case Order::release:
      return "memory_order_release";
    case Order::acq_rel:
      return "memory_order_acq_rel";
    case Order::seq_cst:
      return "memory_order_seq_cst";
    case Order::consume:
    case Order::acquire_pc:
      break;
  }
  WEAKSPOT_CHECK(false);
  return {};
}

// A failed compare-and-swap writes nothing, so it cannot release.
std::string_view failure_order_name(Order order) {
  if (order == Order::release) return order_name(Order::relaxed);
  if (order == Order::acq_rel) return order_name(Order::acquire);
  return order_name(order);
}

std::string function_name(RmwOp op) {
  WEAKSPOT_CHECK(op != RmwOp::cas && op != RmwOp::inc && op != RmwOp::dec);
  if (op == RmwOp::exch) return "atomic_exchange_explicit";
  return fmt::format("atomic_fetch_{}_explicit", to_string(op));
}

class C11Memory final : public OpenclMemory {
 public:
  explicit C11Memory(const OpenclLimits& limits) : limits_(limits) {}

  std::string atomic_load(const OpenclAccess& access) const override {
    return fmt::format("{} = atomic_load_explicit({}, {}, {});", access.target, pointer(access, false),
                       order_name(access.how.order), scope_name(access.how.scope));
  }

  std::string atomic_store(const OpenclAccess& access) const override {
    return fmt::format("atomic_store_explicit({}, {}, {}, {});", pointer(access, false), access.value,
                       order_name(access.how.order), scope_name(access.how.scope));
  }

  std::string atomic(RmwOp op, const OpenclAccess& access) const override {
    if (op == RmwOp::cas) return compare_and_swap(access);
    const bool compares = (op == RmwOp::min || op == RmwOp::max) && is_signed(access.how.type);
    const std::string call = fmt::format("{}({}, {}{}, {}, {});", function_name(op), pointer(access, compares),
                                         compares ? (wide(access) ? "(long)" : "(int)") : "", access.value,
                                         order_name(access.how.order), scope_name(access.how.scope));
    return access.target.empty() ? call : fmt::format("{} = {}", access.target, call);
  }

  std::string fence(const Fence& fence) const override {
    if (fence.kind == FenceKind::order && fence.order == Order::relaxed) return "// a fence without order";
    // PTX's membar is its strongest fence.
    const Order order = fence.kind == FenceKind::membar ? Order::seq_cst : fence.order;
    return fmt::format("atomic_work_item_fence({}, {}, {});", opencl_flags(fence.semantics), order_name(order),
                       scope_name(fence.scope));
  }

 private:
  static bool wide(const OpenclAccess& access) { return size_in_bytes(access.how.type) == 8; }

  // Signs matter for minimum and maximum.
  static std::string pointer(const OpenclAccess& access, bool is_signed_type) {
    const std::string type = fmt::format("atomic_{}{}", is_signed_type ? "" : "u", wide(access) ? "long" : "int");
    return opencl_pointer(access, type, true);
  }

  static std::string compare_and_swap_call(const OpenclAccess& access, std::string_view scope) {
    return fmt::format("atomic_compare_exchange_strong_explicit({}, &old, {}, {}, {}, {});", pointer(access, false),
                       access.value, order_name(access.how.order), failure_order_name(access.how.order), scope);
  }

  std::string compare_and_swap(const OpenclAccess& access) const {
    const std::string result = access.target.empty() ? "" : fmt::format(" {} = old;", access.target);
    return fmt::format("{{ {} old = {}; {}{} }}", wide(access) ? "ulong" : "uint", access.expected,
                       compare_and_swap_call(access, scope_name(access.how.scope)), result);
  }

  std::string_view scope_name(Scope scope) const {
    switch (scope) {
      case Scope::thread:
      case Scope::subgroup:
        // Without subgroups, the next larger scope.
        return limits_.subgroups ? "memory_scope_sub_group" : "memory_scope_work_group";
      case Scope::workgroup:
        return "memory_scope_work_group";
      case Scope::queue_family:
      case Scope::device:
        return "memory_scope_device";
      case Scope::system:
        return "memory_scope_all_svm_devices";
      case Scope::cluster:
        break;
    }
    WEAKSPOT_CHECK(false);
    return {};
  }

  const OpenclLimits& limits_;
};

}  // namespace

std::unique_ptr<OpenclMemory> make_c11_memory(const OpenclLimits& limits) {
  return std::make_unique<C11Memory>(limits);
}

}  // namespace weakspot::codegen
