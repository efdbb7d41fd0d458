// A product with the functions of cuda::ptx: threads wait at the mbarrier of its commit before they load the sums.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[128]
// expect: none
#include <cassert>
#include <cuda/ptx>
namespace ptx = cuda::ptx;
// Sums of floats, of 128 rows and 16 columns.
constexpr unsigned kShape = 1u << 4 | 16u / 8 << 17 | 128u / 16 << 24;
__device__ uint64_t describe(const void* matrix) {
  return ((unsigned long long)__cvta_generic_to_shared(matrix) & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32 | 1ull << 46;
}
__global__ void tensor(float* out) {
  __shared__ alignas(1024) unsigned short left[2048], right[256];
  __shared__ uint64_t done;
  __shared__ uint32_t place;
  for (int i = threadIdx.x; i < 2048; i += 128) left[i] = 0x3c00;
  for (int i = threadIdx.x; i < 256; i += 128) right[i] = 0x4000;
  if (threadIdx.x < 32) {
    ptx::tcgen05_alloc(ptx::cta_group_1, &place, 32);
    ptx::tcgen05_relinquish_alloc_permit(ptx::cta_group_1);
  }
  if (threadIdx.x == 0) ptx::mbarrier_init(&done, 1);
  ptx::fence_proxy_async(ptx::space_shared);
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t columns = place, lanes = columns + (threadIdx.x / 32 * 32 << 16);
  const uint32_t given[2] = {threadIdx.x, 7};
  ptx::tcgen05_st_32x32b(lanes + 16, given);
  ptx::tcgen05_wait_st();
  if (threadIdx.x == 0) {
    ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, columns, describe(left), describe(right), kShape, false);
    ptx::tcgen05_commit(ptx::cta_group_1, &done);
  }
  while (!ptx::mbarrier_try_wait_parity(&done, 0)) {}
  ptx::tcgen05_fence_after_thread_sync();
  float sums[4];
  uint32_t words[2];
  ptx::tcgen05_ld_32x32b(sums, lanes);
  ptx::tcgen05_ld_32x32b(words, lanes + 16);
  ptx::tcgen05_wait_ld();
  assert(sums[0] == 32 && sums[3] == 32 && words[0] == threadIdx.x && words[1] == 7);
  out[threadIdx.x] = sums[1];
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc(ptx::cta_group_1, columns, 32);
}
