// Counting with atomics, over any contents.
// weakspot: search
// expect: none

__global__ void count(const unsigned char* text, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&bins[text[i]], 1);
  }
}
