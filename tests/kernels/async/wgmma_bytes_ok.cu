// Matrices of bytes, and the result is compared.
// weakspot: launch grid=1 block=128
// weakspot: arg out=int[512]
// expect: none
#include <assert.h>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned long long describe(const void* matrix) {
  return (address(matrix) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}
__device__ int place(int row, int k) { return row / 8 * 256 + k / 16 * 128 + row % 8 * 16 + k % 16; }
__global__ void product(int* out) {
  __shared__ __align__(128) signed char left[64 * 32];
  __shared__ __align__(128) unsigned char right[8 * 32];
  for (int i = threadIdx.x; i < 64 * 32; i += 128) left[place(i / 32, i % 32)] = i % 11 - 5;
  for (int i = threadIdx.x; i < 8 * 32; i += 128) right[place(i / 32, i % 32)] = i % 13 * 19;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  int sums[4] = {7, 7, 7, 7};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.u8 {%0, %1, %2, %3}, %4, %5, 1;"
               : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
               : "l"(describe(left)), "l"(describe(right)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = 0; i < 4; ++i) {
    const int row = warp * 16 + lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    int expected = 7;
    for (int k = 0; k < 32; ++k) expected += ((row * 32 + k) % 11 - 5) * ((column * 32 + k) % 13 * 19);
    assert(sums[i] == expected);
    out[row * 8 + column] = sums[i];
  }
}
