// SPDX-License-Identifier: MIT
// The directions of sequences of Sobol, which the host makes when it is first asked for them.
#pragma once

#include <weakspot/random.h>

enum curandDirectionVectorSet { CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
                                CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102,
                                CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103,
                                CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 = 104 };
typedef curandDirectionVectorSet curandDirectionVectorSet_t;

namespace __ws_random {

// Polynomials over the numbers 0 and 1: bit i is the coefficient of x^i.
inline unsigned long long product(unsigned long long a, unsigned long long b, unsigned long long modulo, int degree) {
  unsigned long long sum = 0;
  for (; b != 0; b >>= 1) {
    if ((b & 1) != 0) sum ^= a;
    a <<= 1;
    if ((a >> degree & 1) != 0) a ^= modulo;
  }
  return sum;
}
inline unsigned long long power_of_x(unsigned long long exponent, unsigned long long modulo, int degree) {
  unsigned long long result = 1, square = degree == 1 ? 1 : 2;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, square, modulo, degree);
    square = product(square, square, modulo, degree);
  }
  return result;
}
// Whether the powers of x are all polynomials of smaller degree but 0.
inline bool is_primitive(unsigned long long polynomial, int degree) {
  const unsigned long long order = (1ull << degree) - 1;
  if (power_of_x(order, polynomial, degree) != 1) return false;
  unsigned long long rest = order;
  for (unsigned long long prime = 2; prime * prime <= rest; ++prime) {
    if (rest % prime != 0) continue;
    while (rest % prime == 0) rest /= prime;
    if (power_of_x(order / prime, polynomial, degree) == 1) return false;
  }
  return rest == 1 || rest == order || power_of_x(order / rest, polynomial, degree) != 1;
}

// The first numbers of a dimension, of which number i is odd and smaller than 2^i.
inline unsigned long long first_number(int dimension, int i) {
  constexpr unsigned char kNumbers[][5] = {{1},          {1, 3},        {1, 3, 1},        {1, 1, 1},
                                           {1, 1, 3, 3}, {1, 3, 5, 13}, {1, 1, 5, 5, 17}, {1, 1, 5, 5, 5},
                                           {1, 1, 7, 11, 19}, {1, 1, 5, 1, 1}, {1, 1, 1, 3, 11}, {1, 3, 5, 5, 31}};
  constexpr int kKnown = sizeof kNumbers / sizeof kNumbers[0];
  if (dimension <= kKnown) return kNumbers[dimension - 1][i - 1];
  return (mixed(dimension * 64ull + i) | 1) & ((1ull << i) - 1);
}

// The directions of all dimensions, one after the other. All primitive polynomials of the degrees up to kHighest are used
// in turn: to look for those of higher ones takes seconds in a program without optimisation.
template <typename Word, int Bits>
const Word* make_directions() {
  constexpr int kHighest = 13;
  Word* all = (Word*)malloc(sizeof(Word) * Bits * kSobolDimensions);
  for (int i = 0; i < Bits; ++i) all[i] = (Word)1 << (Bits - 1 - i);
  static unsigned short inner_of[1200];
  static unsigned char degree_of[1200];
  int polynomials = 0;
  for (int degree = 1; degree <= kHighest; ++degree) {
    for (unsigned int inner = 0; inner < 1u << (degree - 1); ++inner) {
      if (!is_primitive(1ull << degree | inner << 1 | 1, degree)) continue;
      inner_of[polynomials] = (unsigned short)inner;
      degree_of[polynomials++] = (unsigned char)degree;
    }
  }
  for (int dimension = 1; dimension < kSobolDimensions; ++dimension) {
    const int which = (dimension - 1) % polynomials, degree = degree_of[which];
    Word* v = all + (size_t)dimension * Bits;
    for (int i = 0; i < degree; ++i) v[i] = (Word)first_number(dimension, i + 1) << (Bits - 1 - i);
    for (int i = degree; i < Bits; ++i) {
      v[i] = v[i - degree] ^ (v[i - degree] >> degree);
      for (int k = 1; k < degree; ++k) {
        if ((inner_of[which] >> (degree - 1 - k) & 1) != 0) v[i] ^= v[i - k];
      }
    }
  }
  return all;
}
template <typename Word, int Bits>
const Word* directions() {
  static const Word* const all = make_directions<Word, Bits>();
  return all;
}
template <typename Word>
Word* make_scrambled() {
  Word* all = (Word*)malloc(sizeof(Word) * kSobolDimensions);
  for (int i = 0; i < kSobolDimensions; ++i) all[i] = (Word)mixed(i + 1);
  return all;
}
template <typename Word>
Word* scrambled() {
  static Word* const all = make_scrambled<Word>();
  return all;
}

}  // namespace __ws_random

inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t* vectors[], curandDirectionVectorSet_t set) {
  if (set > CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors32_t*)__ws_random::directions<unsigned int, 32>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t* vectors[], curandDirectionVectorSet_t set) {
  if (set < CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  *vectors = (curandDirectionVectors64_t*)__ws_random::directions<unsigned long long, 64>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants32(unsigned int** constants) {
  *constants = __ws_random::scrambled<unsigned int>();
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetScrambleConstants64(unsigned long long** constants) {
  *constants = __ws_random::scrambled<unsigned long long>();
  return CURAND_STATUS_SUCCESS;
}
