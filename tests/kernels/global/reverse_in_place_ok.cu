// In-place reversal in which only the first half of the threads swap.
// weakspot: launch grid=2 block=32
// weakspot: arg data=int[64] fill=iota
// weakspot: arg n=64
// expect: none

__global__ void reverse(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    const int mine = data[i];
    data[i] = data[n - 1 - i];
    data[n - 1 - i] = mine;
  }
}
