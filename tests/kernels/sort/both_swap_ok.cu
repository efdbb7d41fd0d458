// Compare-exchange in which the lower partner swaps the pair.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=random
// expect: none

__global__ void exchange(int* data) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = 64 * (t % 2) + data[t] % 64;
  __syncthreads();
  const int other = t ^ 33;
  if (other > t) {
    const int mine = x[t], theirs = x[other];
    x[t] = theirs;
    x[other] = mine;
  }
  __syncthreads();
  data[t] = x[63 - t];
}
