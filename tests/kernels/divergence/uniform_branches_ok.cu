// Barriers inside branches and loops whose conditions are the same for a whole block: a parameter, the
// block index, a value read from one address.
// weakspot: launch grid=3 block=64
// weakspot: arg data=int[192] fill=random
// weakspot: arg rounds=int[3] values=0,1,3
// weakspot: arg twice=1
// expect: none

__global__ void shift(int* data, const int* rounds, int twice) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = data[blockIdx.x * 64 + t];
  if (blockIdx.x == 0) {
    __syncthreads();
    data[t] = x[63 - t];
    return;
  }
  for (int r = 0; r < rounds[blockIdx.x]; ++r) {
    __syncthreads();
    const int next = x[(t + 1) % 64];
    if (twice) {
      __syncthreads();
    }
    x[t] = next;
  }
  data[blockIdx.x * 64 + t] = x[t];
}
