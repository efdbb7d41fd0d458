// Each thread leaves its value in a shared array; a barrier stands before the function that reduces it.
// weakspot: launch grid=1 block=64
// weakspot: arg gain=float[64] fill=random
// weakspot: arg usable=int[64] fill=duplicates
// weakspot: arg out=int[1]
// expect: none

__device__ int block_arg_min(float* value, int* index) {
  const int t = threadIdx.x;
  for (int step = 32; step > 0; step /= 2) {
    if (t < step && value[t + step] < value[t]) {
      value[t] = value[t + step];
      index[t] = index[t + step];
    }
    __syncthreads();
  }
  return index[0];
}

__global__ void pick(const float* gain, const int* usable, int* out) {
  __shared__ float value[64];
  __shared__ int index[64];
  const int t = threadIdx.x;
  index[t] = t;
  if (usable[t] > 0) {
    value[t] = gain[t];
  } else {
    value[t] = 1e30f;
  }
  __syncthreads();
  const int best = block_arg_min(value, index);
  if (t == 0) {
    *out = best;
  }
}
