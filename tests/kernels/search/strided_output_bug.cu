// The elements of different threads are apart unless the stride is zero.
// weakspot: search
// expect: race I1 global out @a @a

__global__ void spread(const float* in, float* out, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = in[i];  // @a
}
