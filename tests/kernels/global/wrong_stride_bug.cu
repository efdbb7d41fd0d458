// The grid-stride loop advances by a block instead of the grid, so the blocks go over each other's
// elements.
// weakspot: launch grid=3 block=32
// weakspot: arg data=int[192] fill=random
// weakspot: arg n=192
// expect: race E1 global data @a @a

__global__ void square(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) {
    data[i] = data[i] * data[i];  // @a
  }
}
