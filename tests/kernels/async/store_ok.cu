// Threads fill a tile, meet, and one copies it out in bulk. Each fences the proxy before they meet.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy_out(int* to, const int* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(bytes)
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void wait_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__global__ void fill(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x * 3;
  proxy_fence();
  __syncthreads();
  if (threadIdx.x == 0) {
    copy_out(out + blockIdx.x * 64, tile, sizeof tile);
    commit();
    wait_written();
  }
}
