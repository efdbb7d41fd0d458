// SPDX-License-Identifier: MIT
// The loops under sets and relations, on bare words: `n` events, `w` words per row, row i at `a + i * w`. Up to 64
// events a row is one word. Most of the time of every verdict is spent in these loops.
//
// Unused bits (columns from n on) are zero in every argument and stay zero in every result.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "model/budget/allowance.h"

namespace weakspot::model::kernels {

using Word = std::uint64_t;

inline constexpr std::size_t kBits = 64;

inline std::size_t words_for(std::size_t n) { return (n + kBits - 1) / kBits; }
// The bits of word `k` of a row that stand for events.
inline Word valid_bits(std::size_t n, std::size_t k) {
  const std::size_t left = n - k * kBits;
  return left >= kBits ? ~Word{0} : (Word{1} << left) - 1;
}

inline void fill_zero(Word* dst, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) dst[i] = 0;
}
inline void copy(Word* dst, const Word* a, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) dst[i] = a[i];
}
inline void unite(Word* dst, const Word* a, const Word* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) dst[i] = a[i] | b[i];
}
inline void intersect(Word* dst, const Word* a, const Word* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) dst[i] = a[i] & b[i];
}
inline void subtract(Word* dst, const Word* a, const Word* b, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) dst[i] = a[i] & ~b[i];
}
inline bool is_zero(const Word* a, std::size_t count) {
  Word any = 0;
  for (std::size_t i = 0; i < count; ++i) any |= a[i];
  return any == 0;
}
inline bool equal(const Word* a, const Word* b, std::size_t count) {
  Word difference = 0;
  for (std::size_t i = 0; i < count; ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}
// dst = a; whether that changes it.
inline bool replace(Word* dst, const Word* a, std::size_t count) {
  Word difference = 0;
  for (std::size_t i = 0; i < count; ++i) {
    difference |= dst[i] ^ a[i];
    dst[i] = a[i];
  }
  return difference != 0;
}
inline std::size_t population(const Word* a, std::size_t count) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += static_cast<std::size_t>(std::popcount(a[i]));
  return total;
}
inline bool test(const Word* row, std::size_t column) { return (row[column / kBits] >> (column % kBits) & 1) != 0; }
inline void set(Word* row, std::size_t column) { row[column / kBits] |= Word{1} << (column % kBits); }
inline void reset(Word* row, std::size_t column) { row[column / kBits] &= ~(Word{1} << (column % kBits)); }

template <typename Visit>
void for_each_bit(const Word* row, std::size_t w, Visit&& visit) {
  for (std::size_t k = 0; k < w; ++k) {
    for (Word bits = row[k]; bits != 0; bits &= bits - 1) {
      visit(k * kBits + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
}

// dst = complement of a set (n bits).
inline void complement_set(Word* dst, const Word* a, std::size_t n, std::size_t w) {
  for (std::size_t k = 0; k < w; ++k) dst[k] = ~a[k] & valid_bits(n, k);
}
inline void complement(Word* dst, const Word* a, std::size_t n, std::size_t w) {
  for (std::size_t i = 0; i < n; ++i) complement_set(dst + i * w, a + i * w, n, w);
}
inline void add_identity(Word* dst, std::size_t n, std::size_t w) {
  for (std::size_t i = 0; i < n; ++i) set(dst + i * w, i);
}
inline void identity_on(Word* dst, const Word* on, std::size_t n, std::size_t w) {
  fill_zero(dst, n * w);
  for_each_bit(on, w, [&](std::size_t i) { set(dst + i * w, i); });
}
inline void product(Word* dst, const Word* from, const Word* to, std::size_t n, std::size_t w) {
  for (std::size_t i = 0; i < n; ++i) {
    const Word mask = test(from, i) ? ~Word{0} : 0;
    for (std::size_t k = 0; k < w; ++k) dst[i * w + k] = to[k] & mask;
  }
}
// dst = pairs of a from `from` (any if null) to `to` (any if null). May work in place.
inline void restrict_to(Word* dst, const Word* a, const Word* from, const Word* to, std::size_t n, std::size_t w) {
  for (std::size_t i = 0; i < n; ++i) {
    const Word mask = from == nullptr || test(from, i) ? ~Word{0} : 0;
    for (std::size_t k = 0; k < w; ++k) dst[i * w + k] = a[i * w + k] & mask & (to == nullptr ? ~Word{0} : to[k]);
  }
}
inline void domain(Word* dst, const Word* a, std::size_t n, std::size_t w) {
  fill_zero(dst, w);
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_zero(a + i * w, w)) set(dst, i);
  }
}
inline void range(Word* dst, const Word* a, std::size_t n, std::size_t w) {
  fill_zero(dst, w);
  for (std::size_t i = 0; i < n; ++i) unite(dst, dst, a + i * w, w);
}
inline void inverse(Word* dst, const Word* a, std::size_t n, std::size_t w) {
  fill_zero(dst, n * w);
  for (std::size_t i = 0; i < n; ++i) {
    for_each_bit(a + i * w, w, [&](std::size_t j) { set(dst + j * w, i); });
  }
}

// compose, close and is_acyclic take long for thousands of events. If the allowance is used up, they return early, and
// the result means nothing.
//
// dst = a ; b. dst must be neither of them.
void compose(Word* dst, const Word* a, const Word* b, std::size_t n, std::size_t w, Allowance* allowance = nullptr);
// Transitive closure, in place.
void close(Word* a, std::size_t n, std::size_t w, Allowance* allowance = nullptr);
bool is_acyclic(const Word* a, std::size_t n, std::size_t w, Allowance* allowance = nullptr);

bool is_irreflexive(const Word* a, std::size_t n, std::size_t w);

}  // namespace weakspot::model::kernels
