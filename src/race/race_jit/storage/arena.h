// SPDX-License-Identifier: MIT
// The memory of the simulated device, and its shadow: one range of addresses with the shared memory of
// running blocks at its beginning, then variables and allocations. It knows what is allocated, so that an access
// outside is a finding and not a crash.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "race/entry.h"
#include "race/site.h"

namespace weakspot::race_jit {

struct Allocation {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  std::string name;
  unsigned element = 0;  // bytes of an element, 0 if not known
  bool freed = false;
  race::Place place;           // the host's allocating call, if known
  bool named_by_host = false;  // the name is that of the host's variable
};

class Arena {
 public:
  // Memory that is shared is also that of copies of this process; the shadow never is.
  static base::Result<std::unique_ptr<Arena>> create(bool shared = false);
  // The same with memory in a file that another program maps too, at an address that it can probably have as well.
  // Other attempts give other addresses.
  static base::Result<std::unique_ptr<Arena>> create_in(int file, std::uint64_t attempt);
  // In that program: without a shadow. Null if the addresses are taken.
  static std::unique_ptr<Arena> join(int file, std::uint64_t address, std::uint64_t size);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  static constexpr std::uint64_t kWindow = 256 * 1024;         // shared memory of one block
  static constexpr std::uint64_t kMaxShared = kWindow - 4096;  // the part that a launch may have
  static constexpr std::uint64_t kWindows = 1024;

  char* base() const { return memory_; }
  std::uint64_t size() const { return size_; }
  race::Cell* cells() const { return cells_; }
  race::Entry* more_entries() const { return more_; }  // see race::Shadow
  bool contains(const void* address) const { return offset(address) < size_; }
  bool is_shared(const void* address) const { return offset(address) < kWindow * kWindows; }
  char* window(std::uint64_t index) const { return memory_ + index * kWindow; }

  static constexpr std::uint64_t kGap = 4096;
  // Zeroed memory, or null if none is left. Neighbours lie at least `gap` bytes apart.
  char* allocate(std::uint64_t size, std::string name, unsigned element = 0, std::uint64_t gap = kGap);
  // False if nothing starts there or it was freed before.
  bool release(const void* pointer);
  // The allocation that holds the address, freed ones included.
  const Allocation* find(const void* address) const;
  // The last one that begins at or before the address, whether or not it holds it.
  const Allocation* find_before(const void* address) const;
  // All allocations, by begin.
  const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }
  // Names an allocation that begins there and has no name.
  void name_once(const void* pointer, const std::string& name);
  // Sets the place where the host allocated it; its name, if it has one, is that of the host's variable.
  void set_place(const void* pointer, const race::Place& place);
  // Saves and restores the contents of all allocations. Restoring frees what was allocated since then, and takes back
  // what was freed.
  struct Snapshot {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;  // begin and size
    std::vector<char> contents;
  };
  Snapshot save() const;
  void restore(const Snapshot& snapshot);
  // A hash of the contents of all allocations.
  std::uint64_t fingerprint() const;
  // rewind() gives back what was allocated after the mark. It is zeroed when it is allocated again.
  std::uint64_t mark() const { return top_; }
  void rewind(std::uint64_t mark);
  // Forgets all allocations and their contents.
  void clear();
  // For memory shared with a copy of this process: notes an allocation that the other made, and gives up the shadow,
  // which only the other needs.
  void adopt(const void* pointer, std::uint64_t size);
  void drop_shadow();
  // Ends the sharing. Contents after the mark are lost.
  void make_private(std::uint64_t mark);

 private:
  Arena(char* memory, std::uint64_t size, race::Cell* cells, race::Entry* more)
      : memory_(memory), size_(size), cells_(cells), more_(more) {}
  // With memory that `share` makes shared.
  static base::Result<std::unique_ptr<Arena>> make(std::uint64_t hint,
                                                   const std::function<bool(char*, std::uint64_t)>& share);
  std::uint64_t offset(const void* address) const {
    return static_cast<std::uint64_t>(static_cast<const char*>(address) - memory_);
  }

  char* memory_;
  std::uint64_t size_;
  race::Cell* cells_;
  race::Entry* more_;
  std::uint64_t top_ = kWindow * kWindows;
  std::uint64_t used_ = top_;                              // memory below may have been used before
  std::map<std::uint64_t, Allocation> allocations_;        // by begin
  mutable std::atomic<const Allocation*> last_ = nullptr;  // found; several threads may look
};

}  // namespace weakspot::race_jit
