// Each thread leaves its value in a shared array, and the function that reduces it starts without a
// barrier.
// weakspot: launch grid=1 block=64
// weakspot: arg gain=float[64] fill=random
// weakspot: arg usable=int[64] fill=duplicates
// weakspot: arg out=int[1]
// expect: race E1 shared value @fill1 @reduce
// expect: race E1 shared value @fill2 @reduce
// allow: race E1 shared value @fill1 @store
// allow: race E1 shared value @fill2 @store
// allow: race E1 shared index @number @move

__device__ int block_arg_min(float* value, int* index) {
  const int t = threadIdx.x;
  for (int step = 32; step > 0; step /= 2) {
    if (t < step && value[t + step] < value[t]) {  // @reduce
      value[t] = value[t + step];                  // @store
      index[t] = index[t + step];                  // @move
    }
    __syncthreads();
  }
  return index[0];
}

__global__ void pick(const float* gain, const int* usable, int* out) {
  __shared__ float value[64];
  __shared__ int index[64];
  const int t = threadIdx.x;
  index[t] = t;  // @number
  if (usable[t] > 0) {
    value[t] = gain[t];  // @fill1
  } else {
    value[t] = 1e30f;  // @fill2
  }
  const int best = block_arg_min(value, index);
  if (t == 0) {
    *out = best;
  }
}
