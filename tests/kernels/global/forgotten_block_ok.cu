// Every thread of the grid has an element of its own.
// weakspot: launch grid=4 block=32
// weakspot: arg out=int[128]
// expect: none

__global__ void number(int* out) {
  const int value = blockIdx.x * blockDim.x + threadIdx.x;
  out[value] = value;
}
