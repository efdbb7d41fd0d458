// The block fills a tile, and one thread copies it out in bulk. The barrier is needed by the copy alone.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
__global__ void fill(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(tile);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out), "r"(from));
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
