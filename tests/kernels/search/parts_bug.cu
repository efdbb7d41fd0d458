// The two arrays in dynamic memory lie n elements apart, so that n must be at least the size of the block.
// weakspot: search
// expect: race I1 shared memory @first @second
// allow: race I1 shared memory @first @read
// allow: race I1 shared memory @second @read
// allow: race I1 shared memory @first @move
// allow: race I1 shared memory @second @move
// allow: race I1 shared memory @move @move
// allow: race I1 shared memory @move @read
// allow: race I1 shared memory @move @values
// allow: race I1 shared memory @values @first
// allow: race I1 shared memory @values @second
// allow: race I1 shared memory @values @read
__global__ void least(const float* score, int* out, int n) {
  extern __shared__ int memory[];
  int* index = memory;
  float* values = (float*)&memory[n];
  const int t = threadIdx.x;
  index[t] = t;          // @first
  values[t] = score[t];  // @second
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half && values[t + half] < values[t]) {  // @read
      values[t] = values[t + half];                  // @values
      index[t] = index[t + half];                    // @move
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = index[0];
}
