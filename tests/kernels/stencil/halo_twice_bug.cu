// Two threads load the left halo with the same value: harmless, but two writes that nothing orders.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[130] fill=random
// weakspot: arg out=int[128]
// expect: race W1 shared tile @a @a

__global__ void sum3(const int* in, int* out) {
  __shared__ int tile[66];
  const int first = blockIdx.x * 64;
  const int t = threadIdx.x;
  tile[t + 1] = in[first + t + 1];
  if (t < 2) {
    tile[0] = in[first];  // @a
  }
  if (t == 63) {
    tile[65] = in[first + 65];
  }
  __syncthreads();
  out[first + t] = tile[t] + tile[t + 1] + tile[t + 2];
}
