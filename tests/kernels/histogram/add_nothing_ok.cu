// Additions of zero leave memory as it is, over and over, and yet nobody waits.
// weakspot: launch grid=3 block=1
// weakspot: arg in=int[8192]
// weakspot: arg total=int[1]
// weakspot: arg n=8192
// expect: none
__global__ void count(const int* in, int* total, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(total, in[i] > 5);
  }
}
