// SPDX-License-Identifier: MIT
// Generators of random numbers for kernels; see curand_kernel.h.
#pragma once
#pragma GCC system_header  // other compilers do not know its attributes

#include "plain.h"

#define __WS_RANDOM __attribute__((host)) __attribute__((device)) __forceinline__

namespace __ws_random {

// Spreads the bits of a number over all of the result.
__WS_RANDOM unsigned long long mixed(unsigned long long x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// In (0, 1].
__WS_RANDOM float uniform(unsigned int bits) { return (float)bits * 2.3283064365386963e-10f + 1.1641532182693482e-10f; }
__WS_RANDOM double uniform_double(unsigned int high, unsigned int low) {
  const unsigned long long bits = ((unsigned long long)high << 21) ^ (low >> 11);
  return (double)bits * 1.1102230246251565e-16 + 5.551115123125783e-17;
}

}  // namespace __ws_random

// Marsaglia's xorwow.
struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
// A counter, and rounds of multiplications over it.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
// L'Ecuyer's combination of two recurrences.
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
// One state for the threads of a block, at most 256, which all call at the same time.
struct curandStateMtgp32 {
  unsigned int s[1024];
  int offset;
};

typedef curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateMtgp32 curandStateMtgp32_t;

__WS_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  const unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}

__WS_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStateXORWOW_t* state) {
  unsigned long long x = __ws_random::mixed(seed) ^ __ws_random::mixed(sequence * 2 + 1);
  for (int i = 0; i < 5; ++i) {
    x = __ws_random::mixed(x);
    state->v[i] = (unsigned int)x | (i == 0);  // not all zero
  }
  state->d = (unsigned int)(x >> 32);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  for (unsigned long long i = 0; i < offset && i < 4096; ++i) curand(state);
  state->d += (unsigned int)(offset >> 12);
}

namespace __ws_random {
__WS_RANDOM uint4 philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = (unsigned long long)c.x * 0xd2511f53u, b = (unsigned long long)c.z * 0xcd9e8d57u;
    c = {(unsigned int)(b >> 32) ^ c.y ^ k.x, (unsigned int)b, (unsigned int)(a >> 32) ^ c.w ^ k.y, (unsigned int)a};
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
__WS_RANDOM void advance(curandStatePhilox4_32_10_t* state) {
  if (++state->ctr.x == 0 && ++state->ctr.y == 0 && ++state->ctr.z == 0) ++state->ctr.w;
  state->output = philox(state->ctr, state->key);
}
}  // namespace __ws_random

__WS_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStatePhilox4_32_10_t* state) {
  const unsigned long long block = offset / 4;
  state->key = {(unsigned int)seed, (unsigned int)(seed >> 32)};
  state->ctr = {(unsigned int)block, (unsigned int)(block >> 32), (unsigned int)sequence,
                (unsigned int)(sequence >> 32)};
  state->STATE = (unsigned int)(offset % 4);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
  state->output = __ws_random::philox(state->ctr, state->key);
}
__WS_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int at = state->STATE;
  const unsigned int value = at == 0   ? state->output.x
                             : at == 1 ? state->output.y
                             : at == 2 ? state->output.z
                                       : state->output.w;
  state->STATE = (at + 1) % 4;
  if (at == 3) __ws_random::advance(state);
  return value;
}
__WS_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 four;
  four.x = curand(state);
  four.y = curand(state);
  four.z = curand(state);
  four.w = curand(state);
  return four;
}

__WS_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  const long long m1 = 4294967087ll, m2 = 4294944443ll;
  long long a = (1403580ll * state->s1[1] - 810728ll * state->s1[0]) % m1;
  long long b = (527612ll * state->s2[2] - 1370589ll * state->s2[0]) % m2;
  if (a < 0) a += m1;
  if (b < 0) b += m2;
  state->s1[0] = state->s1[1];
  state->s1[1] = state->s1[2];
  state->s1[2] = (unsigned int)a;
  state->s2[0] = state->s2[1];
  state->s2[1] = state->s2[2];
  state->s2[2] = (unsigned int)b;
  return (unsigned int)(a > b ? a - b : a - b + m1);
}
__WS_RANDOM void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStateMRG32k3a_t* state) {
  unsigned long long x = __ws_random::mixed(seed) ^ __ws_random::mixed(sequence * 2 + 1) ^ (offset << 20);
  for (int i = 0; i < 3; ++i) {
    x = __ws_random::mixed(x);
    state->s1[i] = (unsigned int)(x % 4294967086ull) + 1;
    state->s2[i] = (unsigned int)((x >> 32) % 4294944442ull) + 1;
  }
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0.0f;
  state->boxmuller_extra_double = 0.0;
}

#if defined(__CUDA__) || defined(__HIP__)
// Each thread of the block makes one step of the recurrence. Up to 256 threads read and write different elements; more
// threads would not.
__device__ __forceinline__ unsigned int curand(curandStateMtgp32_t* state) {
  const unsigned int threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned int at = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x + state->offset;
  const unsigned int near = state->s[(at + 1) & 1023], far = state->s[(at + 88) & 1023];
  unsigned int x = (state->s[at & 1023] & 0x80000000u) ^ near;
  x ^= x << 13;
  const unsigned int fresh = x ^ (far >> 7) ^ ((x & 1) != 0 ? 0x9908b0dfu : 0u);
  state->s[(at + 351) & 1023] = fresh;
  const unsigned int value = fresh ^ (fresh >> 11) ^ (state->s[(at + 87) & 1023] << 9);
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) state->offset = (int)((state->offset + threads) & 1023);
  __syncthreads();
  return value;
}
#endif

// The rest is the same for all generators.
#define __WS_SKIP(State)                                                                  \
  __WS_RANDOM void skipahead(unsigned long long n, State* state) {                        \
    for (unsigned long long i = 0; i < n && i < 65536; ++i) curand(state);                \
  }                                                                                       \
  __WS_RANDOM void skipahead_sequence(unsigned long long n, State* state) {               \
    curand_init(n ^ curand(state), n, 0, state);                                          \
  }
__WS_SKIP(curandStateXORWOW_t)
__WS_SKIP(curandStatePhilox4_32_10_t)
__WS_SKIP(curandStateMRG32k3a_t)
#undef __WS_SKIP

template <typename State> __WS_RANDOM float curand_uniform(State* state) { return __ws_random::uniform(curand(state)); }
template <typename State>
__WS_RANDOM double curand_uniform_double(State* state) {
  const unsigned int high = curand(state);
  return __ws_random::uniform_double(high, curand(state));
}
template <typename State>
__WS_RANDOM float2 curand_normal2(State* state) {
  const float length = sqrtf(-2.0f * logf(curand_uniform(state))), angle = 6.2831853071795865f * curand_uniform(state);
  return {length * sinf(angle), length * cosf(angle)};
}
template <typename State>
__WS_RANDOM double2 curand_normal2_double(State* state) {
  const double length = sqrt(-2.0 * log(curand_uniform_double(state)));
  const double angle = 6.2831853071795865 * curand_uniform_double(state);
  return {length * sin(angle), length * cos(angle)};
}
template <typename State>
__WS_RANDOM float curand_normal(State* state) {
  if (state->boxmuller_flag != 0) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 both = curand_normal2(state);
  state->boxmuller_extra = both.y;
  state->boxmuller_flag = 1;
  return both.x;
}
template <typename State>
__WS_RANDOM double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double != 0) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 both = curand_normal2_double(state);
  state->boxmuller_extra_double = both.y;
  state->boxmuller_flag_double = 1;
  return both.x;
}
#if defined(__CUDA__) || defined(__HIP__)
__device__ __forceinline__ float curand_normal(curandStateMtgp32_t* state) { return curand_normal2(state).x; }
__device__ __forceinline__ double curand_normal_double(curandStateMtgp32_t* state) {
  return curand_normal2_double(state).x;
}
#endif
template <typename State>
__WS_RANDOM float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <typename State>
__WS_RANDOM double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
template <typename State>
__WS_RANDOM unsigned int curand_poisson(State* state, double lambda) {
  if (lambda > 64.0) {
    const double near = lambda + sqrt(lambda) * curand_normal_double(state);
    return near < 0.0 ? 0u : (unsigned int)near;
  }
  const double least = exp(-lambda);
  unsigned int count = 0;
  for (double p = curand_uniform_double(state); p > least; p *= curand_uniform_double(state)) ++count;
  return count;
}
__WS_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 four = curand4(state);
  return {__ws_random::uniform(four.x), __ws_random::uniform(four.y), __ws_random::uniform(four.z),
          __ws_random::uniform(four.w)};
}
__WS_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 four = curand4(state);
  return {__ws_random::uniform_double(four.x, four.y), __ws_random::uniform_double(four.z, four.w)};
}
__WS_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}
#undef __WS_RANDOM

#include <weakspot/sobol.h>
