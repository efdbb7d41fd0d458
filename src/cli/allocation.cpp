// SPDX-License-Identifier: MIT
// How the program gets memory: small blocks from lists of free ones, one list per thread and size.
//
// A test of a batch takes a few hundred small blocks and gives them all back. The C library spends a fifth of the time
// of such a batch on them, because it keeps few blocks of a size at hand and joins the others with their neighbours.
// Here a block stays what it is. Lists that have grown long, and those of threads that end, go to a pool that all
// threads share. Sanitizers have their own way.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define WEAKSPOT_OTHER_ALLOCATION
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEAKSPOT_OTHER_ALLOCATION
#endif

#ifndef WEAKSPOT_OTHER_ALLOCATION

#include <pthread.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace weakspot::cli {
namespace {

constexpr std::size_t kUnit = 16;      // sizes are multiples of it, and blocks are aligned to it
constexpr std::size_t kClasses = 33;   // blocks of up to 32 units; class 0 stands for larger ones
constexpr std::size_t kSlab = 65'536;  // bytes that are cut into blocks at a time
constexpr std::uint32_t kLongList = 1'024;

// In front of every block.
struct alignas(kUnit) Header {
  std::size_t size_class;
};
// In place of what the user of a free block had there.
struct Free {
  Free* next;
};

struct List {
  Free* first = nullptr;
  std::uint32_t count = 0;
};

// The rest of a slab whose thread has ended.
struct Rest {
  Rest* next;
  std::byte* end;
};

// What all threads share.
struct Pool {
  std::mutex mutex;
  std::array<Free*, kClasses> lists{};
  Rest* rests = nullptr;

  void put(std::size_t size_class, List& list) {
    if (list.first == nullptr) return;
    Free* last = list.first;
    while (last->next != nullptr) last = last->next;
    const std::lock_guard lock(mutex);
    last->next = lists[size_class];
    lists[size_class] = list.first;
    list = {};
  }

  // At most half a long list, so that others find something as well.
  List take(std::size_t size_class) {
    const std::lock_guard lock(mutex);
    List taken{lists[size_class], 0};
    Free** end = &taken.first;
    while (*end != nullptr && taken.count < kLongList / 2) {
      end = &(*end)->next;
      ++taken.count;
    }
    lists[size_class] = *end;
    *end = nullptr;
    return taken;
  }

  void put_rest(std::byte* begin, std::byte* end) {
    if (static_cast<std::size_t>(end - begin) < sizeof(Rest)) return;
    const std::lock_guard lock(mutex);
    rests = new (begin) Rest{rests, end};
  }

  // Nothing if there is none.
  Rest* take_rest() {
    const std::lock_guard lock(mutex);
    Rest* const taken = rests;
    if (taken != nullptr) rests = taken->next;
    return taken;
  }
};
constinit Pool pool;  // used until the very end: it has nothing to destroy

struct Cache {
  std::array<List, kClasses> lists{};
  std::byte* slab = nullptr;
  std::byte* slab_end = nullptr;
};
constinit thread_local Cache cache;

// Its destructor runs at the end of a thread.
struct AtEnd {
  AtEnd() = default;
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() {
    for (std::size_t i = 1; i < kClasses; ++i) pool.put(i, cache.lists[i]);
    pool.put_rest(cache.slab, cache.slab_end);
    cache.slab = cache.slab_end = nullptr;
  }
  bool started = false;
};
thread_local AtEnd at_end;

// A process that is made while another thread uses the pool must not find it locked.
void prepare_for_fork() {
  static const int prepared =
      pthread_atfork([] { pool.mutex.lock(); }, [] { pool.mutex.unlock(); }, [] { pool.mutex.unlock(); });
  static_cast<void>(prepared);
}

void* block_behind(void* header, std::size_t size_class) {
  static_cast<Header*>(header)->size_class = size_class;
  return static_cast<std::byte*>(header) + sizeof(Header);
}

void* from_library(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void find_slab(std::size_t bytes) {
  if (Rest* const rest = pool.take_rest()) {
    cache.slab_end = rest->end;
    cache.slab = static_cast<std::byte*>(static_cast<void*>(rest));
    if (static_cast<std::size_t>(cache.slab_end - cache.slab) >= bytes) return;
  }
  cache.slab = static_cast<std::byte*>(from_library(kSlab));
  cache.slab_end = cache.slab + kSlab;
}

// A block of a class whose list is empty.
void* fill_and_take(std::size_t size_class) {
  prepare_for_fork();
  at_end.started = true;
  List& list = cache.lists[size_class];
  list = pool.take(size_class);
  if (list.first != nullptr) {
    Free* const block = list.first;
    list.first = block->next;
    --list.count;
    return block;
  }
  const std::size_t bytes = sizeof(Header) + size_class * kUnit;
  if (static_cast<std::size_t>(cache.slab_end - cache.slab) < bytes) find_slab(bytes);
  void* const header = cache.slab;
  cache.slab += bytes;
  return block_behind(header, size_class);
}

void* allocate(std::size_t size) {
  if (size > (kClasses - 1) * kUnit) {
    if (size > PTRDIFF_MAX - sizeof(Header)) throw std::bad_alloc();
    return block_behind(from_library(sizeof(Header) + size), 0);
  }
  const std::size_t size_class = size == 0 ? 1 : (size + kUnit - 1) / kUnit;
  List& list = cache.lists[size_class];
  if (list.first == nullptr) return fill_and_take(size_class);
  Free* const block = list.first;
  list.first = block->next;
  --list.count;
  return block;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  void* const header = static_cast<std::byte*>(memory) - sizeof(Header);
  const std::size_t size_class = static_cast<Header*>(header)->size_class;
  if (size_class == 0) return std::free(header);
  List& list = cache.lists[size_class];
  list.first = new (memory) Free{list.first};
  if (++list.count >= kLongList) pool.put(size_class, list);
}

}  // namespace
}  // namespace weakspot::cli

void* operator new(std::size_t size) { return weakspot::cli::allocate(size); }
void* operator new[](std::size_t size) { return weakspot::cli::allocate(size); }
void operator delete(void* memory) noexcept { weakspot::cli::release(memory); }
void operator delete[](void* memory) noexcept { weakspot::cli::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { weakspot::cli::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { weakspot::cli::release(memory); }

#endif
