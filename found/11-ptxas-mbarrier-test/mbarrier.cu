// SPDX-License-Identifier: MIT
// A bulk copy fills shared memory and completes the phase of an mbarrier. Every thread tests the phase once, at a
// random moment, and loads its word behind the test. Behind a test that says yes, the load must see the copy.
// Compile with -DBRANCH to branch on the answer before the load, with -DFENCE for a relaxed test and a fence.
#include <cstdint>
#include <cstdio>

constexpr int THREADS = 1024;
constexpr int ROUNDS = 1000;

__device__ uint32_t shared_address(const void* pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

struct Seen {
  uint32_t over;   // the phase, as the test says
  uint32_t value;  // the word
};

__device__ Seen test_and_load(uint32_t barrier, uint32_t parity, uint32_t word) {
  Seen seen;
  asm volatile(
      "{\n"
      "  .reg .pred over;\n"
      "  mov.u32 %1, 1;\n"
#ifdef FENCE
      "  mbarrier.test_wait.parity.relaxed.cta.shared::cta.b64 over, [%2], %3;\n"
      "  fence.acq_rel.cta;\n"
#else
      "  mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 over, [%2], %3;\n"
#endif
#ifdef BRANCH
      "  @!over bra skip;\n"
#endif
      "  ld.shared.u32 %1, [%4];\n"
#ifdef BRANCH
      "skip:\n"
#endif
      "  selp.u32 %0, 1, 0, over;\n"
      "}\n"
      : "=&r"(seen.over), "=&r"(seen.value)
      : "r"(barrier), "r"(parity), "r"(word)
      : "memory");
  return seen;
}

__global__ void load(const uint32_t* ones, unsigned long long* counts) {
  __shared__ alignas(128) uint32_t words[THREADS];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t at = shared_address(&barrier), own = shared_address(&words[threadIdx.x]);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  unsigned long long over = 0, missed = 0;
  uint32_t random = blockIdx.x * THREADS + threadIdx.x + 1;
  for (int round = 0; round < ROUNDS; ++round) {
    words[threadIdx.x] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(THREADS * 4) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       shared_address(words)),
                   "l"(ones), "r"(THREADS * 4), "r"(at)
                   : "memory");
    }
    random = random * 1664525u + 1013904223u;
    const long long until = clock64() + (random >> 21);
    while (clock64() < until) {
    }
    const Seen seen = test_and_load(at, round & 1, own);
    over += seen.over;
    missed += seen.over && seen.value == 0;
    asm volatile(
        "{\n"
        "  .reg .pred over;\n"
        "again:\n"
        "  mbarrier.try_wait.parity.shared::cta.b64 over, [%0], %1;\n"
        "  @!over bra again;\n"
        "}\n" ::"r"(at),
        "r"(round & 1)
        : "memory");
    __syncthreads();
  }
  atomicAdd(&counts[0], over);
  atomicAdd(&counts[1], missed);
}

int main() {
  if (cudaFree(nullptr) != cudaSuccess) {
    puts("no CUDA device");
    return 3;
  }
  uint32_t* ones;
  unsigned long long* counts;
  cudaMallocManaged(&ones, THREADS * sizeof(uint32_t));
  cudaMallocManaged(&counts, 2 * sizeof(unsigned long long));
  for (int i = 0; i < THREADS; ++i) ones[i] = 1;
  counts[0] = counts[1] = 0;
  load<<<264, THREADS>>>(ones, counts);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 3;
  }
  printf("%llu of %llu loads behind a test that said yes missed the copy\n", counts[1], counts[0]);
  return counts[1] != 0;
}
