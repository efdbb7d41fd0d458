// Shifting an array of one block in place, with a barrier between reading and writing.
// weakspot: launch grid=1 block=128
// weakspot: arg data=int[129] fill=random
// expect: none

__global__ void shift(int* data) {
  const int i = threadIdx.x;
  const int next = data[i + 1];
  __syncthreads();
  data[i] = next;
}
