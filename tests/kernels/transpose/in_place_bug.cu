// In-place transpose in which every thread swaps its element: both ends of a pair do it, at the same time.
// weakspot: launch grid=2,2 block=8,8
// weakspot: arg data=int[256] fill=iota
// weakspot: arg n=16
// expect: race E1 global data @a @c
// expect: race E1 global data @b @b
// expect: race E1 global data @b @c

__global__ void transpose(int* data, int n) {
  const int x = blockIdx.x * 8 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x != y) {
    const int upper = data[y * n + x];  // @a
    data[y * n + x] = data[x * n + y];  // @b
    data[x * n + y] = upper;            // @c
  }
}
