// A tile is copied out in bulk and then filled again. The thread that copies waits until the tile is read, and then
// all meet.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[128]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy_out(int* to, const int* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(bytes)
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
__device__ void wait_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__global__ void fill(int* out) {
  __shared__ __align__(128) int tile[64];
  for (int round = 0; round < 2; ++round) {
    tile[threadIdx.x] = threadIdx.x + round;
    proxy_fence();
    __syncthreads();
    if (threadIdx.x == 0) {
      copy_out(out + round * 64, tile, sizeof tile);
      commit();
      wait_read();
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) wait_written();
}
