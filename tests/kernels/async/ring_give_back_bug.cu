// A ring of two stages that one thread fills by bulk copies and a warp empties. A thread may arrive at the empty mbarrier
// while what it reads is still on its way.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[256] fill=iota
// weakspot: arg out=int[32]
// expect: race P2 shared stages @copy @read
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned long long* gate, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(gate)), "r"(count) : "memory");
}
__device__ void arrive_and_expect(unsigned long long* gate, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(gate)), "r"(bytes) : "memory");
}
__device__ void copy_in(int* to, const int* from, unsigned bytes, unsigned long long* gate) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(to)),  // @copy
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
__device__ void arrive(unsigned long long* gate) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(gate)) : "memory");
}
__global__ void stream(const int* in, int* out) {
  __shared__ __align__(128) int stages[2][32];
  __shared__ unsigned long long full[2], empty[2];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      init(&full[i], 1);
      init(&empty[i], 32);
    }
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    for (int i = 0; i < 8; ++i) {
      const int stage = i % 2, lap = i / 2;
      if (lap > 0) wait(&empty[stage], (lap - 1) % 2);
      arrive_and_expect(&full[stage], sizeof stages[stage]);
      copy_in(stages[stage], in + i * 32, sizeof stages[stage], &full[stage]);
    }
  } else if (threadIdx.x < 32) {
    int sum = 0;
    for (int i = 0; i < 8; ++i) {
      const int stage = i % 2, lap = i / 2;
      wait(&full[stage], lap % 2);
      sum += stages[stage][31 - threadIdx.x];  // @read
      arrive(&empty[stage]);
    }
    out[threadIdx.x] = sum;
  }
}
