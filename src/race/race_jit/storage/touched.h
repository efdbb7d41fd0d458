// SPDX-License-Identifier: MIT
// The allocations that a machine has accessed in a launch, and how. Blocks that ran at the same time on several
// machines were independent of each other if no word that one machine wrote was accessed by another, and if atomic
// updates whose results nobody looks at were of one kind.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "race/shadow.h"

namespace weakspot::race_jit {

// A set of kinds of access: plain reads, writes, and a bit for each kind of update.
using TouchBits = std::uint32_t;
inline constexpr TouchBits kTouchRead = 1, kTouchWrite = 2;

// The bit of an atomic update, of an AtomicOperation, which leaves the same memory in any order; 0 if it does not.
TouchBits update_bit(int operation, unsigned size);

class Touched {
 public:
  void clear() {
    all_.clear();
    last_ = 0;
  }
  // The kinds that are new. Allocations are named by where they begin.
  TouchBits add(std::uint64_t begin, TouchBits bits) {
    if (begin == last_ && (bits & ~last_bits_) == 0) return 0;
    TouchBits& known = all_[begin];
    const TouchBits fresh = bits & ~known;
    known |= bits;
    last_ = begin;
    last_bits_ = known;
    return fresh;
  }
  const std::map<std::uint64_t, TouchBits>& all() const { return all_; }

 private:
  std::map<std::uint64_t, TouchBits> all_;
  std::uint64_t last_ = 0;  // no allocation begins there
  TouchBits last_bits_ = 0;
};

// The comparison that an allocation needs if several machines touched it in these ways together.
enum class Compare { nothing, words, is_dependent };
Compare how_to_compare(TouchBits bits);

// Whether the shadows show a word that one of them saw written, and another accessed, since the interval `first`.
bool share_written_word(const std::vector<race::Shadow*>& shadows, std::uint64_t address, std::uint64_t size,
                        race::Interval first);

}  // namespace weakspot::race_jit
