// SPDX-License-Identifier: MIT
// Addresses of the device where a launch was captured, and those of the same memory here. Kernels find addresses in
// their arguments and in memory: lists of pointers, nodes that lead to others.
#pragma once

#include <cstdint>
#include <map>
#include <span>

namespace weakspot::capture {

class AddressMap {
 public:
  // Memory of that size, which begins there on one side and here on the other. No two overlap.
  void add(std::uint64_t there, std::uint64_t size, std::uint64_t here);
  // Each word of eight bytes, counted from the first byte, that is an address there becomes the address here; the end
  // of memory is one as well, where no other begins. Returns whether there was one.
  bool translate(std::span<char> bytes) const;

 private:
  struct Memory {
    std::uint64_t size = 0, here = 0;
  };
  std::map<std::uint64_t, Memory> memory_;  // by addresses there
};

}  // namespace weakspot::capture
