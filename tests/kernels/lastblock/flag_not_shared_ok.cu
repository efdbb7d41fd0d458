// Thread 0 draws the ticket, and a barrier hands the answer to the others.
// weakspot: launch grid=3 block=64
// weakspot: arg partial=int[192]
// weakspot: arg ticket=uint[1]
// weakspot: arg out=int[64]
// expect: none

__global__ void sum_columns(int* partial, unsigned* ticket, int* out) {
  __shared__ bool last;
  const int t = threadIdx.x;
  partial[blockIdx.x * 64 + t] = blockIdx.x + t;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last) {
    out[t] = partial[t] + partial[64 + t] + partial[128 + t];
  }
}
