// In-place reversal in which both ends of each pair swap.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[64] fill=iota
// weakspot: arg n=64
// expect: race E1 global data @a @c
// expect: race E1 global data @b @b
// expect: race E1 global data @b @c

__global__ void reverse(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int mine = data[i];   // @a
    data[i] = data[n - 1 - i];  // @b
    data[n - 1 - i] = mine;     // @c
  }
}
