// A barrier that all threads meet or none, and that orders only what each thread does by itself.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// weakspot: arg twice=1
// expect: redundant @a

__global__ void turn(const int* in, int* out, int twice) {
  __shared__ int x[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  x[threadIdx.x] = in[i];
  if (twice != 0) {
    x[threadIdx.x] *= 2;
    __syncthreads();  // @a
  }
  out[i] = x[threadIdx.x];
}
