// An asynchronous update of the other block's counter completes at an mbarrier there. It is not an ordinary atomic.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// expect: unmodelled @update
__global__ void count(int* out) {
  __shared__ int counter;
  __shared__ unsigned long long done;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  const unsigned to = (unsigned)__cvta_generic_to_shared(&counter), at = (unsigned)__cvta_generic_to_shared(&done);
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(to),  // @update
               "r"(1), "r"(at)
               : "memory");
  __syncthreads();
  out[threadIdx.x] = threadIdx.x;
}
