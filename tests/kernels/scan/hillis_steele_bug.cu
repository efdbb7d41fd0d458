// In-place inclusive scan: a thread reads its left neighbour in the phase in which that neighbour
// overwrites it.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=iota
// expect: race E1 shared x @a @a

__global__ void scan(int* data) {
  __shared__ int x[64];
  const int tid = threadIdx.x;
  x[tid] = data[tid];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (tid >= d) {
      x[tid] += x[tid - d];  // @a
    }
    __syncthreads();
  }
  data[tid] = x[tid];
}
