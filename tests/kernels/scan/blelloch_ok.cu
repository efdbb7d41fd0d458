// Work-efficient scan, a barrier at the head of every step of both sweeps and one before the result is
// copied out.
// weakspot: launch grid=2 block=64
// weakspot: arg data=int[256] fill=random
// expect: none

__global__ void scan(int* data) {
  __shared__ int x[128];
  const int tid = threadIdx.x;
  int* mine = data + blockIdx.x * 128;
  x[2 * tid] = mine[2 * tid];
  x[2 * tid + 1] = mine[2 * tid + 1];
  int offset = 1;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (tid < d) {
      x[offset * (2 * tid + 2) - 1] += x[offset * (2 * tid + 1) - 1];
    }
    offset *= 2;
  }
  if (tid == 0) {
    x[127] = 0;
  }
  for (int d = 1; d < 128; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (tid < d) {
      const int left = offset * (2 * tid + 1) - 1;
      const int right = offset * (2 * tid + 2) - 1;
      const int carried = x[left];
      x[left] = x[right];
      x[right] += carried;
    }
  }
  __syncthreads();
  for (int i = tid; i < 128; i += 64) {
    mine[i] = x[i];
  }
}
