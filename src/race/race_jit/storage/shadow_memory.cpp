// SPDX-License-Identifier: MIT
#include "race_jit/storage/shadow_memory.h"

#include <sys/mman.h>

namespace weakspot::race_jit {
namespace {

constexpr std::uint64_t bytes_of_shadow(std::uint64_t size) {
  return size / 4 * (sizeof(race::Cell) + sizeof(race::Entry));
}

}  // namespace

std::unique_ptr<ShadowMemory> ShadowMemory::reserve(std::uint64_t size) {
  void* memory =
      mmap(nullptr, bytes_of_shadow(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  madvise(memory, size / 4 * sizeof(race::Cell), MADV_HUGEPAGE);
  return std::unique_ptr<ShadowMemory>(new ShadowMemory(static_cast<race::Cell*>(memory), size));
}

ShadowMemory::~ShadowMemory() { munmap(cells_, bytes_of_shadow(size_)); }

}  // namespace weakspot::race_jit
