// SPDX-License-Identifier: MIT
// Operations that go on by themselves once they are issued, and the mbarriers, groups and grids that wait for them
// (docs/decisions/0017-asynchronous-operations.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "litmus/access.h"
#include "litmus/operators.h"
#include "litmus/value.h"
#include "litmus/vocabulary.h"

namespace weakspot::litmus {

// The mover of the data. `lane` is PTX's cp.async, through the generic proxy; `bulk` is cp.async.bulk with its
// reductions and `remote` is st.async and red.async, both through the async proxy. `wgmma` is wgmma.mma_async: it reads
// a matrix through the async proxy and computes a product into an accumulator. The accumulator is a location here, and
// the values read stand for the product. The last four are those of tcgen05, which work on tensor memory: `tcld` and
// `tcst` are tcgen05.ld and tcgen05.st, which are a Load and a Store here; `tccp` is tcgen05.cp, a copy from shared
// memory, and `tcmma` tcgen05.mma, a product of a matrix in shared or tensor memory.
enum class AsyncEngine : std::uint8_t { lane, bulk, remote, wgmma, tcld, tcst, tccp, tcmma };

inline constexpr bool is_tensor(AsyncEngine engine) { return engine >= AsyncEngine::tcld; }

// A copy that goes on by itself once it is issued. It writes to one target, or to several (multicast). It is complete
// for threads that see its bytes counted on the target's mbarrier, or, without an mbarrier, for the thread that waits
// for the copy's group.
struct AsyncCopy {
  struct Target {
    Address to;
    std::optional<LocationId> mbarrier;
    friend bool operator==(const Target&, const Target&) = default;
  };
  AsyncEngine engine = AsyncEngine::bulk;
  Type type = Type::s32;      // the type of an element
  std::int64_t elements = 1;  // neighbours in memory, in no order
  Address from;               // remote: not used
  bool mapped = false;        // bulk: `from` is a tensor map, which holds the address of the source
  Operand value = Value{};    // remote: the stored value; else 0
  // Combined with the target instead of stored: add, inc, dec, and, or, xor, min or max. tcmma: add, the product is
  // added to the accumulator.
  std::optional<RmwOp> reduce;
  std::vector<Target> targets;
  friend bool operator==(const AsyncCopy&, const AsyncCopy&) = default;
};

// An mbarrier is a location that these operations alone access. Its initial value is the number of arrivals that end a
// phase; 0 if it is not initialised. `follow` arrives when the thread's earlier lane copies are complete (PTX's
// cp.async.mbarrier.arrive.noinc). `test` asks whether the phase of the given parity is over; `wait` goes on when it
// is. `drop` arrives, and later phases expect that many arrivals less. `inval` ends the life of the mbarrier. `commit`
// arrives when the thread's earlier tccp and tcmma operations are complete (PTX's tcgen05.commit).
enum class MbarrierOp : std::uint8_t { init, arrive, expect, complete, follow, test, wait, drop, inval, commit };

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
  // commit, wait, wait_read: lane, bulk or wgmma. wait: also tcld or tcst, for all that the thread has issued.
  AsyncEngine engine = AsyncEngine::bulk;
  std::int64_t pending = 0;  // wait, wait_read: the youngest groups that need not be complete
  friend bool operator==(const AsyncControl&, const AsyncControl&) = default;
};

// The canonical words, also used by JSON and messages.
std::string_view to_string(AsyncEngine engine);       // lane bulk remote wgmma tcld tcst tccp tcmma
std::string_view to_string(MbarrierOp op);            // init arrive ... drop inval commit
std::string_view to_string(AsyncControl::Kind kind);  // commit wait wait_read launch_dependents wait_grids
std::optional<AsyncEngine> async_engine_named(std::string_view name);
std::optional<MbarrierOp> mbarrier_op_named(std::string_view name);
// The order of an operation that does not name one.
Order default_order(MbarrierOp op);

}  // namespace weakspot::litmus
