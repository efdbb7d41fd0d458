// Each thread works on a chunk of its own.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[260] fill=random
// expect: none

__global__ void negate(int* data) {
  const int first = threadIdx.x * 4;
  for (int i = first; i < first + 4; ++i) {
    data[i] = -data[i];
  }
}
