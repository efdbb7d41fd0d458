// The threads fence the proxy behind what they write to the matrices.
// weakspot: launch grid=1 block=128
// weakspot: arg out=float[512]
// expect: none
__device__ unsigned long long describe(const void* matrix) {
  const unsigned long long start = (unsigned)__cvta_generic_to_shared(matrix) & 0x3ffff;
  return start >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}
__global__ void multiply(float* out) {
  __shared__ __align__(1024) unsigned left[512], right[64];
  for (int i = threadIdx.x; i < 512; i += 128) left[i] = i;
  if (threadIdx.x < 64) right[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  float sum[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "l"(describe(left)), "l"(describe(right)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = sum[i];
}
