// A barrier between two rounds of atomic additions to the same counters: atomics need no order among
// themselves.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[128] fill=random:0:7
// weakspot: arg out=int[8]
// expect: redundant @a

__global__ void count(const int* in, int* out) {
  __shared__ int bins[8];
  const int t = threadIdx.x;
  if (t < 8) {
    bins[t] = 0;
  }
  __syncthreads();
  atomicAdd(&bins[in[t]], 1);
  __syncthreads();  // @a
  atomicAdd(&bins[in[t + 64]], 1);
  __syncthreads();
  if (t < 8) {
    out[t] = bins[t];
  }
}
