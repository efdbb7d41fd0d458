// Threads fill a tile and arrive at an mbarrier, at which others wait. The arrivals are relaxed and publish nothing.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: race E1 shared tile @write @read
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* gate, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(gate)), "r"(count) : "memory");
}
__device__ void wait(unsigned long long* gate, unsigned parity) {
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(address(gate)), "r"(parity)
                 : "memory");
  }
}
__global__ void reverse(const int* data, int* out) {
  __shared__ int tile[64];
  __shared__ unsigned long long gate;
  if (threadIdx.x == 0) init(&gate, 64);
  __syncthreads();
  tile[threadIdx.x] = data[threadIdx.x];  // @write
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(address(&gate)) : "memory");
  wait(&gate, 0);
  out[threadIdx.x] = tile[63 - threadIdx.x];  // @read
}
