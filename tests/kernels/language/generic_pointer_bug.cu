// A helper takes a pointer to either memory: with the shared array the call lacks a barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=int[64]
// expect: race E1 shared copy @w @r

__device__ int neighbour_sum(const int* x) {
  return x[threadIdx.x] + x[threadIdx.x ^ 32];  // @r
}

__global__ void sums(const int* in, int* out) {
  __shared__ int copy[64];
  const int direct = neighbour_sum(in);
  copy[threadIdx.x] = in[threadIdx.x] * 2;  // @w
  out[threadIdx.x] = direct + neighbour_sum(copy);
}
