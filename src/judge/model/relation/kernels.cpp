// SPDX-License-Identifier: MIT
#include "model/relation/kernels.h"

#include <array>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")  // -O2 leaves these loops half vectorised, which costs a factor of two
#endif

namespace weakspot::model::kernels {
namespace {

// For relations of up to 32 events with many pairs: the rows of `b` in groups of four, every union of a group looked up
// instead of computed ("four Russians"). Costs the same for every `a`, where the plain loop costs a step per pair.
void compose_by_tables(Word* dst, const Word* a, const Word* b, std::size_t n) {
  constexpr std::size_t kGroups = 8;
  std::array<std::uint32_t, 4 * kGroups> rows{};
  for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint32_t>(b[i]);
  std::array<std::array<std::uint32_t, 16>, kGroups> unions;
  for (std::size_t group = 0; group < kGroups; ++group) {
    const std::uint32_t* const row = rows.data() + 4 * group;
    std::uint32_t* const table = unions[group].data();
    table[0] = 0;
    table[1] = row[0];
    for (std::size_t k = 0; k < 2; ++k) table[2 + k] = table[k] | row[1];
    for (std::size_t k = 0; k < 4; ++k) table[4 + k] = table[k] | row[2];
    for (std::size_t k = 0; k < 8; ++k) table[8 + k] = table[k] | row[3];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = static_cast<std::uint32_t>(a[i]);
    dst[i] = (unions[0][bits & 15] | unions[1][bits >> 4 & 15]) |
             (unions[2][bits >> 8 & 15] | unions[3][bits >> 12 & 15]) |
             (unions[4][bits >> 16 & 15] | unions[5][bits >> 20 & 15]) |
             (unions[6][bits >> 24 & 15] | unions[7][bits >> 28]);
  }
}

// Warshall's algorithm with the whole relation in narrow lanes, so that one instruction handles many rows.
template <typename Lane, std::size_t N>
void close_in_lanes(Word* a, std::size_t n) {
  std::array<Lane, N> rows{};
  for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<Lane>(a[i]);
  for (std::size_t k = 0; k < n; ++k) {
    const Lane through = rows[k];
    if (through == 0) continue;
    const auto bit = static_cast<Lane>(Lane{1} << k);
    for (std::size_t i = 0; i < N; ++i) {
      rows[i] = static_cast<Lane>(rows[i] | ((rows[i] & bit) != 0 ? through : Lane{0}));
    }
  }
  for (std::size_t i = 0; i < n; ++i) a[i] = rows[i];
}

// 65 to 128 events: a row stays in two registers.
void compose_two_words(Word* dst, const Word* a, const Word* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    Word low = 0;
    Word high = 0;
    for (std::size_t k = 0; k < 2; ++k) {
      const Word* const rows = b + 2 * kBits * k;
      for (Word bits = a[2 * i + k]; bits != 0; bits &= bits - 1) {
        const auto j = static_cast<std::size_t>(std::countr_zero(bits));
        low |= rows[2 * j];
        high |= rows[2 * j + 1];
      }
    }
    dst[2 * i] = low;
    dst[2 * i + 1] = high;
  }
}

void close_two_words(Word* a, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    const Word low = a[2 * k];
    const Word high = a[2 * k + 1];
    if ((low | high) == 0) continue;
    const Word* const column = a + k / kBits;
    for (std::size_t i = 0; i < n; ++i) {
      const Word through = Word{0} - (column[2 * i] >> (k % kBits) & 1);
      a[2 * i] |= low & through;
      a[2 * i + 1] |= high & through;
    }
  }
}

// After a pass over `n` rows of `w` words, which takes about a microsecond per thousand words.
bool give_up(Allowance* allowance, std::size_t n, std::size_t w) {
  return allowance != nullptr && allowance->spend(1 + n * w / 1024);
}

bool is_acyclic_one_word(const Word* a, std::size_t n) {
  // Removes events without successors until none is left. Events come in program order, so going backwards usually
  // takes few rounds.
  Word alive = valid_bits(n, 0);
  while (alive != 0) {
    const Word before = alive;
    for (std::size_t i = n; i-- > 0;) {
      if ((a[i] & alive) == 0) alive &= ~(Word{1} << i);
    }
    if (alive == before) return false;
  }
  return true;
}

}  // namespace

void compose(Word* dst, const Word* a, const Word* b, std::size_t n, std::size_t w, Allowance* allowance) {
  if (w == 1) {
    if (n <= 32 && n >= 16 && population(a, n) > 3 * n) return compose_by_tables(dst, a, b, n);
    for (std::size_t i = 0; i < n; ++i) {
      Word row = 0;
      for (Word bits = a[i]; bits != 0; bits &= bits - 1) row |= b[std::countr_zero(bits)];
      dst[i] = row;
    }
    return;
  }
  if (w == 2) return compose_two_words(dst, a, b, n);
  fill_zero(dst, n * w);
  for (std::size_t i = 0; i < n && !give_up(allowance, n, w); ++i) {
    for_each_bit(a + i * w, w, [&](std::size_t j) { unite(dst + i * w, dst + i * w, b + j * w, w); });
  }
}

void close(Word* a, std::size_t n, std::size_t w, Allowance* allowance) {
  if (n <= 16) return close_in_lanes<std::uint16_t, 16>(a, n);
  if (n <= 32) return close_in_lanes<std::uint32_t, 32>(a, n);
  if (n <= 64) return close_in_lanes<std::uint64_t, 64>(a, n);
  if (w == 2) return close_two_words(a, n);
  for (std::size_t k = 0; k < n && !give_up(allowance, n, w); ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      if (test(a + i * w, k)) unite(a + i * w, a + i * w, a + k * w, w);
    }
  }
}

bool is_irreflexive(const Word* a, std::size_t n, std::size_t w) {
  for (std::size_t i = 0; i < n; ++i) {
    if (test(a + i * w, i)) return false;
  }
  return true;
}

bool is_acyclic(const Word* a, std::size_t n, std::size_t w, Allowance* allowance) {
  if (w <= 1) return is_acyclic_one_word(a, n);
  std::vector<Word> alive(w);
  for (std::size_t k = 0; k < w; ++k) alive[k] = valid_bits(n, k);
  while (!is_zero(alive.data(), w) && !give_up(allowance, n, w)) {
    bool changed = false;
    for (std::size_t i = n; i-- > 0;) {
      if (!test(alive.data(), i)) continue;
      Word left = 0;
      for (std::size_t k = 0; k < w; ++k) left |= a[i * w + k] & alive[k];
      if (left != 0) continue;
      reset(alive.data(), i);
      changed = true;
    }
    if (!changed) return false;
  }
  return true;
}

}  // namespace weakspot::model::kernels
