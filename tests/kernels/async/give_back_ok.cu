// A tile is read by all threads and then filled by the next bulk copy. A proxy fence and a barrier stand between.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[128] fill=iota
// weakspot: arg out=int[64]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* gate, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(gate)), "r"(count) : "memory");
}
__device__ void arrive_and_expect(unsigned long long* gate, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(gate)), "r"(bytes) : "memory");
}
__device__ void copy_in(int* to, const int* from, unsigned bytes, unsigned long long* gate) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(to)),
               "l"(from), "r"(bytes), "r"(address(gate))
               : "memory");
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
__global__ void add(const int* in, int* out) {
  __shared__ __align__(128) int tile[64];
  __shared__ unsigned long long full[2];
  if (threadIdx.x < 2) init(&full[threadIdx.x], 1);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) {
      arrive_and_expect(&full[round], sizeof tile);
      copy_in(tile, in + round * 64, sizeof tile, &full[round]);
    }
    wait(&full[round], 0);
    sum += tile[63 - threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
