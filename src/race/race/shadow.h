// SPDX-License-Identifier: MIT
// The cells of a range of addresses: one for each aligned word of four bytes or, where a word was accessed in parts,
// one for each byte, so that neighbouring bytes never disturb each other.
//
// Byte cells are stored in the word's cell and one more entry beside it, as a list of at most four entries that each
// name their kind and bytes; so shadow memory is 6 to 8 times the memory accessed. If four entries do not suffice, the
// cells are kept elsewhere as they are, for at most kExactWords words; beyond that, reads are forgotten before writes.
//
// Bits 17..16 of an entry in the list tell whether it is the write, the read or the other read of its bytes. An entry
// of a strong access has its scope there: it is never the other read, and is the write if kListBit is set. The first
// entry is plain or covers no byte. It has kStrongBit and kListBit set, which marks the list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "race/entry.h"

namespace weakspot::race {

using ByteCells = std::array<Cell, 4>;

class Shadow {
 public:
  // `cells` covers `size` bytes from `base`, a multiple of 4, and `more` has an entry for each cell; zeroed, not owned.
  // Without `more` all byte cells are kept elsewhere.
  Shadow(Cell* cells, std::uint64_t base, std::uint64_t size, Entry* more = nullptr)
      : cells_(cells), base_(base), size_(size), more_(more) {}

  bool covers(std::uint64_t address, std::uint64_t size) const {
    return address - base_ < size_ && size <= size_ - (address - base_);
  }
  Cell& word(std::uint64_t address) { return cells_[index(address)]; }
  // Whether the word has byte cells.
  static bool is_split(const Cell& word) { return word.write == kSplit || (word.write & kList) == kList; }
  // The cells of a word's bytes, or four copies of the word's own.
  ByteCells bytes(std::uint64_t address) const;
  // Stores them. Entries of intervals before `stale` may be dropped.
  void keep_bytes(std::uint64_t address, const ByteCells& bytes, Interval stale);

  // The entry beside a word's cell; only where there are such.
  Entry& beside(std::uint64_t address) { return more_[index(address)]; }
  bool has_beside() const { return more_ != nullptr; }

  Cell* cells() { return cells_; }
  std::uint64_t base() const { return base_; }
  // Words whose byte cells did not fit in their place.
  std::size_t exact_words() const { return exact_.size(); }

  static constexpr std::size_t kExactWords = std::size_t{1} << 17;

 private:
  static constexpr Entry kListBit = Entry{1} << 62;
  static constexpr Entry kList = kStrongBit | kListBit;

  std::uint64_t index(std::uint64_t address) const { return (address - base_) >> 2; }
  bool write_list(std::uint64_t index, const ByteCells& bytes, Interval stale, bool whatever_fits);
  ByteCells read_list(std::uint64_t index) const;

  Cell* cells_;
  std::uint64_t base_;
  std::uint64_t size_;
  Entry* more_;
  std::unordered_map<std::uint64_t, ByteCells> exact_;
};

}  // namespace weakspot::race
