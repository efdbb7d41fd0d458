// The block ends while a bulk copy may still read its tile: the group is committed but not waited for.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: invalid @copy
__global__ void send(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(tile);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;"  // @copy
                 ::"l"(out + blockIdx.x * 64), "r"(from)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
}
