// Two functions have a shared array of the same name each; they are different arrays.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: none

__device__ int rotated(int value) {
  __shared__ int x[64];
  x[threadIdx.x] = value;
  __syncthreads();
  return x[(threadIdx.x + 1) % 64];
}

__device__ int mirrored(int value) {
  __shared__ int x[64];
  x[threadIdx.x] = value;
  __syncthreads();
  return x[63 - threadIdx.x];
}

__global__ void combine(const int* in, int* out) { out[threadIdx.x] = mirrored(rotated(in[threadIdx.x])); }
