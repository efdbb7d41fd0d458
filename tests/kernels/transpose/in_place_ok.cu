// In-place transpose in which only the thread above the diagonal swaps the pair.
// weakspot: launch grid=2,2 block=8,8
// weakspot: arg data=int[256] fill=iota
// weakspot: arg n=16
// expect: none

__global__ void transpose(int* data, int n) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x > y) {
    const int upper = data[y * n + x];
    data[y * n + x] = data[x * n + y];
    data[x * n + y] = upper;
  }
}
