// Two arrays carved from dynamic shared memory, one after the other.
// weakspot: launch grid=1 block=64 shared=512
// weakspot: arg in=int[64] fill=random
// weakspot: arg out=float[64]
// expect: none

__global__ void split(const int* in, float* out) {
  extern __shared__ char raw[];
  const int t = threadIdx.x;
  float* weight = reinterpret_cast<float*>(raw);
  int* count = reinterpret_cast<int*>(raw + blockDim.x * sizeof(float));
  weight[t] = 0.5f * in[t];
  count[t] = in[t] + t + 1;
  __syncthreads();
  out[t] = weight[63 - t] * count[63 - t];
}
