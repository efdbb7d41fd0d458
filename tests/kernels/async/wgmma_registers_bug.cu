// The first factor comes from registers, the second lies across: its columns are contiguous. Only half of the threads
// fence the proxy behind what they write.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[512]
// expect: race P1 shared right @write @multiply
#include <assert.h>
#include <cuda_bf16.h>
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ int left_at(int row, int k) { return (row * 2 + k) % 9 - 4; }
__device__ int right_at(int k, int column) { return (column + 5 * k) % 6; }
__global__ void product(float* out) {
  __shared__ __align__(128) __nv_bfloat16 right[16 * 8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  right[threadIdx.x] = __int2bfloat16_rn(right_at(threadIdx.x / 8, threadIdx.x % 8));  // @write
  if (threadIdx.x < 64) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  unsigned left[4];
  for (int i = 0; i < 4; ++i) {
    const int row = warp * 16 + lane / 4 + i % 2 * 8, k = lane % 4 * 2 + i / 2 * 8;
    const __nv_bfloat162 both = __floats2bfloat162_rn(left_at(row, k), left_at(row, k + 1));
    left[i] = *(const unsigned*)&both;
  }
  // The second eight rows begin 128 bytes behind the first.
  const unsigned long long description = (address(right) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 128ull >> 4 << 32;
  float sums[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, -1, 1;"  // @multiply
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(description));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) {
    const int row = warp * 16 + lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
    int expected = 0;
    for (int k = 0; k < 16; ++k) expected -= left_at(row, k) * right_at(k, column);
    assert(sums[i] == expected);
    out[row * 8 + column] = sums[i];
  }
}
