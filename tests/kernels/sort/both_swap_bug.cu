// Compare-exchange in which both partners swap the pair.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=random
// expect: race E1 shared x @look @put
// expect: race E1 shared x @look @put2
// expect: race E1 shared x @put @put2

__global__ void exchange(int* data) {
  __shared__ int x[64];
  const int t = threadIdx.x;
  x[t] = 64 * (t % 2) + data[t] % 64;
  __syncthreads();
  const int other = t ^ 33;
  if (other != t) {
    const int mine = x[t], theirs = x[other];  // @look
    x[t] = theirs;                             // @put
    x[other] = mine;                           // @put2
  }
  __syncthreads();
  data[t] = x[63 - t];
}
