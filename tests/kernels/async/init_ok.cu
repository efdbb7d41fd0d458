// An mbarrier is initialised by one thread and used by all. All threads meet in between.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void reverse(const int* data, int* out) {
  __shared__ int tile[64];
  __shared__ unsigned long long gate;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(address(&gate)) : "memory");
  }
  __syncthreads();
  tile[threadIdx.x] = data[threadIdx.x];
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&gate)) : "memory");
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address(&gate))
                 : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
