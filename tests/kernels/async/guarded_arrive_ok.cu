// Threads arrive at the mbarrier of another block under a guard of PTX, as libraries of matrix products do.
// weakspot: launch grid=2 block=32 cluster=2
// weakspot: arg out=int[64]
// expect: none
__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void arrive_at(unsigned long long* gate, unsigned block, unsigned really) {
  asm volatile(
      "{\n"
      ".reg .pred p;\n"
      ".reg .b32 remote;\n"
      "setp.eq.u32 p, %2, 1;\n"
      "@p mapa.shared::cluster.u32 remote, %0, %1;\n"
      "@p mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
      "}" ::"r"(address(gate)),
      "r"(block), "r"(really)
      : "memory");
}
__global__ void meet(int* out) {
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 16;" ::"r"(address(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  arrive_at(&full, (blockIdx.x & 1) ^ 1, threadIdx.x < 16);
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "WAIT:\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra WAIT;\n"
      "}" ::"r"(address(&full))
      : "memory");
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
