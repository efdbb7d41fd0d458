// Odd-even transposition sort without a barrier between the phases.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[128] fill=random
// expect: race E1 shared x @look @put
// expect: race E1 shared x @look @put2
// expect: race E1 shared x @put @put2

__global__ void sort(int* data) {
  __shared__ int x[128];
  const int t = threadIdx.x;
  x[t] = data[t];
  x[t + 64] = data[t + 64];
  __syncthreads();
  for (int phase = 0; phase < 128; ++phase) {
    const int i = 2 * t + phase % 2;
    if (i + 1 < 128) {
      const int left = x[i], right = x[i + 1];  // @look
      x[i] = min(left, right);                  // @put
      x[i + 1] = max(left, right);              // @put2
    }
  }
  __syncthreads();
  data[t] = x[t];
  data[t + 64] = x[t + 64];
}
