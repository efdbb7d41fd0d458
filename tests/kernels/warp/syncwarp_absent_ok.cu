// __syncwarp is called by all lanes it names.
// weakspot: launch grid=1 block=32
// weakspot: arg out=int[32]
// expect: none

__global__ void pairs(int* out) {
  __shared__ int x[32];
  const int lane = threadIdx.x;
  x[lane] = lane;
  __syncwarp();
  if (lane % 2 == 0) {
    out[lane] = x[lane + 1];
  }
  __syncwarp();
  x[lane] = -lane;
  __syncthreads();
  out[lane] += x[31 - lane];
}
