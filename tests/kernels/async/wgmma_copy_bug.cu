// Lanes copy the matrices with cp.async and meet, but nobody waits for the copies.
// weakspot: launch grid=1 block=128
// weakspot: arg in=int[576] fill=iota
// weakspot: arg out=float[512]
// expect: race E1 shared matrices @copy @product
__device__ unsigned long long describe(unsigned matrix) {
  return (matrix & 0x3ffff) >> 4 | 128ull >> 4 << 16 | 256ull >> 4 << 32;
}
__global__ void multiply(const int4* in, float* out) {
  __shared__ __align__(1024) int4 matrices[144];
  const unsigned left = (unsigned)__cvta_generic_to_shared(matrices), right = left + 128 * 16;
  for (int i = threadIdx.x; i < 144; i += 128) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(left + i * 16), "l"(in + i) : "memory");  // @copy
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  float sum[4] = {};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"  // @product
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
               : "l"(describe(left)), "l"(describe(right)));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  for (int i = 0; i < 4; ++i) out[threadIdx.x * 4 + i] = sum[i];
}
