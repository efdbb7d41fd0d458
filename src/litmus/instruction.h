// SPDX-License-Identifier: MIT
// What a thread of a test does. A closed set of instructions that covers every dialect: the readers
// translate into it, the printers out of it, the models and the code generators look at nothing else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "base/source.h"
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

// What loads, stores and read-modify-writes share. A plain access has no scope, which is always spelled as scope device
// so that equality stays simple; one that is tagged available or visible has the scope of that tag.
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

enum class RmwOp : std::uint8_t { exch, add, sub, inc, dec, and_, or_, xor_, min, max, cas };

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
  // add only, never in a text: the sum is that of an mbarrier, which adds this as well when its phase ends, less the
  // arrivals that were dropped; 0 for others. See model/execution/expand.h.
  std::int64_t refill = 0;
  bool drops = false;  // somebody drops arrivals of that mbarrier
  friend bool operator==(const Rmw&, const Rmw&) = default;
};

// `order` is C11's atomic_thread_fence, PTX's fence.{acq_rel,sc}, Vulkan's membar. `membar` is PTX's old fence
// with a scope only. dmb, dsb, isb are AArch64's; the next three x86's. `named` are those that a model knows by name
// alone: RISC-V's and the Linux kernel's.
enum class FenceKind : std::uint8_t {
  order,
  membar,
  proxy,
  av_device,
  vis_device,
  dmb,
  dsb,
  isb,
  mfence,
  sfence,
  lfence,
  named,
  mbarrier_init,  // PTX's fence.mbarrier_init.release.cluster
  wgmma           // PTX's wgmma.fence
};

// RISC-V's `fence predecessors,successors`, fence.tso and fence.i, then the Linux kernel's.
enum class FenceName : std::uint8_t {
  none,
  riscv_r_r,
  riscv_r_w,
  riscv_r_rw,
  riscv_w_r,
  riscv_w_w,
  riscv_w_rw,
  riscv_rw_r,
  riscv_rw_w,
  riscv_rw_rw,
  riscv_tso,
  riscv_i,
  linux_mb,
  linux_rmb,
  linux_wmb,
  linux_barrier,
  linux_before_atomic,
  linux_after_atomic,
  linux_after_spinlock,
  linux_after_unlock_lock,
  linux_after_srcu_read_unlock,
  linux_rcu_lock,
  linux_rcu_unlock,
  linux_sync_rcu
};

// AArch64 DMB/DSB: which accesses before the barrier are ordered. all: with everything after; loads: loads
// before with everything after; stores: stores before with stores after.
enum class FenceAccesses : std::uint8_t { all, loads, stores };
enum class Shareability : std::uint8_t { full, inner, outer, non };

struct Fence {
  FenceKind kind = FenceKind::order;
  // Kind order; kind proxy: acquire or release where it is a fence of one direction. Else seq_cst.
  Order order = Order::seq_cst;
  Scope scope = Scope::device;                     // kinds order, membar and proxy
  Proxy proxy = Proxy::generic;                    // kind proxy only
  Spaces semantics;                                // kind order: Vulkan storage classes, OpenCL flags; proxy: spaces
  FenceAccesses accesses = FenceAccesses::all;     // dmb, dsb
  Shareability shareability = Shareability::full;  // dmb, dsb
  Tags tags;                                       // kind order: available, visible
  FenceName name = FenceName::none;                // kind named only
  std::optional<LocationId> map;                   // kind proxy, tensormap, acquire: the tensor map
  friend bool operator==(const Fence&, const Fence&) = default;
};

// An execution barrier between the threads of one `scope` instance (a workgroup unless said otherwise).
struct Barrier {
  enum class Kind : std::uint8_t { sync, arrive, wait };  // wait: for those who have arrived
  Kind kind = Kind::sync;
  Scope scope = Scope::workgroup;
  Operand id = Value{};           // which barrier of the program this is: equal ids meet
  std::optional<Operand> name;    // a named barrier resource (PTX's `a`), when given apart from the id
  std::optional<Operand> quorum;  // how many threads take part; none: all of the scope instance
  // What the barrier does to memory beyond the default of its dialect: Vulkan's semantics, OpenCL's flags.
  Order order = Order::plain;  // plain: the default of the dialect
  Scope memory_scope = Scope::workgroup;
  Spaces semantics;
  Tags tags;  // available, visible
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

enum class ComputeOp : std::uint8_t {
  mov,
  not_,
  neg,
  add,
  sub,
  mul,
  and_,
  or_,
  xor_,
  shl,
  shr,
  eq,
  ne,
  lt,
  le,
  gt,
  ge
};
constexpr bool is_comparison(ComputeOp op) { return op >= ComputeOp::eq; }

bool is_unary(ComputeOp op);

// target = op(left, right), at the width of the target's type. The last six give 0 or 1.
struct Compute {
  ComputeOp op = ComputeOp::mov;
  RegisterId target;
  Operand left;
  std::optional<Operand> right;  // none iff is_unary(op)
  friend bool operator==(const Compute&, const Compute&) = default;
};

enum class CompareOp : std::uint8_t { eq, ne, lt, le, gt, ge };

CompareOp negate(CompareOp op);
ComputeOp as_compute(CompareOp op);
CompareOp as_compare(ComputeOp op);  // is_comparison(op)

struct Comparison {
  CompareOp op = CompareOp::eq;
  Operand left;
  Operand right;
  friend bool operator==(const Comparison&, const Comparison&) = default;
};

// target = condition ? yes : no, at the width of the target's type. Signed comparison.
struct Select {
  RegisterId target;
  Comparison condition;
  Operand yes;
  Operand no;
  friend bool operator==(const Select&, const Select&) = default;
};

// Jumps to the label if the comparison holds, or always. Signed comparison.
struct Branch {
  std::string label;
  std::optional<Comparison> condition;
  friend bool operator==(const Branch&, const Branch&) = default;
};

struct Label {
  std::string name;
  friend bool operator==(const Label&, const Label&) = default;
};

// ---- asynchronous operations (docs/decisions/0017-asynchronous-operations.md) ----

// Who moves the data. `lane` is PTX's cp.async, through the generic proxy; `bulk` is cp.async.bulk with its reductions
// and `remote` is st.async and red.async, both through the async proxy. `wgmma` is wgmma.mma_async: it reads a matrix
// through the async proxy, and what it computes from it goes to an accumulator. The accumulator is a location here;
// what the product read stands for the product.
enum class AsyncEngine : std::uint8_t { lane, bulk, remote, wgmma };

// A copy that goes on by itself once it is issued. It writes to one target, or to several of them (multicast). It is
// complete for those who see its bytes counted on the target's mbarrier, or, without one, for the thread that waits for
// the group it belongs to.
struct AsyncCopy {
  struct Target {
    Address to;
    std::optional<LocationId> mbarrier;
    friend bool operator==(const Target&, const Target&) = default;
  };
  AsyncEngine engine = AsyncEngine::bulk;
  Type type = Type::s32;        // of an element
  std::int64_t elements = 1;    // neighbours in memory, in no order
  Address from;                 // remote: not used
  bool mapped = false;          // bulk: `from` is a tensor map, which holds the address of the source
  Operand value = Value{};      // remote: what is stored; else 0
  std::optional<RmwOp> reduce;  // combined with the target instead of stored: add, inc, dec, and, or, xor, min or max
  std::vector<Target> targets;
  friend bool operator==(const AsyncCopy&, const AsyncCopy&) = default;
};

// An mbarrier is a location that these operations alone access. Its initial value is the number of arrivals that end a
// phase; 0 if it is not initialised. `follow` arrives when the thread's earlier lane copies are complete (PTX's
// cp.async.mbarrier.arrive.noinc). `test` asks whether the phase of the given parity is over; `wait` goes on when it
// is. `drop` arrives, and later phases expect that many arrivals less. `inval` ends the life of the mbarrier.
enum class MbarrierOp : std::uint8_t { init, arrive, expect, complete, follow, test, wait, drop, inval };

struct Mbarrier {
  MbarrierOp op = MbarrierOp::arrive;
  LocationId barrier;
  Order order = Order::plain;  // arrive, drop: release or relaxed; test, wait: acquire or relaxed; others have theirs
  Scope scope = Scope::workgroup;
  std::optional<RegisterId> target;  // arrive, drop: the parity of the phase, if asked for; test: 1 if it is over
  std::int64_t count = 1;            // init, arrive, drop: arrivals
  std::int64_t bytes = 0;            // arrive, drop, expect: more to come; complete: came
  Operand phase = Value{};           // test, wait
  friend bool operator==(const Mbarrier&, const Mbarrier&) = default;
};

// Groups of copies, and grids that depend on others (PTX's griddepcontrol; ScopeTree::launches).
struct AsyncControl {
  enum class Kind : std::uint8_t { commit, wait, wait_read, launch_dependents, wait_grids };
  Kind kind = Kind::commit;
  AsyncEngine engine = AsyncEngine::bulk;  // commit, wait, wait_read: any but remote
  std::int64_t pending = 0;                // wait, wait_read: the youngest groups that need not be complete
  friend bool operator==(const AsyncControl&, const AsyncControl&) = default;
};

// The instruction has an effect only if the register is (not) zero.
struct Guard {
  RegisterId predicate;
  bool negated = false;
  friend bool operator==(const Guard&, const Guard&) = default;
};

using Operation =
    std::variant<Load, Store, Rmw, Fence, Barrier, Compute, Branch, Label, Select, AsyncCopy, Mbarrier, AsyncControl>;

template <typename Op>
inline constexpr bool kIsAsynchronous =
    std::is_same_v<Op, AsyncCopy> || std::is_same_v<Op, Mbarrier> || std::is_same_v<Op, AsyncControl>;

struct Instruction {
  Operation operation;
  std::optional<Guard> guard;  // never on labels
  base::Span span;             // where it was read, for messages
  // Never in a text: which asynchronous operation of the thread this is a step of, counted from 1; 0: of none. Models
  // take copies apart into such steps.
  std::uint32_t agent = 0;
  AsyncEngine engine = AsyncEngine::bulk;  // of the agent
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

// The Access of a load, store or read-modify-write; nullptr for the others.
const Access* access_of(const Instruction& instruction);
Access* access_of(Instruction& instruction);

// An asynchronous copy, an operation on an mbarrier, or one on groups or grids.
bool is_asynchronous(const Instruction& instruction);

// The canonical words, also used by JSON and messages.
std::string_view to_string(AsyncEngine engine);       // lane bulk remote wgmma
std::string_view to_string(MbarrierOp op);            // init arrive ... wait drop inval
std::string_view to_string(AsyncControl::Kind kind);  // commit wait wait_read launch_dependents wait_grids
std::optional<AsyncEngine> async_engine_named(std::string_view name);
std::optional<MbarrierOp> mbarrier_op_named(std::string_view name);
// The order of an operation that does not name one.
Order default_order(MbarrierOp op);
std::string_view to_string(RmwOp op);        // exch add sub inc dec and or xor min max cas
std::string_view to_string(ComputeOp op);    // mov not neg add ... ge
std::string_view to_string(CompareOp op);    // eq ne lt le gt ge
std::string_view to_string(FenceName name);  // riscv.rw.w riscv.tso linux.mb linux.rcu_lock ...
std::string_view symbol(CompareOp op);       // == != < <= > >=
std::optional<RmwOp> rmw_op_named(std::string_view name);
std::optional<ComputeOp> compute_op_named(std::string_view name);
std::optional<CompareOp> compare_op_named(std::string_view name);
std::optional<FenceName> fence_name_named(std::string_view name);

// Calls `visit(RegisterId&)` for every register the instruction names, in a fixed order that depends on the
// instruction alone: guard, sources, address, targets. Works on const and mutable instructions.
template <typename InstructionRef, typename Visit>
void for_each_register(InstructionRef& instruction, Visit&& visit);

// Calls `visit(RegisterId&)` for the registers the instruction writes.
template <typename InstructionRef, typename Visit>
void for_each_written(InstructionRef& instruction, Visit&& visit);

// Calls `visit(Operand&)` for every value operand (not addresses).
template <typename InstructionRef, typename Visit>
void for_each_operand(InstructionRef& instruction, Visit&& visit);

// Calls `visit(Address&)` for every address.
template <typename InstructionRef, typename Visit>
void for_each_address(InstructionRef& instruction, Visit&& visit);

// Calls `visit(LocationId&)` for every location that the instruction names outside its operands: in addresses, and
// mbarriers.
template <typename InstructionRef, typename Visit>
void for_each_location(InstructionRef& instruction, Visit&& visit);

// ---- implementation ----

// Operations that always write a register; stores and read-modify-writes may write some.
template <typename Op>
inline constexpr bool kHasTarget =
    std::is_same_v<Op, Load> || std::is_same_v<Op, Compute> || std::is_same_v<Op, Select>;

template <typename InstructionRef, typename Visit>
void for_each_operand(InstructionRef& instruction, Visit&& visit) {
  std::visit(
      [&](auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (std::is_same_v<Op, Store> || std::is_same_v<Op, AsyncCopy>) {
          visit(op.value);
        } else if constexpr (std::is_same_v<Op, Rmw>) {
          if (op.expected) visit(*op.expected);
          visit(op.operand);
        } else if constexpr (std::is_same_v<Op, Barrier>) {
          visit(op.id);
          if (op.name) visit(*op.name);
          if (op.quorum) visit(*op.quorum);
        } else if constexpr (std::is_same_v<Op, Compute>) {
          visit(op.left);
          if (op.right) visit(*op.right);
        } else if constexpr (std::is_same_v<Op, Select>) {
          visit(op.condition.left);
          visit(op.condition.right);
          visit(op.yes);
          visit(op.no);
        } else if constexpr (std::is_same_v<Op, Branch>) {
          if (op.condition) {
            visit(op.condition->left);
            visit(op.condition->right);
          }
        } else if constexpr (std::is_same_v<Op, Mbarrier>) {
          visit(op.phase);
        }
      },
      instruction.operation);
}

template <typename InstructionRef, typename Visit>
void for_each_address(InstructionRef& instruction, Visit&& visit) {
  if (auto* access = access_of(instruction)) return visit(access->address);
  if (auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
    for (auto& target : copy->targets) visit(target.to);
    if (copy->engine != AsyncEngine::remote) visit(copy->from);
  }
}

template <typename InstructionRef, typename Visit>
void for_each_location(InstructionRef& instruction, Visit&& visit) {
  for_each_address(instruction, [&](auto& address) {
    if (address.location) visit(*address.location);
  });
  if (auto* copy = std::get_if<AsyncCopy>(&instruction.operation)) {
    for (auto& target : copy->targets) {
      if (target.mbarrier) visit(*target.mbarrier);
    }
  }
  if (auto* mbarrier = std::get_if<Mbarrier>(&instruction.operation)) visit(mbarrier->barrier);
  if (auto* fence = std::get_if<Fence>(&instruction.operation); fence != nullptr && fence->map) visit(*fence->map);
}

template <typename InstructionRef, typename Visit>
void for_each_written(InstructionRef& instruction, Visit&& visit) {
  std::visit(
      [&](auto& op) {
        using Op = std::remove_cvref_t<decltype(op)>;
        if constexpr (kHasTarget<Op>) visit(op.target);
        if constexpr (std::is_same_v<Op, Store>) {
          if (op.status) visit(*op.status);
        }
        if constexpr (std::is_same_v<Op, Rmw>) {
          if (op.target) visit(*op.target);
          if (op.success) visit(*op.success);
        }
        if constexpr (std::is_same_v<Op, Mbarrier>) {
          if (op.target) visit(*op.target);
        }
      },
      instruction.operation);
}

template <typename InstructionRef, typename Visit>
void for_each_register(InstructionRef& instruction, Visit&& visit) {
  if (instruction.guard) visit(instruction.guard->predicate);
  for_each_operand(instruction, [&](auto& operand) {
    if (auto* reg = std::get_if<RegisterId>(&operand)) visit(*reg);
  });
  for_each_address(instruction, [&](auto& address) {
    if (address.index) visit(*address.index);
  });
  for_each_written(instruction, visit);
}

}  // namespace weakspot::litmus
