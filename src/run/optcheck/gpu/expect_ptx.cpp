// SPDX-License-Identifier: MIT
// The mapping to PTX that docs/targets.md promises, said a second time and apart from the code generator.
#include <fmt/format.h>

#include "litmus/instruction.h"
#include "optcheck/compare/expect.h"
#include "optcheck/gpu/ptx_role.h"

namespace weakspot::optcheck {
namespace {

using namespace litmus;

std::string_view ptx_scope(Scope scope) {
  if (scope == Scope::system) return "sys";
  if (scope == Scope::device || scope == Scope::queue_family) return "gpu";
  return scope == Scope::cluster ? "cluster" : "cta";
}

class PtxExpectation {
 public:
  explicit PtxExpectation(const LitmusTest& test) : test_(test) {}

  std::vector<ExpectedEvent> operator()(const Instruction& instruction) const {
    if (const auto* fence = std::get_if<Fence>(&instruction.operation)) return of(*fence);
    if (const auto* barrier = std::get_if<Barrier>(&instruction.operation)) {
      return {ordering(EventKind::barrier, barrier->scope == Scope::subgroup ? "bar.warp" : "bar")};
    }
    const Access* access = access_of(instruction);
    if (access == nullptr) return {};
    ExpectedEvent expected;
    expected.orders = {Order::relaxed};
    expected.event.bytes = size_in_bytes(access->type);
    if (access->address.location) {
      expected.event.where = Where{access->address.location->index, access->address.offset};
    }
    Order order = access->order;
    if (const auto* rmw = std::get_if<Rmw>(&instruction.operation)) {
      order = rmw_order(*rmw);
      expected.event.kind = EventKind::rmw;
      expected.event.qualifiers = rmw_opcode(*rmw, order);
    } else {
      const bool load = std::holds_alternative<Load>(instruction.operation);
      expected.event.kind = load ? EventKind::load : EventKind::store;
      expected.event.qualifiers = fmt::format("{}{}.{}", load ? "ld" : "st", words(*access, load), type(access->type));
    }
    if (order != Order::seq_cst) return {expected};
    return {ordering(EventKind::fence, fmt::format("fence.sc.{}", ptx_scope(access->scope))), expected};
  }

 private:
  static ExpectedEvent ordering(EventKind kind, std::string name) {
    ExpectedEvent expected;
    expected.event.kind = kind;
    expected.event.fence = std::move(name);
    return expected;
  }

  static std::vector<ExpectedEvent> of(const Fence& fence) {
    const std::string_view scope = ptx_scope(fence.scope);
    if (fence.kind == FenceKind::membar) {
      const std::string_view old = scope == "cta" ? "cta" : scope == "sys" ? "sys" : "gl";
      return {ordering(EventKind::fence, fmt::format("membar.{}", old))};
    }
    if (fence.kind == FenceKind::proxy) return {ordering(EventKind::fence, "fence.proxy.alias")};
    if (fence.order == Order::relaxed || fence.order == Order::plain) return {};
    return {ordering(EventKind::fence,
                     fmt::format("fence.{}.{}", fence.order == Order::seq_cst ? "sc" : "acq_rel", scope))};
  }

  bool shared(const Access& access) const {
    return access.address.location && test_.locations[access.address.location->index].space == Space::shared;
  }
  const char* space(const Access& access) const { return shared(access) ? "shared" : "global"; }

  std::string words(const Access& access, bool load) const {
    const bool weak = access.order == Order::plain;
    if (access.tags.has(Tag::volatile_) && (weak || access.order == Order::relaxed)) {
      return fmt::format(".volatile.{}", space(access));
    }
    if (weak) {
      if (access.cache == CacheOp::none || shared(access)) return fmt::format(".{}", space(access));
      return fmt::format(".{}.{}", space(access), to_string(access.cache));
    }
    const char* order = access.order == Order::relaxed ? "relaxed" : load ? "acquire" : "release";
    return fmt::format(".{}.{}.{}", order, ptx_scope(access.scope), space(access));
  }

  static std::string_view type(Type type) {
    switch (size_in_bytes(type)) {
      case 8:
        return "b64";
      case 4:
        return "b32";
      case 2:
        return type == Type::s16 ? "s16" : "u16";
      default:
        return type == Type::s8 ? "s8" : "u8";
    }
  }

  std::string rmw_opcode(const Rmw& rmw, Order order) const {
    const bool acquire = is_acquire(order) || order == Order::consume;
    const char* name = acquire ? is_release(order) ? "acq_rel" : "acquire" : is_release(order) ? "release" : "relaxed";
    const int bits = size_in_bytes(rmw.access.type) == 8 ? 64 : 32;
    std::string op = fmt::format("{}.b{}", to_string(rmw.op), bits);
    if (rmw.op == RmwOp::add || rmw.op == RmwOp::sub) op = fmt::format("add.u{}", bits);
    if (rmw.op == RmwOp::inc || rmw.op == RmwOp::dec) op = fmt::format("{}.u32", to_string(rmw.op));
    if (rmw.op == RmwOp::min || rmw.op == RmwOp::max) {
      op = fmt::format("{}.{}{}", to_string(rmw.op), is_signed(rmw.access.type) ? "s" : "u", bits);
    }
    return fmt::format("atom.{}.{}.{}.{}", name, ptx_scope(rmw.access.scope), space(rmw.access), op);
  }

  const LitmusTest& test_;
};

}  // namespace

ExpectedThread expect_ptx(const LitmusTest& test, std::size_t thread) {
  return expect_thread(test.threads[thread], PtxExpectation(test));
}

}  // namespace weakspot::optcheck
