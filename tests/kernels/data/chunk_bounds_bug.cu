// Each thread works on a chunk of its own, but the upper bound is one too high: it reaches the first
// element of the next chunk.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[260] fill=random
// expect: race E1 global data @a @a

__global__ void negate(int* data) {
  const int first = threadIdx.x * 4;
  for (int i = first; i <= first + 4; ++i) {
    data[i] = -data[i];  // @a
  }
}
