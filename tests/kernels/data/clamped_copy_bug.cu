// Threads beyond the end are clamped to the last element and copy it once more: the same value, written
// twice.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[100] fill=random:1:9
// weakspot: arg out=int[100]
// weakspot: arg n=100
// expect: race W1 global out @a @a

__global__ void copy(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  i = min(i, n - 1);
  out[i] = in[i];  // @a
}
