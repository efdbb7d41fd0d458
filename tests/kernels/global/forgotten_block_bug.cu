// The index leaves out the block, so all blocks write their different values to the same elements.
// weakspot: launch grid=4 block=32
// weakspot: arg out=int[128]
// expect: race E1 global out @a @a

__global__ void number(int* out) {
  const int value = blockIdx.x * blockDim.x + threadIdx.x;
  out[threadIdx.x] = value;  // @a
}
