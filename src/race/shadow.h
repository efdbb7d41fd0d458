// The cells of a range of addresses: one for each aligned word of four bytes, and where a word was
// accessed in parts, one for each byte instead, so that neighbouring bytes never disturb one another.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "race/entry.h"

namespace weakspot::race {

class Shadow {
 public:
  // `cells` covers `size` bytes from `base`, a multiple of 4; zeroed, not owned.
  Shadow(Cell* cells, std::uint64_t base, std::uint64_t size) : cells_(cells), base_(base), size_(size) {}

  bool covers(std::uint64_t address, std::uint64_t size) const {
    return address - base_ < size_ && size <= size_ - (address - base_);
  }
  Cell& word(std::uint64_t address) { return cells_[(address - base_) >> 2]; }
  // The four byte cells of a word; the first call copies what the word's cell held into them and marks it kSplit.
  Cell* split(std::uint64_t address);

  Cell* cells() { return cells_; }
  std::uint64_t base() const { return base_; }
  // Bytes in use by byte cells.
  std::uint64_t split_bytes() const { return pages_.size() * sizeof(Page); }

 private:
  static constexpr std::uint64_t kPageWords = 64;
  using Page = std::array<Cell, kPageWords * 4>;

  Cell* cells_;
  std::uint64_t base_;
  std::uint64_t size_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace weakspot::race
