// The barrier of each reduction step stands inside the branch of the threads that still add.
// weakspot: launch grid=1 block=64
// weakspot: arg distance=int[64] fill=random
// weakspot: arg out=int[1]
// expect: divergence D3 @a

__global__ void nearest(const int* distance, int* out) {
  __shared__ int least[64];
  const int t = threadIdx.x;
  least[t] = distance[t];
  __syncthreads();
  for (int step = 32; step > 0; step /= 2) {
    if (t < step) {
      least[t] = min(least[t], least[t + step]);
      __syncthreads();  // @a
    }
  }
  if (t == 0) {
    *out = least[0];
  }
}
