// In-place inclusive scan: the read and the write of a step are separated by a barrier, and the steps too.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=iota
// expect: none

__global__ void scan(int* data) {
  __shared__ int x[64];
  const int tid = threadIdx.x;
  x[tid] = data[tid];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    const int left = tid >= d ? x[tid - d] : 0;
    __syncthreads();
    x[tid] += left;
    __syncthreads();
  }
  data[tid] = x[tid];
}
