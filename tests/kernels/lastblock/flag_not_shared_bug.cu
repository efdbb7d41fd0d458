// Thread 0 draws the ticket and leaves the answer in shared memory; the others look at it without a
// barrier.
// weakspot: launch grid=3 block=64
// weakspot: arg partial=int[192]
// weakspot: arg ticket=uint[1]
// weakspot: arg out=int[64]
// expect: race E1 shared last @w @r
// allow: race E1 global partial @pw @pr
// allow: race E1 global out @pr @pr

__global__ void sum_columns(int* partial, unsigned* ticket, int* out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  partial[blockIdx.x * 64 + t] = blockIdx.x + t;  // @pw
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;  // @w
    __threadfence();
  }
  if (last) {                                                  // @r
    out[t] = partial[t] + partial[64 + t] + partial[128 + t];  // @pr
  }
}
