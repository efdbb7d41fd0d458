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
                     CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200 };
typedef curandRngType curandRngType_t;
enum curandOrdering { CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT = 101 };
typedef curandOrdering curandOrdering_t;

struct curandGenerator_st {
  unsigned long long seed, offset;
  curandStateXORWOW_t state;
  cudaStream_t stream;
};
typedef curandGenerator_st* curandGenerator_t;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t) {
  *generator = new curandGenerator_st();
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
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) { return CURAND_STATUS_SUCCESS; }
inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

#define __WS_GENERATE(name, type, expression, ...)                                                    \
  inline curandStatus_t name(curandGenerator_t generator, type* out, size_t n, ##__VA_ARGS__) {       \
    type* made = (type*)malloc(n * sizeof(type));                                                     \
    for (size_t i = 0; i < n; ++i) made[i] = (type)(expression);                                      \
    const cudaError_t copied = cudaMemcpyAsync(out, made, n * sizeof(type), cudaMemcpyDefault, generator->stream); \
    free(made);                                                                                       \
    return copied == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;                \
  }
__WS_GENERATE(curandGenerate, unsigned int, curand(&generator->state))
__WS_GENERATE(curandGenerateUniform, float, curand_uniform(&generator->state))
__WS_GENERATE(curandGenerateUniformDouble, double, curand_uniform_double(&generator->state))
__WS_GENERATE(curandGenerateNormal, float, mean + deviation * curand_normal(&generator->state), float mean,
              float deviation)
__WS_GENERATE(curandGenerateNormalDouble, double, mean + deviation * curand_normal_double(&generator->state), double mean,
              double deviation)
__WS_GENERATE(curandGenerateLogNormal, float, curand_log_normal(&generator->state, mean, deviation), float mean,
              float deviation)
__WS_GENERATE(curandGeneratePoisson, unsigned int, curand_poisson(&generator->state, lambda), double lambda)
#undef __WS_GENERATE
