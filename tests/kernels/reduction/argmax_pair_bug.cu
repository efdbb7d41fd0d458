// The value is compared after a barrier, but the index array belonging to it is read in the same step that
// writes it, without one.
// weakspot: launch grid=1 block=128
// weakspot: arg in=float[128] fill=random
// weakspot: arg best=int[1]
// expect: race E1 shared index @a @a
// expect: race E1 shared value @b @b
// expect: race E1 shared value @b @c

__global__ void arg_max(const float* in, int* best) {
  __shared__ float value[128];
  __shared__ int index[128];
  const int tid = threadIdx.x;
  value[tid] = in[tid];
  index[tid] = tid;
  __syncthreads();
  for (int step = 64; step > 0; step /= 2) {
    if (tid < step && value[tid + step] > value[tid]) {  // @c
      value[tid] = value[tid + step];                    // @b
      index[tid] = index[tid + step];                    // @a
    }
  }
  if (tid == 0) {
    *best = index[0];
  }
}
