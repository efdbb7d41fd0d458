// SPDX-License-Identifier: MIT
// Operands and addresses, and the accesses to memory that are made of them: loads, stores, read-modify-writes.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "litmus/operators.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

using Operand = std::variant<RegisterId, Value>;

// location + register + offset bytes. Without a location the register holds the whole address. With one, the
// register is added to it: this is how an address dependency is written. At least one of the two is present.
struct Address {
  std::optional<LocationId> location;
  std::optional<RegisterId> index;
  std::int64_t offset = 0;

  friend bool operator==(const Address&, const Address&) = default;
};

// The part that loads, stores and read-modify-writes share. A plain access has no scope, which is always spelled as
// scope device so that equality stays simple; a plain access tagged available or visible has the scope of that tag.
struct Access {
  Address address;
  Order order = Order::relaxed;
  Scope scope = Scope::device;
  Type type = Type::s32;
  Space space = Space::none;  // the state space or storage class the instruction names
  CacheOp cache = CacheOp::none;
  Proxy proxy = Proxy::generic;
  Tags tags;
  Spaces semantics;  // Vulkan: the storage classes an acquire or release covers

  friend bool operator==(const Access&, const Access&) = default;
};

struct Load {
  RegisterId target;
  Access access;
  friend bool operator==(const Load&, const Load&) = default;
};

struct Store {
  Access access;
  Operand value;
  // Store-exclusive only: receives 0 if it stored, else 1.
  std::optional<RegisterId> status;
  friend bool operator==(const Store&, const Store&) = default;
};

// Atomically reads `access`, computes, writes. `inc` and `dec` are PTX's wrapping forms: inc writes
// old >= operand ? 0 : old + 1; dec writes (old == 0 || old > operand) ? operand : old - 1.
struct Rmw {
  RmwOp op = RmwOp::exch;
  std::optional<RegisterId> target;  // receives the old value; none for reductions
  Access access;
  Operand operand;                       // the new value of exch and cas, the argument of the others
  std::optional<Operand> expected;       // cas only
  std::optional<RegisterId> success;     // cas only: receives 1 if it wrote, else 0
  Order failure_order = Order::relaxed;  // cas only; relaxed where the dialect has no such notion
  bool may_fail = false;                 // cas only: C's weak form, which may fail for no reason
  // add to an mbarrier only, never in a text: also added when the addition ends a phase, less the dropped arrivals;
  // 0 for others. See model/execution/expand.h.
  std::int64_t refill = 0;
  bool drops = false;  // some thread drops arrivals of that mbarrier
  friend bool operator==(const Rmw&, const Rmw&) = default;
};

}  // namespace weakspot::litmus
