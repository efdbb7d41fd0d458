// Addresses of shared memory have 32 bits: an unsigned index that is "negative" wraps back into the array.
// weakspot: launch grid=1 block=64
// weakspot: arg out=int[64]
// expect: none
__global__ void mirror(int* out) {
  __shared__ int tile[64];
  __shared__ int sums[64];
  const unsigned t = threadIdx.x;
  tile[t] = t;
  sums[t] = 0;
  __syncthreads();
  const int* last = tile + 63;
  int* last_sum = sums + 63;
  atomicAdd(&last_sum[0u - t], last[0u - t]);
  __syncthreads();
  out[t] = sums[t];
}
