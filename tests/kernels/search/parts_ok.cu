// The two arrays in dynamic memory lie as many elements apart as the block has threads.
// weakspot: launch grid=1 block=64 shared=512
// weakspot: arg score=float[64] fill=random
// weakspot: arg out=int[1]
// weakspot: arg n=64
// expect: none
__global__ void least(const float* score, int* out, int n) {
  extern __shared__ int memory[];
  int* index = memory;
  float* values = (float*)&memory[n];
  const int t = threadIdx.x;
  index[t] = t;
  values[t] = score[t];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half && values[t + half] < values[t]) {
      values[t] = values[t + half];
      index[t] = index[t + half];
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = index[0];
}
