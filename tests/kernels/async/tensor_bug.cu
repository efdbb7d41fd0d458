// A copy by a tensor map that the driver has not made is not modelled: what it writes is not seen, and no barrier is
// called redundant.
// weakspot: launch grid=1 block=32
// weakspot: arg map=ullong[16]
// weakspot: arg out=int[32]
// expect: unmodelled @copy
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void fetch(const unsigned long long* map, int* out) {
  __shared__ __align__(128) int tile[32];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(address(tile)),  // @copy
                 "l"(map), "r"(0), "r"(address(&full))
                 : "memory");
  }
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}
