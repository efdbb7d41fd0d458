// A correct bulk copy: its bytes arrive at an mbarrier, which all threads wait for.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=iota
// weakspot: arg out=int[64]
// expect: none
__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__global__ void reverse(const int* in, int* out) {
  __shared__ __align__(128) int tile[64];
  __shared__ unsigned long long full;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&full)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(shared_address(&full)));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 256, [%2];" ::"r"(
                     shared_address(tile)),
                 "l"(in), "r"(shared_address(&full))
                 : "memory");
  }
  unsigned done = 0;
  while (done == 0) {
    asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(shared_address(&full))
                 : "memory");
  }
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
