// SPDX-License-Identifier: MIT
// The facts that findings and witnesses consist of. A fact is a value until a report says it; each has one function
// that makes its words and, for reports that are read back, one that understands them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "race/access.h"
#include "race/launch_shape.h"

namespace weakspot::race {

// The kinds of findings. Those of class U1 are only possible.
enum class FindingKind : std::uint8_t {
  race,
  divergence,
  redundant_barrier,
  invalid_access,
  assertion,
  crash,
  stale_value
};
// "race", "redundant-barrier"
std::string_view kind_word(FindingKind kind);

// "shared"; nothing for no memory.
std::string_view space_word(std::optional<Space> space);

// The repair of a finding, by the reach of barriers; a `relation` of the inputs that must hold is not a barrier.
enum class RepairKind : std::uint8_t { warp_barrier, block_barrier, cluster_barrier, two_launches, relation };

// threadIdx or blockIdx, with as many axes as the launch has.
struct Index {
  std::array<std::uint32_t, 3> at{};
  unsigned axes = 1;

  bool operator==(const Index&) const = default;
};
Index index_of(std::uint64_t number, const Extent& extent);

// A thread of a launch.
struct ThreadIndex {
  Index thread, block;
  std::string kernel;  // set if the launch is not the finding's; else empty

  bool operator==(const ThreadIndex&) const = default;
  bool shares_block(const ThreadIndex& other) const { return block == other.block && kernel == other.kernel; }
};
// "threadIdx=3 blockIdx=(1,2)", "threadIdx=3 blockIdx=0 of fill"
std::string thread_text(const ThreadIndex& thread);
std::optional<ThreadIndex> read_thread(std::string_view text);

// A thread's act at a place of a finding: an access, or the reason why it goes no further.
enum class Act : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  volatile_read,
  volatile_write,
  asynchronous_read,
  asynchronous_write,
  map_use,  // a copy goes by a tensor map
  is_here,
  ended_here,
  waits,
  waits_here,
};
inline bool is_asynchronous(Act act) { return act == Act::asynchronous_read || act == Act::asynchronous_write; }
// "asynchronous write", "ended here"
std::string_view act_word(Act act);

struct Actor {
  Act act = Act::is_here;
  ThreadIndex thread;

  bool operator==(const Actor&) const = default;
};
// "write by threadIdx=3 blockIdx=0", "threadIdx=3 blockIdx=0 waits"
std::string actor_text(const Actor& actor);
std::optional<Actor> read_actor(std::string_view text);

// The source's name for a part of memory. Accesses to one array have one `base`.
struct Variable {
  std::string base;                    // "sums"
  std::string element;                 // "[3]"; "[0][3]" in an array of arrays
  std::optional<std::uint64_t> bytes;  // the offset, where the size of elements is not known

  bool empty() const { return base.empty() && element.empty(); }
  bool operator==(const Variable&) const = default;
};
// "sums[3]", "sums + 12 bytes"
std::string variable_text(const Variable& variable);
// Without the element. Fingerprints and the names of tests depend on this text.
std::string array_text(const Variable& variable);
Variable read_variable(std::string_view text);

// A step of a thread towards a race.
enum class StepKind : std::uint8_t { read, write, update, fence, barrier, warp_barrier };
enum class StepOrder : std::uint8_t { none, weak, relaxed, acquire, release, acq_rel };
std::string_view step_word(StepKind kind);  // "warp-barrier"

}  // namespace weakspot::race
