// Threads beyond the end are clamped to the last element and update it once more. Only sizes that are no
// multiple of the block show it.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[90] fill=random:1:9
// weakspot: arg n=90
// expect: race E1 global data @a @a

__global__ void twice(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i = min(i, n - 1);
  data[i] = 2 * data[i];  // @a
}
