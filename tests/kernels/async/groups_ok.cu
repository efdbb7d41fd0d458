// Two tiles are copied out, each as a group, and then filled again. The tile that is filled again belongs to the
// group that was waited for.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[64]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy_out(int* to, const int* from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(bytes)
               : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ void proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__global__ void fill(int* out) {
  __shared__ __align__(128) int first[32], second[32];
  first[threadIdx.x] = 1;
  second[threadIdx.x] = 2;
  proxy_fence();
  __syncwarp();
  if (threadIdx.x == 0) {
    copy_out(out, first, sizeof first);
    commit();
    copy_out(out + 32, second, sizeof second);
    commit();
    asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
  }
  __syncwarp();
  first[threadIdx.x] = 3;
  if (threadIdx.x == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}
