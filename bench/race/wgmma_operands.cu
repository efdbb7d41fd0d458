// SPDX-License-Identifier: MIT
// Whether a product of a warpgroup sees its matrix without a proxy fence, for a GPU of sm_90a:
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -O2 -o wgmma_operands bench/race/wgmma_operands.cu && ./wgmma_operands
//
// In each round 128 threads fill a matrix with a number, meet at a barrier and multiply it by ones; a thread counts the
// results that belong to another round. The matrix is filled by cp.async, as pipelines of compilers do, or by stores.
#include <cuda_fp16.h>

#include <cstdio>

constexpr int kBytes = 4096;  // of a matrix, twice what the product reads
constexpr int kNumbers = 8;   // tiles in global memory, each full of its number

__device__ unsigned long long wrong[4];

__device__ unsigned long long described(unsigned address) {
  return (unsigned long long)(address >> 4 & 0x3fff) | (128ull >> 4) << 16 | (256ull >> 4) << 32;
}

template <bool kCopies, bool kFence>
__global__ void multiply(const uint4* tiles, int rounds, int variant) {
  __shared__ alignas(128) uint4 matrix[kBytes / 16], ones[kBytes / 16];
  const int t = threadIdx.x;
  const unsigned one = 0x3c003c00u;
  for (int i = t; i < kBytes / 16; i += 128) ones[i] = make_uint4(one, one, one, one);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned to = (unsigned)__cvta_generic_to_shared(matrix);
  const unsigned long long left = described(to), right = described((unsigned)__cvta_generic_to_shared(ones));
  unsigned long long mine = 0;
  for (int round = 0; round < rounds; ++round) {
    const int number = (round + blockIdx.x) % kNumbers;
    const uint4* tile = tiles + number * (kBytes / 16);
    for (int i = t; i < kBytes / 16; i += 128) {
      if (kCopies) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + i * 16), "l"(tile + i) : "memory");
      } else {
        matrix[i] = tile[i];
      }
    }
    if (kCopies) asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
    if (kFence) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.b32 p, 0, 0;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;\n"
        "wgmma.commit_group.sync.aligned;\n"
        "wgmma.wait_group.sync.aligned 0;\n}"
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "l"(left), "l"(right)
        : "memory");
    const float right_one = 16.0f * (number + 1);
    mine += (d0 != right_one) + (d1 != right_one) + (d2 != right_one) + (d3 != right_one);
    __syncthreads();
  }
  atomicAdd(&wrong[variant], mine);
}

int main(int count, char** words) {
  const int rounds = count > 1 ? atoi(words[1]) : 1000000;
  static half host[kNumbers][kBytes / 2];
  for (int n = 0; n < kNumbers; ++n) {
    for (half& one : host[n]) one = __float2half(float(n + 1));
  }
  uint4* tiles = nullptr;
  cudaMalloc(&tiles, sizeof host);
  cudaMemcpy(tiles, host, sizeof host, cudaMemcpyHostToDevice);
  const int blocks = 132 * 4;
  const char* names[] = {"cp.async", "cp.async, fence.proxy.async", "stores", "stores, fence.proxy.async"};
  for (int variant = 0; variant < 4; ++variant) {
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    if (variant == 0) multiply<true, false><<<blocks, 128>>>(tiles, rounds, variant);
    if (variant == 1) multiply<true, true><<<blocks, 128>>>(tiles, rounds, variant);
    if (variant == 2) multiply<false, false><<<blocks, 128>>>(tiles, rounds, variant);
    if (variant == 3) multiply<false, true><<<blocks, 128>>>(tiles, rounds, variant);
    cudaEventRecord(end);
    const cudaError_t error = cudaDeviceSynchronize();
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    unsigned long long found[4];
    cudaMemcpyFromSymbol(found, wrong, sizeof found);
    printf("%-28s %.3e results, %llu wrong, %.1f s, %s\n", names[variant], 4.0 * 128 * blocks * rounds, found[variant],
           milliseconds / 1000, cudaGetErrorString(error));
    fflush(stdout);
  }
  return 0;
}
