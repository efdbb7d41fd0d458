// Counting without atomics: values that repeat are what a histogram is for.
// weakspot: search
// expect: race E1 global bins @count @count

__global__ void count(const unsigned char* text, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    bins[text[i]] += 1;  // @count
  }
}
