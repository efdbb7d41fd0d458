// SPDX-License-Identifier: MIT
// Generators of random numbers that the host calls; see curand.h. They write device memory as a copy would.
#pragma once
#include <weakspot/random.h>

enum curandStatus { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED = 101,
                    CURAND_STATUS_ALLOCATION_FAILED = 102, CURAND_STATUS_TYPE_ERROR = 103,
                    CURAND_STATUS_OUT_OF_RANGE = 104, CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
                    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106, CURAND_STATUS_LAUNCH_FAILURE = 201,
                    CURAND_STATUS_PREEXISTING_FAILURE = 202, CURAND_STATUS_INITIALIZATION_FAILED = 203,
                    CURAND_STATUS_ARCH_MISMATCH = 204, CURAND_STATUS_INTERNAL_ERROR = 999 };
typedef curandStatus curandStatus_t;
enum curandRngType { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121,
                     CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142,
                     CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200,
                     CURAND_RNG_QUASI_SOBOL32 = 201, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
                     CURAND_RNG_QUASI_SOBOL64 = 203, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204 };
typedef curandRngType curandRngType_t;
enum curandOrdering { CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT = 101,
                      CURAND_ORDERING_PSEUDO_SEEDED = 102, CURAND_ORDERING_PSEUDO_LEGACY = 103,
                      CURAND_ORDERING_QUASI_DEFAULT = 201 };
typedef curandOrdering curandOrdering_t;

#include <weakspot/sobol_host.h>

struct curandGenerator_st {
  curandRngType_t type;
  unsigned int dimensions;  // of a sequence of Sobol
  unsigned long long seed, offset;
  curandStateXORWOW_t state;
  cudaStream_t stream;
};
typedef curandGenerator_st* curandGenerator_t;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  *generator = new curandGenerator_st();
  (*generator)->type = type;
  (*generator)->dimensions = 1;
  curand_init(0, 0, 0, &(*generator)->state);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  return curandCreateGenerator(generator, type);
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  generator->seed = seed;
  curand_init(seed, 0, generator->offset, &generator->state);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  generator->offset = offset;
  curand_init(generator->seed, 0, offset, &generator->state);
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions) {
  if (generator->type < CURAND_RNG_QUASI_DEFAULT) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > (unsigned int)__ws_random::kSobolDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

namespace __ws_random {

// All numbers of the first dimension, then those of the next.
template <typename T, typename State, typename Word, typename Draw>
void fill_dimensions(curandGenerator_t generator, T* made, size_t n, const Word* directions, int bits, Word* constants,
                     Draw draw) {
  State state;
  const size_t points = n / generator->dimensions;
  for (unsigned int d = 0; d < generator->dimensions; ++d) {
    start(&state, directions + (size_t)d * bits, bits, constants == nullptr ? (Word)0 : constants[d], generator->offset);
    for (size_t i = 0; i < points; ++i) *made++ = (T)draw(&state);
  }
  generator->offset += points;
}

template <typename T, typename Draw>
curandStatus_t generate(curandGenerator_t generator, T* out, size_t n, Draw draw) {
  if (n % generator->dimensions != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  T* made = (T*)malloc(n * sizeof(T));
  switch (generator->type) {
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
      fill_dimensions<T, curandStateSobol32_t>(generator, made, n, directions<unsigned int, 32>(), 32,
                                               (unsigned int*)nullptr, draw);
      break;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
      fill_dimensions<T, curandStateScrambledSobol32_t>(generator, made, n, directions<unsigned int, 32>(), 32,
                                                        scrambled<unsigned int>(), draw);
      break;
    case CURAND_RNG_QUASI_SOBOL64:
      fill_dimensions<T, curandStateSobol64_t>(generator, made, n, directions<unsigned long long, 64>(), 64,
                                               (unsigned long long*)nullptr, draw);
      break;
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
      fill_dimensions<T, curandStateScrambledSobol64_t>(generator, made, n, directions<unsigned long long, 64>(), 64,
                                                        scrambled<unsigned long long>(), draw);
      break;
    default:
      for (size_t i = 0; i < n; ++i) made[i] = (T)draw(&generator->state);
  }
  const cudaError_t copied = cudaMemcpyAsync(out, made, n * sizeof(T), cudaMemcpyDefault, generator->stream);
  free(made);
  return copied == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}

}  // namespace __ws_random

#define __WS_GENERATE(name, type, Real, a, b, expression, ...)                                         \
  struct __ws_##name {                                                                                 \
    Real mean, deviation;                                                                              \
    template <typename State> type operator()(State* state) const { return (type)(expression); }       \
  };                                                                                                   \
  inline curandStatus_t name(curandGenerator_t generator, type* out, size_t n, ##__VA_ARGS__) {        \
    return __ws_random::generate(generator, out, n, __ws_##name{a, b});                                \
  }
__WS_GENERATE(curandGenerate, unsigned int, int, 0, 0, curand(state))
__WS_GENERATE(curandGenerateUniform, float, int, 0, 0, curand_uniform(state))
__WS_GENERATE(curandGenerateUniformDouble, double, int, 0, 0, curand_uniform_double(state))
__WS_GENERATE(curandGenerateNormal, float, float, mean, deviation, mean + deviation * curand_normal(state), float mean,
              float deviation)
__WS_GENERATE(curandGenerateNormalDouble, double, double, mean, deviation,
              mean + deviation * curand_normal_double(state), double mean, double deviation)
__WS_GENERATE(curandGenerateLogNormal, float, float, mean, deviation, curand_log_normal(state, mean, deviation),
              float mean, float deviation)
__WS_GENERATE(curandGenerateLogNormalDouble, double, double, mean, deviation,
              curand_log_normal_double(state, mean, deviation), double mean, double deviation)
__WS_GENERATE(curandGeneratePoisson, unsigned int, double, lambda, 0, curand_poisson(state, mean), double lambda)
__WS_GENERATE(__ws_generate_words, unsigned long long, int, 0, 0, curand(state))
#undef __WS_GENERATE

// Whole numbers of 64 bits come from sequences of Sobol alone.
inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* out, size_t n) {
  return generator->type < CURAND_RNG_QUASI_SOBOL64 ? CURAND_STATUS_TYPE_ERROR : __ws_generate_words(generator, out, n);
}
