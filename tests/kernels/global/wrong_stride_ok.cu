// A grid-stride loop: every element belongs to one thread.
// weakspot: launch grid=3 block=32
// weakspot: arg data=int[192] fill=random
// weakspot: arg n=192
// expect: none

__global__ void square(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    data[i] = data[i] * data[i];
  }
}
