// The barrier orders global memory: threads of a block read each other's results of the first phase.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg half=int[128]
// weakspot: arg out=int[128]
// expect: none

__global__ void two_phases(const int* in, int* half, int* out) {
  const int first = blockIdx.x * 64;
  const int t = threadIdx.x;
  half[first + t] = in[first + t] / 2;
  __syncthreads();
  out[first + t] = half[first + 63 - t];
}
