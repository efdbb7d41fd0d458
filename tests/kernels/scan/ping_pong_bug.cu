// Scan between two buffers, with no barrier between a step and the next that reads its result.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=random
// expect: race E1 shared buffer @a @b

__global__ void scan(int* data) {
  __shared__ int buffer[2][64];
  const int tid = threadIdx.x;
  int from = 0;
  buffer[0][tid] = data[tid];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int value = buffer[from][tid];
    if (tid >= d) {
      value += buffer[from][tid - d];  // @b
    }
    buffer[1 - from][tid] = value;  // @a
    from = 1 - from;
  }
  data[tid] = buffer[from][tid];
}
