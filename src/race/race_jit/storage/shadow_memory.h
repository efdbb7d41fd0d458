// SPDX-License-Identifier: MIT
// One more shadow of the device's memory, beside that of the arena: for a worker that checks blocks by itself.
#pragma once

#include <cstdint>
#include <memory>

#include "race/entry.h"

namespace weakspot::race_jit {

class ShadowMemory {
 public:
  // For `size` bytes of the device; null if there are no addresses for it.
  static std::unique_ptr<ShadowMemory> reserve(std::uint64_t size);
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  race::Cell* cells() const { return cells_; }
  race::Entry* more_entries() const { return reinterpret_cast<race::Entry*>(cells_ + size_ / 4); }

 private:
  ShadowMemory(race::Cell* cells, std::uint64_t size) : cells_(cells), size_(size) {}

  race::Cell* cells_;
  std::uint64_t size_;
};

}  // namespace weakspot::race_jit
