// A plain look at the minimum saves atomics, and races with them.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg least=int[1] values=100000
// expect: race E1 global least @a @b

__global__ void minimum(const int* in, int* least) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value < *least) {       // @a
    atomicMin(least, value);  // @b
  }
}
