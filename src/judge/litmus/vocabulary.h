// SPDX-License-Identifier: MIT
// The words of the field: orders, scopes, memory spaces, proxies, cache operators, types and tags.
// Their meaning is the same in every dialect; their spelling is each dialect's business.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace weakspot::litmus {

// The target of a test; it chooses the default model. `generic` tests use only features that all GPUs and C have.
enum class Arch : std::uint8_t { generic, ptx2015, ptx, vulkan, opencl, c11, aarch64, x86_64, riscv, linux_kernel };

std::string_view to_string(Arch arch);  // generic ptx-2015 ptx vulkan opencl c aarch64 x86-64 riscv linux
std::optional<Arch> arch_named(std::string_view name);

// The verdict on a proposition that a test claims for a model.
enum class Expectation : std::uint8_t { allowed, forbidden };

// The memory order of an access or a fence. `plain` is a non-atomic (PTX: weak) access. Every access of a CPU
// dialect is single-copy atomic and so at least relaxed. `acquire_pc` is AArch64's LDAPR.
enum class Order : std::uint8_t { plain, relaxed, consume, acquire_pc, acquire, release, acq_rel, seq_cst };

// Neither acquire nor release is the stronger one, so `<` on orders would be a mistake: at_most_as_strong() compares.
auto operator<=>(Order, Order) = delete;
bool operator<(Order, Order) = delete;
bool operator<=(Order, Order) = delete;
bool operator>(Order, Order) = delete;
bool operator>=(Order, Order) = delete;

// The partial order of strength: whether `b` orders everything that `a` orders.
bool at_most_as_strong(Order a, Order b);

bool is_acquire(Order order);  // acquire_pc, acquire, acq_rel, seq_cst
bool is_release(Order order);  // release, acq_rel, seq_cst

// The set of threads that an access, fence or barrier addresses, from the smallest to the largest. `device`
// is the default and the only scope that dialects without scopes can express.
enum class Scope : std::uint8_t { thread, subgroup, workgroup, cluster, queue_family, device, system };

// The memory of a location, or the storage class that an access names. `none`: the text does not say.
// `tensor` is the memory of a CTA's tensor cores, which PTX's tcgen05 operations alone reach.
enum class Space : std::uint8_t { none, global, shared, constant, storage0, storage1, storage2, storage3, tensor };

// The path through which memory is reached (PTX ISA, memory consistency model, "proxies").
enum class Proxy : std::uint8_t { generic, texture, surface, constant, alias, async, tensormap };

enum class CacheOp : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt };

// Integer types. `b32`, `b64` are PTX's untyped bits; `pred` a truth value.
enum class Type : std::uint8_t { s8, u8, s16, u16, s32, u32, b32, s64, u64, b64, pred };

int size_in_bytes(Type type);  // pred: 1
bool is_signed(Type type);
// `value` as the type holds it: cut to its width, sign- or zero-extended (untyped bits as signed).
std::int64_t wrap(std::int64_t value, Type type);
// Whether some value of the type has this number as its signed or unsigned reading.
bool fits(std::int64_t value, Type type);

enum class Tag : std::uint8_t {
  volatile_,
  exclusive,    // LDXR / STXR
  non_private,  // Vulkan
  // Vulkan. On a plain access: the write is made available to its scope, or the read sees what is visible in it. On a
  // release or acquire: the same for all of its storage classes (MakeAvailable, MakeVisible).
  available,
  visible,
  // One more element of the vector access that the instruction before it begins or continues. Nothing orders the
  // elements.
  vector,
  // AMDGPU. On a release or acquire: it orders, but makes nothing available or visible.
  no_availability,
  lock,  // the Linux kernel's spinlocks: a compare-and-swap without a result waits until it can succeed
};

// A small set of enumerators.
template <typename Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> members) {
    for (Enum member : members) insert(member);
  }
  constexpr bool has(Enum member) const { return (bits_ & bit(member)) != 0; }
  constexpr void insert(Enum member) { bits_ = static_cast<std::uint16_t>(bits_ | bit(member)); }
  constexpr void erase(Enum member) { bits_ = static_cast<std::uint16_t>(bits_ & ~bit(member)); }
  constexpr bool empty() const { return bits_ == 0; }
  friend constexpr bool operator==(EnumSet, EnumSet) = default;

 private:
  static constexpr unsigned bit(Enum member) { return 1u << static_cast<unsigned>(member); }
  std::uint16_t bits_ = 0;
};

using Tags = EnumSet<Tag>;
using Spaces = EnumSet<Space>;

// The words used in messages, in the canonical form and in JSON. Dialects have tables of their own.
std::string_view to_string(Order order);    // na rlx con acqpc acq rel acqrel sc
std::string_view to_string(Scope scope);    // thread sg wg cluster qf dev sys
std::string_view to_string(Space space);    // "" global shared const sc0 sc1 sc2 sc3 tensor
std::string_view to_string(Proxy proxy);    // generic texture surface constant alias async tensormap
std::string_view to_string(CacheOp cache);  // "" ca cg cs lu cv wb wt
std::string_view to_string(Type type);      // s8 .. pred
std::string_view to_string(Tag tag);        // vol ex nonpriv av vis vec noav
std::optional<Order> order_named(std::string_view name);
std::optional<Scope> scope_named(std::string_view name);
std::optional<Space> space_named(std::string_view name);
std::optional<Proxy> proxy_named(std::string_view name);
std::optional<CacheOp> cache_op_named(std::string_view name);
std::optional<Type> type_named(std::string_view name);
std::optional<Tag> tag_named(std::string_view name);

}  // namespace weakspot::litmus
