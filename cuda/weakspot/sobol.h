// SPDX-License-Identifier: MIT
// Sequences of Sobol: points that fill a cube of many dimensions evenly. Polynomials and first numbers of the first
// dimensions are those of Joe and Kuo (2008), which the library uses as well; the first numbers of later ones are ours,
// and polynomials come again after 1,110 dimensions, so that the points are others there. Each dimension by itself is as
// even as the library's.
#pragma once

#define __WS_SOBOL __attribute__((host)) __attribute__((device)) __forceinline__

namespace __ws_random {

inline constexpr int kSobolDimensions = 20000;

// The bits that the sequence changes when it goes on from this index: all but the lowest 0 are 0.
__WS_SOBOL int lowest_zero(unsigned long long index) {
  int bit = 0;
  for (; (index & 1) != 0; index >>= 1) ++bit;
  return bit;
}

// The point at an index: the directions of the bits of its Gray code.
template <typename Word>
__WS_SOBOL Word sobol_at(unsigned long long index, const Word* directions, int bits) {
  Word x = 0;
  unsigned long long gray = index ^ (index >> 1);
  for (int bit = 0; gray != 0 && bit < bits; gray >>= 1, ++bit) {
    if ((gray & 1) != 0) x ^= directions[bit];
  }
  return x;
}

// The inverse of the normal distribution: an approximation with an error of 0.003, and two steps of Halley's method.
__WS_SOBOL double inverse_normal(double p) {
  const double tail = sqrt(-2.0 * log(p < 0.5 ? p : 1.0 - p));
  double x = tail - (2.30753 + 0.27061 * tail) / (1.0 + tail * (0.99229 + tail * 0.04481));
  if (p < 0.5) x = -x;
  for (int i = 0; i < 2; ++i) {
    const double error = 0.5 * erfc(-x * 0.70710678118654752) - p;
    const double step = error * 2.50662827463100050 * exp(0.5 * x * x);
    x -= step / (1.0 + 0.5 * x * step);
  }
  return x;
}

}  // namespace __ws_random

typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];

#define __WS_SOBOL_STATE(name, Word, bits) \
  struct name {                            \
    unsigned int i;                        \
    Word x, c;                             \
    Word direction_vectors[bits];          \
  };                                       \
  typedef name name##_t;
#define __WS_SOBOL_STATE64(name)             \
  struct name {                              \
    unsigned long long i, x, c;              \
    unsigned long long direction_vectors[64]; \
  };                                         \
  typedef name name##_t;
__WS_SOBOL_STATE(curandStateSobol32, unsigned int, 32)
__WS_SOBOL_STATE(curandStateScrambledSobol32, unsigned int, 32)
__WS_SOBOL_STATE64(curandStateSobol64)
__WS_SOBOL_STATE64(curandStateScrambledSobol64)
#undef __WS_SOBOL_STATE64
#undef __WS_SOBOL_STATE

#define __WS_SOBOL_OF(State, Word, bits)                                                                             \
  __WS_SOBOL Word curand(State* state) {                                                                             \
    const Word value = state->x;                                                                                     \
    const int bit = __ws_random::lowest_zero(state->i);                                                              \
    if (bit < bits) state->x ^= state->direction_vectors[bit];                                                       \
    ++state->i;                                                                                                      \
    return value;                                                                                                    \
  }                                                                                                                  \
  template <typename N> __WS_SOBOL void skipahead(N n, State* state) {                                               \
    state->i += n;                                                                                                   \
    state->x = state->c ^ __ws_random::sobol_at<Word>(state->i, state->direction_vectors, bits);                     \
  }                                                                                                                  \
  __WS_SOBOL float curand_uniform(State* state) {                                                                    \
    return __ws_random::uniform((unsigned int)(curand(state) >> (bits - 32)));                                       \
  }                                                                                                                  \
  __WS_SOBOL double curand_uniform_double(State* state) {                                                            \
    const unsigned long long value = (unsigned long long)curand(state) << (64 - bits);                               \
    return (double)(value >> 11) * 1.1102230246251565e-16 + (bits == 32 ? 1.1641532182693482e-10 : 5.551115123125783e-17); \
  }                                                                                                                  \
  /* One number makes one: pairs of numbers of a sequence are no points. */                                          \
  __WS_SOBOL double curand_normal_double(State* state) {                                                             \
    return __ws_random::inverse_normal(curand_uniform_double(state));                                                \
  }                                                                                                                  \
  __WS_SOBOL float curand_normal(State* state) { return (float)curand_normal_double(state); }
__WS_SOBOL_OF(curandStateSobol32, unsigned int, 32)
__WS_SOBOL_OF(curandStateScrambledSobol32, unsigned int, 32)
__WS_SOBOL_OF(curandStateSobol64, unsigned long long, 64)
__WS_SOBOL_OF(curandStateScrambledSobol64, unsigned long long, 64)
#undef __WS_SOBOL_OF

namespace __ws_random {
template <typename State, typename Word, typename N>
__WS_SOBOL void start(State* state, const Word* directions, int bits, Word scrambled, N offset) {
  for (int i = 0; i < bits; ++i) state->direction_vectors[i] = directions[i];
  state->i = 0;
  state->x = state->c = scrambled;
  skipahead(offset, state);
}
}  // namespace __ws_random

__WS_SOBOL void curand_init(const unsigned int* directions, unsigned int offset, curandStateSobol32_t* state) {
  __ws_random::start(state, directions, 32, 0u, offset);
}
__WS_SOBOL void curand_init(const unsigned int* directions, unsigned int scrambled, unsigned int offset,
                            curandStateScrambledSobol32_t* state) {
  __ws_random::start(state, directions, 32, scrambled, offset);
}
__WS_SOBOL void curand_init(const unsigned long long* directions, unsigned long long offset,
                            curandStateSobol64_t* state) {
  __ws_random::start(state, directions, 64, 0ull, offset);
}
__WS_SOBOL void curand_init(const unsigned long long* directions, unsigned long long scrambled,
                            unsigned long long offset, curandStateScrambledSobol64_t* state) {
  __ws_random::start(state, directions, 64, scrambled, offset);
}
#undef __WS_SOBOL
