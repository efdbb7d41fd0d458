// Threads beyond the end do nothing.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[90] fill=random:1:9
// weakspot: arg n=90
// expect: none

__global__ void twice(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = 2 * data[i];
  }
}
