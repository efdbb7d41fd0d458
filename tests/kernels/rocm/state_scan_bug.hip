// A row of coefficients is loaded in each step of a recurrence, while slow threads still read that of the step before.
// weakspot: launch grid=2 block=128
// weakspot: arg b=float[64] fill=random
// weakspot: arg x=float[256] fill=random
// weakspot: arg y=float[1024]
// expect: race E1 shared row @w @r
#include <hip/hip_runtime.h>

__global__ void recur(const float* b, const float* x, float* y) {
  __shared__ float row[16];
  const int t = threadIdx.x, i = blockIdx.x * 128 + t;
  float state = x[i];
  for (int step = 0; step < 4; ++step) {
    if (t < 16) row[t] = b[step * 16 + t];  // @w
    __syncthreads();
    float sum = 0;
    for (int n = 0; n < 16; ++n) sum += state * row[n];  // @r
    state = sum * 0.5f;
    y[step * 256 + i] = state;
  }
}
