// SPDX-License-Identifier: MIT
// The atomic functions of OpenCL 1.2, for devices without better ones. They are relaxed; loads and stores are
// read-modify-writes, because nothing weaker is atomic. A mem_fence follows every acquire and precedes every release:
// OpenCL guarantees its effect only within a workgroup, but devices of that time ordered all of their memory.
#include <fmt/format.h>

#include "base/check.h"
#include "codegen/opencl/print_opencl_memory.h"

namespace weakspot::codegen {
namespace {

using namespace litmus;

class LegacyMemory final : public OpenclMemory {
 public:
  std::string atomic_load(const OpenclAccess& access) const override {
    return in_order(access, fmt::format("{} = {}({}, 0);", access.target, function(access, "or"), pointer(access)));
  }

  std::string atomic_store(const OpenclAccess& access) const override {
    return in_order(access, fmt::format("{}({}, {});", function(access, "xchg"), pointer(access), access.value));
  }

  std::string atomic(RmwOp op, const OpenclAccess& access) const override {
    std::string operands = op == RmwOp::cas ? fmt::format("{}, {}", access.expected, access.value) : access.value;
    std::string where = pointer(access);
    if ((op == RmwOp::min || op == RmwOp::max) && is_signed(access.how.type)) {
      where = opencl_pointer(access, wide(access) ? "long" : "int", true);
      operands = fmt::format("({}){}", wide(access) ? "long" : "int", operands);
    }
    const std::string call = fmt::format("{}({}, {});", function(access, name(op)), where, operands);
    return in_order(access, access.target.empty() ? call : fmt::format("{} = {}", access.target, call));
  }

  std::string fence(const Fence& fence) const override {
    if (fence.order == Order::relaxed) return "// a fence without order";
    return fmt::format("mem_fence({});", opencl_flags(fence.semantics));
  }

 private:
  static bool wide(const OpenclAccess& access) { return size_in_bytes(access.how.type) == 8; }
  static std::string pointer(const OpenclAccess& access) {
    return opencl_pointer(access, wide(access) ? "ulong" : "uint", true);
  }
  static std::string function(const OpenclAccess& access, std::string_view operation) {
    return fmt::format("{}_{}", wide(access) ? "atom" : "atomic", operation);
  }

  static std::string_view name(RmwOp op) {
    switch (op) {
      case RmwOp::exch:
        return "xchg";
      case RmwOp::cas:
        return "cmpxchg";
      case RmwOp::inc:
      case RmwOp::dec:
        WEAKSPOT_CHECK(false);
        return {};
      default:
        return to_string(op);
    }
  }

  static std::string in_order(const OpenclAccess& access, std::string statement) {
    const std::string order = fmt::format("mem_fence({});", opencl_flags({}));
    if (is_release(access.how.order)) statement = order + " " + statement;
    if (is_acquire(access.how.order)) statement += " " + order;
    return statement;
  }
};

}  // namespace

std::unique_ptr<OpenclMemory> make_legacy_memory() { return std::make_unique<LegacyMemory>(); }

}  // namespace weakspot::codegen
