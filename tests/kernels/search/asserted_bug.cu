// Few launches pass the assertion. In those, a neighbour's element is read without a barrier.
// weakspot: search
// expect: race E1 shared tile @a @b
#include <assert.h>

__global__ void shift(const int* in, int* out, int n, int m) {
  __shared__ int tile[80];
  assert(blockDim.x == 80 && n == 3 * blockDim.x && m == n * gridDim.x);
  tile[threadIdx.x] = in[threadIdx.x];  // @a
  out[blockIdx.x * n + threadIdx.x] = tile[79 - threadIdx.x];  // @b
}
