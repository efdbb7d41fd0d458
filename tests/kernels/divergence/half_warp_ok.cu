// Both halves of the warp take their branches, then all wait at one barrier.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// expect: none

__global__ void halves(int* out) {
  __shared__ int x[32];
  const int t = threadIdx.x;
  if (t < 16) {
    x[t] = t;
  } else {
    x[t] = 2 * t;
  }
  __syncthreads();
  out[t] = x[31 - t];
}
