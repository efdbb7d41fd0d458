// A kernel template over element type and block size, instantiated for one of each, without the barrier in
// its loop.
// weakspot: kernel block_sum<float, 128>
// weakspot: launch grid=2 block=128
// weakspot: arg in=float[256] fill=random
// weakspot: arg out=float[2]
// expect: race E1 shared x @a @a

template <class T, int N>
__global__ void block_sum(const T* in, T* out) {
  __shared__ T x[N];
  const int t = threadIdx.x;
  x[t] = in[blockIdx.x * N + t];
  __syncthreads();
  for (int step = N / 2; step > 0; step /= 2) {
    if (t < step) {
      x[t] += x[t + step];  // @a
    }
  }
  if (t == 0) {
    out[blockIdx.x] = x[0];
  }
}

template __global__ void block_sum<float, 128>(const float* in, float* out);
