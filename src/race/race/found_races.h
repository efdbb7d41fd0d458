// SPDX-License-Identifier: MIT
// The races that a detector has found, one for each pair of sites.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "race/access.h"
#include "race/class_id.h"
#include "race/clock.h"

namespace weakspot::race {

// The engine whose work an agent does.
enum class Engine : std::uint8_t {
  copies,
  multiplies,  // reads matrices for wgmma
  tensor,      // reads shared memory for tcgen05
};

// What is missing between two accesses to tensor memory.
enum class TensorGap : std::uint8_t {
  none,
  load_wait,      // tcgen05.wait::ld behind the first
  store_wait,     // tcgen05.wait::st behind the first
  commit,         // a commit of the first, and a wait at its mbarrier
  mbarrier_wait,  // a wait at the mbarrier of that commit
  fences,         // the fences of tcgen05 around the synchronisation of the threads
  threads,        // synchronisation of the threads
};

// One side of a race.
struct Party {
  ThreadName thread;
  SiteId site = 0;
  bool write = false;
  bool strong = false;
  Scope scope = Scope::device;
  Engine engine = Engine::copies;  // of an agent
};

// The first instance of a race between two sites, and how many there were.
struct Race {
  ClassId race_class = ClassId::e1;  // E1, E2, P1, P2, W1, W2 or W3
  Party first, second;               // in the order of the schedule
  std::uint64_t address = 0;
  Space space = Space::global;
  std::uint32_t launch = 0;
  bool same_warp = false;
  bool across_blocks = false;       // some instance is between threads of different blocks
  bool missing_acquire = false;     // ordered if a fence followed the strong read
  bool amd = false;                 // on a GPU of AMD
  bool at_bare_barrier = false;     // between the two, the threads met at a barrier that orders no memory
  bool fenced_elsewhere = false;    // fences order the two threads, but for another address space
  bool missing_grid_wait = false;   // ordered if the grid had waited for the one that it depends on
  bool of_map = false;              // the second reads the tensor map that its copy goes by
  bool map_released = false;        // and what it lacks is an acquire alone
  TensorGap gap = TensorGap::none;  // in tensor memory, whose addresses have the lane above the column
  std::optional<SiteId> doubt;      // something that ran before is not modelled: perhaps there is no race
  std::uint64_t count = 1;
  std::uint32_t chain = 0;  // its number in the trace; 0: none
};

class FoundRaces {
 public:
  // Class, sites and whether they write: races that agree in them are one.
  using Key = std::tuple<ClassId, SiteId, SiteId, bool, bool>;

  const std::vector<Race>& all() const { return races_; }
  // The races since the last call. A race that was taken before is found again.
  std::vector<Race> take() {
    by_key_.clear();
    return std::exchange(races_, {});
  }
  void clear() {
    take();
    conflicts_ = 0;
  }

  // Counts a further instance; false if there is no race like it yet.
  bool count_again(const Key& key, bool across_blocks) {
    ++conflicts_;
    return merge(key, 1, across_blocks);
  }
  void add(const Race& race) {
    const Key key(race.race_class, race.first.site, race.second.site, race.first.write, race.second.write);
    if (merge(key, race.count, race.across_blocks)) return;
    by_key_.emplace(key, races_.size());
    races_.push_back(race);
  }

  // The number of racing pairs of accesses, over all pairs of sites.
  std::uint64_t conflicts() const { return conflicts_; }
  void add_conflicts(std::uint64_t more) { conflicts_ += more; }

 private:
  bool merge(const Key& key, std::uint64_t count, bool across_blocks) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return false;
    races_[found->second].count += count;
    races_[found->second].across_blocks |= across_blocks;
    return true;
  }

  std::vector<Race> races_;
  std::map<Key, std::size_t> by_key_;
  std::uint64_t conflicts_ = 0;
};

}  // namespace weakspot::race
