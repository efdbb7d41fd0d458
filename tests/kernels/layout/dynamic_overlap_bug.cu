// Two arrays carved from dynamic shared memory: the offset of the second counts elements where it should
// count bytes.
// weakspot: launch grid=1 block=64 shared=512
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=float[64]
// expect: race E1 shared raw @a @b

__global__ void split(const int* in, float* out) {
  extern __shared__ char raw[];
  const int t = threadIdx.x;
  float* weight = reinterpret_cast<float*>(raw);
  int* count = reinterpret_cast<int*>(raw + blockDim.x);
  weight[t] = 0.5f * in[t];  // @a
  count[t] = in[t] + t + 1;  // @b
  __syncthreads();
  out[t] = weight[63 - t] * count[63 - t];
}
