// SPDX-License-Identifier: MIT
// The words of AArch64 that its reader and its printer share.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/names.h"
#include "litmus/fence.h"
#include "litmus/operators.h"

namespace weakspot::litmus::aarch64 {

inline constexpr int kRegisters = 31;  // X0 .. X30

// A general register by one of its names. `number` is kRegisters for the zero register.
struct RegisterName {
  int number = 0;
  int bits = 64;
  bool is_zero() const { return number == kRegisters; }
};
std::optional<RegisterName> register_named(std::string_view text);
// "X3", "W3", "XZR", "WZR"
std::string spell(int number, int bits);
// The number of a register the IR calls X0 .. X30.
std::optional<int> number_of(std::string_view ir_name);

struct Domain {
  Shareability shareability = Shareability::full;
  FenceAccesses accesses = FenceAccesses::all;
  friend constexpr bool operator==(const Domain&, const Domain&) = default;
};
inline constexpr base::Named<Domain> kDomains[] = {
    {"SY", {Shareability::full, FenceAccesses::all}},        {"LD", {Shareability::full, FenceAccesses::loads}},
    {"ST", {Shareability::full, FenceAccesses::stores}},     {"ISH", {Shareability::inner, FenceAccesses::all}},
    {"ISHLD", {Shareability::inner, FenceAccesses::loads}},  {"ISHST", {Shareability::inner, FenceAccesses::stores}},
    {"OSH", {Shareability::outer, FenceAccesses::all}},      {"OSHLD", {Shareability::outer, FenceAccesses::loads}},
    {"OSHST", {Shareability::outer, FenceAccesses::stores}}, {"NSH", {Shareability::non, FenceAccesses::all}},
    {"NSHLD", {Shareability::non, FenceAccesses::loads}},    {"NSHST", {Shareability::non, FenceAccesses::stores}},
};

inline constexpr base::Named<CompareOp> kConditions[] = {
    {"EQ", CompareOp::eq}, {"NE", CompareOp::ne}, {"LT", CompareOp::lt},
    {"LE", CompareOp::le}, {"GT", CompareOp::gt}, {"GE", CompareOp::ge},
};

// The order a read-modify-write's suffix gives.
inline constexpr base::Named<Order> kRmwOrders[] = {
    {"", Order::relaxed}, {"A", Order::acquire}, {"L", Order::release}, {"AL", Order::acq_rel}};

struct AccessWord {
  Order order = Order::relaxed;
  bool exclusive = false;
  friend constexpr bool operator==(const AccessWord&, const AccessWord&) = default;
};
// Accesses by mnemonic. The first mnemonic of each access is the printed one; the U forms take an offset.
inline constexpr base::Named<AccessWord> kLoads[] = {
    {"LDR", {Order::relaxed, false}},       {"LDUR", {Order::relaxed, false}}, {"LDAR", {Order::acquire, false}},
    {"LDAPR", {Order::acquire_pc, false}},  {"LDXR", {Order::relaxed, true}},  {"LDAXR", {Order::acquire, true}},
    {"LDAPUR", {Order::acquire_pc, false}},
};
inline constexpr base::Named<AccessWord> kStores[] = {
    {"STR", {Order::relaxed, false}}, {"STUR", {Order::relaxed, false}}, {"STLR", {Order::release, false}},
    {"STXR", {Order::relaxed, true}}, {"STLXR", {Order::release, true}}, {"STLUR", {Order::release, false}},
};

// The operation named after LD or ST in the mnemonic of an atomic operation.
struct AtomicOp {
  RmwOp op = RmwOp::add;
  bool is_unsigned = false;  // matters for minimum and maximum
  friend constexpr bool operator==(const AtomicOp&, const AtomicOp&) = default;
};
inline constexpr base::Named<AtomicOp> kAtomicOps[] = {
    {"ADD", {RmwOp::add, false}}, {"CLR", {RmwOp::and_, false}}, {"EOR", {RmwOp::xor_, false}},
    {"SET", {RmwOp::or_, false}}, {"SMAX", {RmwOp::max, false}}, {"SMIN", {RmwOp::min, false}},
    {"UMAX", {RmwOp::max, true}}, {"UMIN", {RmwOp::min, true}},
};

}  // namespace weakspot::litmus::aarch64
