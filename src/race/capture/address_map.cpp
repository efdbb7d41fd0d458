// SPDX-License-Identifier: MIT
#include "capture/address_map.h"

#include <cstring>

namespace weakspot::capture {

void AddressMap::add(std::uint64_t there, std::uint64_t size, std::uint64_t here) { memory_[there] = {size, here}; }

bool AddressMap::translate(std::span<char> bytes) const {
  if (memory_.empty()) return false;
  const std::uint64_t lowest = memory_.begin()->first,
                      highest = memory_.rbegin()->first + memory_.rbegin()->second.size;
  bool any = false;
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (word < lowest || word > highest) continue;  // most words are no addresses
    const auto& [there, memory] = *--memory_.upper_bound(word);
    if (word - there > memory.size) continue;
    word = memory.here + (word - there);
    std::memcpy(bytes.data() + at, &word, sizeof word);
    any = true;
  }
  return any;
}

}  // namespace weakspot::capture
