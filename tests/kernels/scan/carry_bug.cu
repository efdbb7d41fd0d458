// Scan of a long array in tiles: the carry of the last tile is overwritten while slow warps still read the
// old one.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[192] fill=random
// weakspot: arg n=192
// expect: race E1 shared carry @read @write

__global__ void scan_tiles(int* data, int n) {
  __shared__ int x[64];
  __shared__ int carry;
  const int tid = threadIdx.x;
  if (tid == 0) {
    carry = 0;
  }
  for (int base = 0; base < n; base += 64) {
    x[tid] = data[base + tid];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i <= tid; ++i) {
      sum += x[i];
    }
    sum += carry;  // @read
    data[base + tid] = sum;
    if (tid == 63) {
      carry = sum;  // @write
    }
    __syncthreads();
  }
}
