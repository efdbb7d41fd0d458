// A block reads the result of the next block, which is written in the same launch.
// weakspot: launch grid=4 block=32
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// weakspot: arg edge=int[4]
// expect: race E1 global out @a @b

__global__ void edges(const int* in, int* out, int* edge) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = 2 * in[i];  // @a
  if (threadIdx.x == 31 && blockIdx.x + 1 < gridDim.x) {
    edge[blockIdx.x] = out[i + 1];  // @b
  }
}
