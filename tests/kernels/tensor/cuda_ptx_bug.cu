// A product with the functions of cuda::ptx: threads load the sums before its end, and only then wait for it.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[128]
// expect: race E1 tensor memory @product @load
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
  if (threadIdx.x == 0) {
    ptx::tcgen05_mma(ptx::kind_f16, ptx::cta_group_1, columns, describe(left), describe(right), kShape, false);  // @product
    ptx::tcgen05_commit(ptx::cta_group_1, &done);
  }
  float sums[4];
  ptx::tcgen05_ld_32x32b(sums, lanes);  // @load
  ptx::tcgen05_wait_ld();
  while (!ptx::mbarrier_try_wait_parity(&done, 0)) {}
  ptx::tcgen05_fence_after_thread_sync();
  out[threadIdx.x] = sums[1];
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc(ptx::cta_group_1, columns, 32);
}
