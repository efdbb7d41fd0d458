// Value and index move together, and a barrier ends each step.
// weakspot: launch grid=1 block=128
// weakspot: arg in=float[128] fill=random
// weakspot: arg best=int[1]
// expect: none

__global__ void arg_max(const float* in, int* best) {
  __shared__ float value[128];
  __shared__ int index[128];
  const int tid = threadIdx.x;
  value[tid] = in[tid];
  index[tid] = tid;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (tid < step && value[tid + step] > value[tid]) {
      value[tid] = value[tid + step];
      index[tid] = index[tid + step];
    }
    __syncthreads();
  }
  if (tid == 0) {
    *best = index[0];
  }
}
