// The proxy fence is for global memory, and the copy reads shared memory.
// weakspot: launch grid=2 block=64
// weakspot: arg out=int[128]
// expect: race P1 shared tile @write @copy
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy_out(int* to, const int* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(bytes)  // @copy
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void wait_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__global__ void fill(int* out) {
  __shared__ __align__(128) int tile[64];
  tile[threadIdx.x] = threadIdx.x * 3;  // @write
  asm volatile("fence.proxy.async.global;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    copy_out(out + blockIdx.x * 64, tile, sizeof tile);
    commit();
    wait_written();
  }
}
