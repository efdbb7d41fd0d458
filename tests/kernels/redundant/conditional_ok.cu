// A barrier that all threads meet or none, and that orders what the branch does.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// weakspot: arg back=1
// expect: none

__global__ void turn(const int* in, int* out, int back) {
  __shared__ int x[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  x[t] = in[i];
  int mine = t;
  if (back != 0) {
    mine = 63 - t;
    __syncthreads();
  }
  out[i] = x[mine];
}
