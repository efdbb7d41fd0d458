// SPDX-License-Identifier: MIT
// The words of PTX, in both of its litmus dialects: GPU_PTX, the format of 2015, and PTX, the current one.
#pragma once

#include <string_view>

#include "base/names.h"
#include "litmus/operators.h"
#include "litmus/test.h"

namespace weakspot::litmus {

enum class PtxEdition { y2015, current };

// The name of the edition in messages.
inline constexpr std::string_view name_of(PtxEdition edition) {
  return edition == PtxEdition::y2015 ? "PTX of 2015" : "PTX";
}

inline constexpr Arch arch_of(PtxEdition edition) { return edition == PtxEdition::y2015 ? Arch::ptx2015 : Arch::ptx; }

inline constexpr base::Named<Order> kPtxOrders[] = {
    {"weak", Order::plain},      {"relaxed", Order::relaxed}, {"acquire", Order::acquire},
    {"release", Order::release}, {"acq_rel", Order::acq_rel}, {"sc", Order::seq_cst},
};
inline constexpr base::Named<Scope> kPtxScopes[] = {
    {"cta", Scope::workgroup}, {"cluster", Scope::cluster}, {"gpu", Scope::device}, {"sys", Scope::system}};
inline constexpr base::Named<Scope> kMembarScopes[] = {
    {"cta", Scope::workgroup}, {"gl", Scope::device}, {"sys", Scope::system}};
inline constexpr base::Named<Space> kPtxSpaces[] = {
    {"global", Space::global}, {"shared", Space::shared}, {"const", Space::constant}};
// The word before a location. PTX has no state space for tensor memory: its instructions say where they go.
constexpr std::string_view ptx_space_name(Space space) {
  return space == Space::tensor ? "tensor" : base::name_of(kPtxSpaces, space);
}
inline constexpr base::Named<Proxy> kPtxProxyFences[] = {
    {"alias", Proxy::alias},       {"texture", Proxy::texture}, {"surface", Proxy::surface},
    {"constant", Proxy::constant}, {"async", Proxy::async},     {"generic", Proxy::generic},
};
inline constexpr base::Named<CacheOp> kPtxCacheOps[] = {
    {"ca", CacheOp::ca}, {"cg", CacheOp::cg}, {"cs", CacheOp::cs}, {"lu", CacheOp::lu},
    {"cv", CacheOp::cv}, {"wb", CacheOp::wb}, {"wt", CacheOp::wt},
};
// Untyped bits narrower than 32 behave as unsigned: a load of them is extended by zeros.
inline constexpr base::Named<Type> kPtxTypes[] = {
    {"s8", Type::s8},   {"u8", Type::u8},   {"b8", Type::u8},     {"s16", Type::s16}, {"u16", Type::u16},
    {"b16", Type::u16}, {"s32", Type::s32}, {"u32", Type::u32},   {"b32", Type::b32}, {"s64", Type::s64},
    {"u64", Type::u64}, {"b64", Type::b64}, {"pred", Type::pred},
};
inline constexpr base::Named<RmwOp> kPtxRmwOps[] = {
    {"exch", RmwOp::exch}, {"add", RmwOp::add},  {"sub", RmwOp::sub}, {"inc", RmwOp::inc},
    {"dec", RmwOp::dec},   {"and", RmwOp::and_}, {"or", RmwOp::or_},  {"xor", RmwOp::xor_},
    {"min", RmwOp::min},   {"max", RmwOp::max},  {"cas", RmwOp::cas},
};
inline constexpr base::Named<CompareOp> kPtxCompareOps[] = {
    {"eq", CompareOp::eq}, {"ne", CompareOp::ne}, {"lt", CompareOp::lt},
    {"le", CompareOp::le}, {"gt", CompareOp::gt}, {"ge", CompareOp::ge},
};

// The suffix of a copy that is completed on an mbarrier.
inline constexpr std::string_view kCompleteTx = "mbarrier::complete_tx::bytes";

enum class AccessKind { load, store, rmw };

// The mnemonic of current PTX for an access of this kind through the proxy; empty if there is none.
constexpr std::string_view ptx_mnemonic(AccessKind kind, Proxy proxy) {
  if (proxy == Proxy::generic) return kind == AccessKind::load ? "ld" : kind == AccessKind::store ? "st" : "atom";
  if (proxy == Proxy::surface) {
    return kind == AccessKind::load ? "suld" : kind == AccessKind::store ? "sust" : "suatom";
  }
  if (kind != AccessKind::load) return {};
  return proxy == Proxy::texture ? "tld" : proxy == Proxy::constant ? "cold" : "";
}

// Whether an access of this kind can have the order in current PTX.
constexpr bool has_order(AccessKind kind, Order order) {
  switch (order) {
    case Order::plain:
      return kind != AccessKind::rmw;
    case Order::relaxed:
      return true;
    case Order::acquire:
      return kind != AccessKind::store;
    case Order::release:
      return kind != AccessKind::load;
    case Order::acq_rel:
      return kind == AccessKind::rmw;
    default:
      return false;
  }
}

// Cache operators are for weak accesses; some are for loads, some for stores.
constexpr bool has_cache_op(AccessKind kind, CacheOp cache) {
  switch (cache) {
    case CacheOp::none:
      return true;
    case CacheOp::cg:
    case CacheOp::cs:
      return kind != AccessKind::rmw;
    case CacheOp::ca:
    case CacheOp::lu:
    case CacheOp::cv:
      return kind == AccessKind::load;
    case CacheOp::wb:
    case CacheOp::wt:
      return kind == AccessKind::store;
  }
  return false;
}

constexpr std::string_view to_string(AccessKind kind) {
  return kind == AccessKind::load ? "load" : kind == AccessKind::store ? "store" : "read-modify-write";
}

}  // namespace weakspot::litmus
