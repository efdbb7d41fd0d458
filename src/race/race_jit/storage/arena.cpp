// SPDX-License-Identifier: MIT
#include "race_jit/storage/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "base/check.h"

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t kAlign = 256;

constexpr int kReserve = MAP_ANONYMOUS | MAP_NORESERVE;

void* reserve(std::uint64_t size, std::uint64_t hint = 0) {
  void* memory = mmap(reinterpret_cast<void*>(hint), size, PROT_READ | PROT_WRITE, MAP_PRIVATE | kReserve, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Replaces what is mapped there.
bool map_again(void* memory, std::uint64_t size, int sharing) {
  return mmap(memory, size, PROT_READ | PROT_WRITE, sharing | kReserve | MAP_FIXED, -1, 0) != MAP_FAILED;
}

}  // namespace

base::Result<std::unique_ptr<Arena>> Arena::make(std::uint64_t hint,
                                                 const std::function<bool(char*, std::uint64_t)>& share) {
  for (std::uint64_t size = std::uint64_t{64} << 30; size >= std::uint64_t{1} << 30; size /= 2) {
    const std::uint64_t cells_size = size / 4 * sizeof(race::Cell);
    const std::uint64_t more_size = size / 4 * sizeof(race::Entry);
    void* memory = reserve(size + cells_size + more_size, hint);
    if (memory == nullptr) continue;
    char* begin = static_cast<char*>(memory);
    if (!share(begin, size)) {
      munmap(memory, size + cells_size + more_size);
      continue;
    }
    char* cells = begin + size;
    madvise(cells, cells_size, MADV_HUGEPAGE);
    return std::unique_ptr<Arena>(new Arena(begin, size, reinterpret_cast<race::Cell*>(cells),
                                            reinterpret_cast<race::Entry*>(cells + cells_size)));
  }
  return base::error("cannot reserve addresses for the memory of the device");
}

base::Result<std::unique_ptr<Arena>> Arena::create(bool shared) {
  return make(0, [&](char* begin, std::uint64_t size) { return !shared || map_again(begin, size, MAP_SHARED); });
}

base::Result<std::unique_ptr<Arena>> Arena::create_in(int file, std::uint64_t attempt) {
  // Between a program and its libraries, where systems map nothing by themselves; any other place may do, too.
  const std::uint64_t hint = (std::uint64_t{0x20} + 8 * attempt) << 40;
  return make(hint, [&](char* begin, std::uint64_t size) {
    return ftruncate(file, static_cast<off_t>(size)) == 0 &&
           mmap(begin, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0) != MAP_FAILED;
  });
}

std::unique_ptr<Arena> Arena::join(int file, std::uint64_t address, std::uint64_t size) {
  auto* wanted = reinterpret_cast<void*>(address);
  void* memory = mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, file, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (memory != wanted) {  // an old system, for which the address is a wish
    munmap(memory, size);
    return nullptr;
  }
  return std::unique_ptr<Arena>(new Arena(static_cast<char*>(memory), size, nullptr, nullptr));
}

Arena::~Arena() { munmap(memory_, size_ + size_ / 4 * (sizeof(race::Cell) + sizeof(race::Entry))); }

char* Arena::allocate(std::uint64_t size, std::string name, unsigned element, std::uint64_t gap) {
  const std::uint64_t begin = (top_ + gap + kAlign - 1) / kAlign * kAlign;
  if (begin > size_ || size > size_ - begin) return nullptr;
  if (begin < used_) std::memset(memory_ + begin, 0, std::min(used_ - begin, size));
  top_ = begin + size;
  used_ = std::max(used_, top_);
  allocations_[begin] = {begin, size, std::move(name), element, false, {}, false};
  return memory_ + begin;
}

bool Arena::release(const void* pointer) {
  auto found = allocations_.find(offset(pointer));
  if (found == allocations_.end() || found->second.freed) return false;
  found->second.freed = true;
  return true;
}

const Allocation* Arena::find(const void* address) const {
  const std::uint64_t at = offset(address);
  const Allocation* last = last_.load(std::memory_order_relaxed);
  if (last != nullptr && at - last->begin < last->size) return last;
  auto after = allocations_.upper_bound(at);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  if (at - candidate.begin >= candidate.size) return nullptr;
  last_.store(&candidate, std::memory_order_relaxed);
  return &candidate;
}

void Arena::name_once(const void* pointer, const std::string& name) {
  auto found = allocations_.find(offset(pointer));
  if (found != allocations_.end() && found->second.name.empty()) found->second.name = name;
}

void Arena::set_place(const void* pointer, const race::Place& place) {
  auto found = allocations_.find(offset(pointer));
  if (found == allocations_.end()) return;
  found->second.place = place;
  found->second.named_by_host = place.line > 0 && !found->second.name.empty();
}

Arena::Snapshot Arena::save() const {
  Snapshot snapshot;
  for (const auto& [begin, allocation] : allocations_) {
    if (allocation.freed) continue;
    snapshot.pieces.emplace_back(begin, allocation.size);
    snapshot.contents.insert(snapshot.contents.end(), memory_ + begin, memory_ + begin + allocation.size);
  }
  return snapshot;
}

void Arena::restore(const Snapshot& snapshot) {
  for (auto& [begin, allocation] : allocations_) allocation.freed = true;
  std::size_t at = 0;
  for (const auto& [begin, size] : snapshot.pieces) {
    allocations_.at(begin).freed = false;
    std::copy_n(snapshot.contents.data() + at, size, memory_ + begin);
    at += size;
  }
}

std::uint64_t Arena::fingerprint() const {
  std::uint64_t hash = 0;
  for (const auto& [begin, allocation] : allocations_) {
    if (allocation.freed) continue;
    for (std::uint64_t at = 0; at < allocation.size; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, memory_ + begin + at, std::min<std::uint64_t>(8, allocation.size - at));
      hash = (std::rotl(hash, 23) ^ word) * 0x9e3779b97f4a7c15u;
    }
  }
  return hash;
}

const Allocation* Arena::find_before(const void* address) const {
  auto after = allocations_.upper_bound(offset(address));
  return after == allocations_.begin() ? nullptr : &std::prev(after)->second;
}

void Arena::rewind(std::uint64_t mark) {
  allocations_.erase(allocations_.lower_bound(mark), allocations_.end());
  last_ = nullptr;
  top_ = mark;
}

void Arena::adopt(const void* pointer, std::uint64_t size) {
  const std::uint64_t begin = offset(pointer);
  allocations_[begin] = {begin, size, {}, 0, false, {}, false};
  top_ = std::max(top_, begin + size);
  used_ = std::max(used_, top_);
  last_ = nullptr;
}

void Arena::drop_shadow() { munmap(cells_, size_ / 4 * (sizeof(race::Cell) + sizeof(race::Entry))); }

void Arena::make_private(std::uint64_t mark) {
  rewind(mark);
  char* first = memory_ + kWindow * kWindows;
  const std::vector<char> kept(first, memory_ + mark);
  WEAKSPOT_CHECK(map_again(memory_, size_, MAP_PRIVATE));
  std::copy(kept.begin(), kept.end(), first);
  used_ = top_;
}

void Arena::clear() {
  const std::uint64_t first = kWindow * kWindows;
  madvise(memory_ + first, used_ - first, MADV_DONTNEED);
  allocations_.clear();
  last_ = nullptr;
  top_ = used_ = first;
}

}  // namespace weakspot::race_jit
