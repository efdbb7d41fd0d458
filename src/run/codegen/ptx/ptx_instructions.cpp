// SPDX-License-Identifier: MIT
#include "codegen/ptx/ptx_instructions.h"

#include <fmt/format.h>

namespace weakspot::codegen {
namespace {

using namespace litmus;

std::string_view scope_name(Scope scope) {
  switch (scope) {
    case Scope::thread:
    case Scope::subgroup:
    case Scope::workgroup:
      return "cta";
    case Scope::cluster:
      return "cluster";
    case Scope::queue_family:
    case Scope::device:
      return "gpu";
    case Scope::system:
      return "sys";
  }
  return "sys";
}

// The type of a load or store: signs matter only if the value is extended.
std::string_view memory_type(Type type) {
  switch (type) {
    case Type::s8:
      return "s8";
    case Type::u8:
    case Type::pred:
      return "u8";
    case Type::s16:
      return "s16";
    case Type::u16:
      return "u16";
    case Type::s32:
    case Type::u32:
    case Type::b32:
      return "b32";
    case Type::s64:
    case Type::u64:
    case Type::b64:
      return "b64";
  }
  return "b32";
}

const char* space(const MemoryAccess& access) {
  if (!access.shared) return "global";
  return access.cluster ? "shared::cluster" : "shared";
}

std::string proxy_fence(const Fence& fence) {
  // Other proxies than alias and async have no fence: tests with one do not run.
  if (fence.proxy != Proxy::async) return "fence.proxy.alias";
  if (fence.order == Order::acquire) return "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster";
  if (fence.order == Order::release) return "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster";
  const bool global = fence.semantics.has(Space::global);
  if (global == fence.semantics.has(Space::shared)) return "fence.proxy.async";
  return global ? "fence.proxy.async.global" : "fence.proxy.async.shared::cta";
}

// ".volatile.global", ".relaxed.gpu.global", ".global.cg"
std::string qualifiers(const MemoryAccess& access, std::string_view strong) {
  if (access.is_volatile && (access.order == Order::plain || access.order == Order::relaxed)) {
    return fmt::format(".volatile.{}", space(access));
  }
  if (access.order == Order::plain) {
    // Shared memory has no cache.
    if (access.cache == CacheOp::none || access.shared) return fmt::format(".{}", space(access));
    return fmt::format(".{}.{}", space(access), to_string(access.cache));
  }
  return fmt::format(".{}.{}.{}", access.order == Order::relaxed ? "relaxed" : strong, scope_name(access.scope),
                     space(access));
}

std::string_view atomic_order(Order order) {
  switch (order) {
    case Order::consume:
    case Order::acquire_pc:
    case Order::acquire:
      return "acquire";
    case Order::release:
      return "release";
    case Order::acq_rel:
    case Order::seq_cst:
      return "acq_rel";
    default:
      return "relaxed";
  }
}

std::string atomic_name(RmwOp op, Type type) {
  const int bits = size_in_bytes(type) == 8 ? 64 : 32;
  switch (op) {
    case RmwOp::exch:
    case RmwOp::cas:
    case RmwOp::and_:
    case RmwOp::or_:
    case RmwOp::xor_:
      return fmt::format("{}.b{}", to_string(op), bits);
    case RmwOp::add:
    case RmwOp::sub:
      return fmt::format("add.u{}", bits);
    case RmwOp::min:
    case RmwOp::max:
      return fmt::format("{}.{}{}", to_string(op), is_signed(type) ? "s" : "u", bits);
    case RmwOp::inc:
    case RmwOp::dec:
      return fmt::format("{}.u32", to_string(op));
  }
  return {};
}

}  // namespace

std::string ptx_load(const MemoryAccess& access) {
  return fmt::format("ld{}.{}", qualifiers(access, "acquire"), memory_type(access.type));
}

std::string ptx_constant_load(const MemoryAccess& access) {
  return fmt::format("ld.const.{}", memory_type(access.type));
}

std::string ptx_store(const MemoryAccess& access) {
  return fmt::format("st{}.{}", qualifiers(access, "release"), memory_type(access.type));
}

std::string ptx_atomic(RmwOp op, const MemoryAccess& access) {
  return fmt::format("atom.{}.{}.{}.{}", atomic_order(access.order), scope_name(access.scope), space(access),
                     atomic_name(op, access.type));
}

std::string ptx_fence_before(const MemoryAccess& access) {
  if (access.order != Order::seq_cst) return {};
  return fmt::format("fence.sc.{}", scope_name(access.scope));
}

std::string ptx_fence(const Fence& fence) {
  const std::string_view scope = scope_name(fence.scope);
  if (fence.kind == FenceKind::membar) {
    return fmt::format("membar.{}", scope == "cta" ? "cta" : scope == "sys" ? "sys" : "gl");
  }
  if (fence.kind == FenceKind::proxy) return proxy_fence(fence);
  if (fence.kind == FenceKind::mbarrier_init) return "fence.mbarrier_init.release.cluster";
  if (fence.order == Order::relaxed) return {};
  return fmt::format("fence.{}.{}", fence.order == Order::seq_cst ? "sc" : "acq_rel", scope);
}

}  // namespace weakspot::codegen
