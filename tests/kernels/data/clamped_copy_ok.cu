// Threads beyond the end do nothing.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[100] fill=random:1:9
// weakspot: arg out=int[100]
// weakspot: arg n=100
// expect: none

__global__ void copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i];
  }
}
