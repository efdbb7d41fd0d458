// SPDX-License-Identifier: MIT
// The values that strong reads may return: for each location a short history of the strong stores to it. A read returns
// any of them that PTX's rules leave visible, chosen by a seed; without choices, the newest.
//
// A store is hidden from a read if a later one, or a read of a later one, happens before the read. Happens-before is
// that of the detector (race/order.h), with the order of sequentially consistent fences. So a thread never goes back
// behind what it has read or written itself. An update reads the newest store. The stores of a location are in the
// order in which the machine executed them, and nobody reads from the future: load buffering and a modification order
// against that of execution do not happen here. Everything that does happen is allowed.
//
// Locations are words of up to eight bytes, each accessed as a whole. A plain store, or one of other bytes that
// overlap, ends the history: it is then the value that all read.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "race/access.h"
#include "race/order.h"
#include "race/thread_state.h"

namespace weakspot::race {

// A strong access, by its thread and its number among the thread's strong accesses of the launch.
struct ReadName {
  ThreadName thread;
  std::uint32_t number = 0;

  auto operator<=>(const ReadName&) const = default;
};

// Decides which value a read returns. The choice of one read depends on nothing but these and its name.
struct WeakChoices {
  std::uint64_t seed = 1;
  unsigned percent = 0;                    // of the reads that may return an older store, those that do
  std::optional<std::set<ReadName>> only;  // only these may
};

// The store that a value comes from; nothing for the value that was there before the first one.
struct StoredBy {
  ThreadName thread;
  SiteId site = 0;
  bool is_volatile = false;
};

// Synchronisation that would have hidden the old store from a stale read.
struct Remedy {
  enum class Kind : std::uint8_t {
    unknown,
    release_acquire,  // the reader has read, at `load`, what the writer stored later, at `store`
    sc_fences,        // the reader has stored something before, at `store`, and the writer reads later
  };
  Kind kind = Kind::unknown;
  SiteId store = 0, load = 0;
  bool releases = false, acquires = false;  // the store and the load already do
};

struct StaleRead {
  ReadName name;
  SiteId site = 0;
  std::uint64_t address = 0;
  unsigned size = 4;
  Space space = Space::global;
  bool is_volatile = false;
  std::uint64_t value = 0, newest = 0;
  std::optional<StoredBy> from;
  StoredBy by;  // the store that overwrote the value
  Remedy remedy;
};

class WeakMemory {
 public:
  void set_choices(WeakChoices choices) { choices_ = std::move(choices); }
  void start_launch();

  // Before a strong access, with the value that memory has: the older value that the read is to return, if it is to.
  std::optional<std::uint64_t> begin(Order& order, const ThreadState& thread, const Access& access, std::uint64_t now);
  // For the access of begin(): acquires what it reads and publishes what it releases.
  void synchronise(Order& order, ThreadState& thread, const Access& access);
  // The value that the last store left at the address.
  void stored(std::uint64_t address, std::uint64_t value);
  // The bytes are written otherwise.
  void forget(Order& order, std::uint64_t address, std::uint64_t size);

  // The stale reads of this launch, the first 4,096 of them.
  const std::vector<StaleRead>& stale_reads() const { return stale_reads_; }

 private:
  struct Reader {
    ThreadName thread;
    Interval interval = 0;
  };
  struct Store {
    std::uint64_t value = 0;
    bool initial = false;
    StoredBy by;
    std::uint32_t number = 0;  // of the writer's access
    Interval interval = 0;
    bool release = false;
    std::shared_ptr<const Published> published;  // null: nothing
    std::vector<Reader> readers;
  };
  struct Location {
    std::uint64_t address = 0;
    unsigned size = 4;
    Interval since = 0;
    std::vector<Store> stores;                 // never empty; the newest last
    std::map<ThreadName, Published> released;  // by the releases of each thread
    bool forgot_releases = false;              // somebody read a release that is no longer in `stores`
  };
  // A strong access in the log of its thread.
  struct Logged {
    std::uint32_t number = 0;
    SiteId site = 0;
    std::uint64_t address = 0;
    bool write = false, acquire = false;
    // For a read of a thread's store.
    std::optional<StoredBy> from;
    std::uint32_t from_number = 0;
    bool from_release = false;
  };
  struct ThreadLog {
    std::uint32_t accesses = 0, stale_in_row = 0;
    std::array<Logged, 16> last;
  };

  static bool is_known(const Order& order, const ThreadState& thread, const Store& store, Space space);
  Location* find(Order& order, const ThreadState& thread, const Access& access, std::uint64_t now);
  std::size_t pick(const ThreadState& thread, std::size_t oldest, std::size_t newest);
  Remedy remedy(const ThreadLog& reader, ThreadName writer, const Store& hiding, std::uint64_t address) const;
  void note_stale(const ThreadState& thread, const Access& access, std::size_t chosen);
  void read(Order& order, ThreadState& thread, const Access& access, Store& store);
  void write(Order& order, ThreadState& thread, const Access& access);
  void drop_oldest(Location& location, std::size_t count);
  ThreadLog& log_of(ThreadName thread) { return logs_[thread]; }

  WeakChoices choices_;
  std::unordered_map<std::uint64_t, std::vector<Location>> locations_;  // by the double word
  std::size_t count_ = 0;                                               // of locations
  std::map<ThreadName, ThreadLog> logs_;
  Location* current_ = nullptr;  // of the access at hand, and the store that it reads
  std::size_t chosen_ = 0;
  std::vector<StaleRead> stale_reads_;
};

}  // namespace weakspot::race
