// An mbarrier is initialised by one thread and used by all. Only its own warp knows that it was.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: race E1 shared gate @init @arrive
// allow: race E1 shared gate @init @wait
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void reverse(const int* data, int* out) {
  __shared__ int tile[64];
  __shared__ unsigned long long gate;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(address(&gate)) : "memory");  // @init
  }
  __syncwarp();
  tile[threadIdx.x] = data[threadIdx.x];
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(&gate)) : "memory");  // @arrive
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"  // @wait
                 : "=r"(done)
                 : "r"(address(&gate))
                 : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
