// Scan within a warp over a zero-padded shared array, with __syncwarp after each read and each write.
// weakspot: launch grid=1 block=32
// weakspot: arg data=int[32] fill=random
// expect: none

__global__ void warp_scan(int* data) {
  __shared__ int x[64];
  const int lane = threadIdx.x;
  x[lane] = 0;
  x[lane + 32] = data[lane];
  __syncthreads();
  for (int d = 1; d < 32; d *= 2) {
    const int left = x[lane + 32 - d];
    __syncwarp();
    x[lane + 32] += left;
    __syncwarp();
  }
  data[lane] = x[lane + 32];
}
