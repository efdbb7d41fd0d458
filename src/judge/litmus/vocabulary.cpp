// SPDX-License-Identifier: MIT
#include "litmus/vocabulary.h"

#include "base/names.h"

namespace weakspot::litmus {
namespace {

using base::Named;

constexpr Named<Arch> kArchs[] = {
    {"generic", Arch::generic},    {"ptx-2015", Arch::ptx2015}, {"ptx", Arch::ptx},
    {"vulkan", Arch::vulkan},      {"opencl", Arch::opencl},    {"c", Arch::c11},
    {"aarch64", Arch::aarch64},    {"x86-64", Arch::x86_64},    {"riscv", Arch::riscv},
    {"linux", Arch::linux_kernel},
};
constexpr Named<Order> kOrderWords[] = {
    {"na", Order::plain},    {"rlx", Order::relaxed}, {"con", Order::consume},    {"acqpc", Order::acquire_pc},
    {"acq", Order::acquire}, {"rel", Order::release}, {"acqrel", Order::acq_rel}, {"sc", Order::seq_cst},
};
constexpr Named<Scope> kScopes[] = {
    {"thread", Scope::thread},   {"sg", Scope::subgroup}, {"wg", Scope::workgroup}, {"cluster", Scope::cluster},
    {"qf", Scope::queue_family}, {"dev", Scope::device},  {"sys", Scope::system},
};
constexpr Named<Space> kSpaces[] = {
    {"", Space::none},          {"global", Space::global}, {"shared", Space::shared},
    {"const", Space::constant}, {"sc0", Space::storage0},  {"sc1", Space::storage1},
    {"sc2", Space::storage2},   {"sc3", Space::storage3},  {"tensor", Space::tensor},
};
constexpr Named<Proxy> kProxies[] = {
    {"generic", Proxy::generic},     {"texture", Proxy::texture}, {"surface", Proxy::surface},
    {"constant", Proxy::constant},   {"alias", Proxy::alias},     {"async", Proxy::async},
    {"tensormap", Proxy::tensormap},
};
constexpr Named<CacheOp> kCacheOps[] = {
    {"", CacheOp::none}, {"ca", CacheOp::ca}, {"cg", CacheOp::cg}, {"cs", CacheOp::cs},
    {"lu", CacheOp::lu}, {"cv", CacheOp::cv}, {"wb", CacheOp::wb}, {"wt", CacheOp::wt},
};
constexpr Named<Type> kTypes[] = {
    {"s8", Type::s8},   {"u8", Type::u8},   {"s16", Type::s16},   {"u16", Type::u16},
    {"s32", Type::s32}, {"u32", Type::u32}, {"b32", Type::b32},   {"s64", Type::s64},
    {"u64", Type::u64}, {"b64", Type::b64}, {"pred", Type::pred},
};
constexpr Named<Tag> kTags[] = {
    {"vol", Tag::volatile_}, {"ex", Tag::exclusive}, {"nonpriv", Tag::non_private},  {"av", Tag::available},
    {"vis", Tag::visible},   {"vec", Tag::vector},   {"noav", Tag::no_availability}, {"lock", Tag::lock},
};

}  // namespace

bool is_acquire(Order order) {
  return order == Order::acquire_pc || order == Order::acquire || order == Order::acq_rel || order == Order::seq_cst;
}

bool is_release(Order order) { return order == Order::release || order == Order::acq_rel || order == Order::seq_cst; }

bool at_most_as_strong(Order a, Order b) {
  // The effects of an order, a bit each: an acquire has all effects of a consume, and so on.
  constexpr auto effects = [](Order order) -> unsigned {
    constexpr unsigned kAtomic = 1, kConsume = 2 | kAtomic, kAcquirePc = 4 | kConsume, kAcquire = 8 | kAcquirePc;
    constexpr unsigned kRelease = 16 | kAtomic, kSeqCst = 32 | kAcquire | kRelease;
    switch (order) {
      case Order::plain:
        return 0;
      case Order::relaxed:
        return kAtomic;
      case Order::consume:
        return kConsume;
      case Order::acquire_pc:
        return kAcquirePc;
      case Order::acquire:
        return kAcquire;
      case Order::release:
        return kRelease;
      case Order::acq_rel:
        return kAcquire | kRelease;
      case Order::seq_cst:
        return kSeqCst;
    }
    return 0;
  };
  return (effects(a) & ~effects(b)) == 0;
}

int size_in_bytes(Type type) {
  switch (type) {
    case Type::s8:
    case Type::u8:
    case Type::pred:
      return 1;
    case Type::s16:
    case Type::u16:
      return 2;
    case Type::s32:
    case Type::u32:
    case Type::b32:
      return 4;
    case Type::s64:
    case Type::u64:
    case Type::b64:
      return 8;
  }
  return 4;
}

bool is_signed(Type type) {
  return type != Type::u8 && type != Type::u16 && type != Type::u32 && type != Type::u64 && type != Type::pred;
}

std::int64_t wrap(std::int64_t value, Type type) {
  if (type == Type::pred) return value != 0 ? 1 : 0;
  const int bits = 8 * size_in_bytes(type);
  if (bits == 64) return value;
  const auto shifted = static_cast<std::uint64_t>(value) << (64 - bits);
  return is_signed(type) ? static_cast<std::int64_t>(shifted) >> (64 - bits)
                         : static_cast<std::int64_t>(shifted >> (64 - bits));
}

bool fits(std::int64_t value, Type type) {
  if (type == Type::pred) return value == 0 || value == 1;
  const int bits = 8 * size_in_bytes(type);
  if (bits == 64) return true;
  return value >= -(std::int64_t{1} << (bits - 1)) && value < (std::int64_t{1} << bits);
}

std::string_view to_string(Arch arch) { return base::name_of(kArchs, arch); }
std::string_view to_string(Order order) { return base::name_of(kOrderWords, order); }
std::string_view to_string(Scope scope) { return base::name_of(kScopes, scope); }
std::string_view to_string(Space space) { return base::name_of(kSpaces, space); }
std::string_view to_string(Proxy proxy) { return base::name_of(kProxies, proxy); }
std::string_view to_string(CacheOp cache) { return base::name_of(kCacheOps, cache); }
std::string_view to_string(Type type) { return base::name_of(kTypes, type); }
std::string_view to_string(Tag tag) { return base::name_of(kTags, tag); }

std::optional<Arch> arch_named(std::string_view name) { return base::value_of(kArchs, name); }
std::optional<Order> order_named(std::string_view name) { return base::value_of(kOrderWords, name); }
std::optional<Scope> scope_named(std::string_view name) { return base::value_of(kScopes, name); }
std::optional<Space> space_named(std::string_view name) { return base::value_of(kSpaces, name); }
std::optional<Proxy> proxy_named(std::string_view name) { return base::value_of(kProxies, name); }
std::optional<CacheOp> cache_op_named(std::string_view name) { return base::value_of(kCacheOps, name); }
std::optional<Type> type_named(std::string_view name) { return base::value_of(kTypes, name); }
std::optional<Tag> tag_named(std::string_view name) { return base::value_of(kTags, name); }

}  // namespace weakspot::litmus
