// Scan between two buffers; one barrier per step is enough since a step reads one buffer and writes the
// other.
// weakspot: launch grid=1 block=64
// weakspot: arg data=int[64] fill=random
// expect: none

__global__ void scan(int* data) {
  __shared__ int buffer[2][64];
  const int tid = threadIdx.x;
  int from = 0;
  buffer[0][tid] = data[tid];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int value = buffer[from][tid];
    if (tid >= d) {
      value += buffer[from][tid - d];
    }
    buffer[1 - from][tid] = value;
    __syncthreads();
    from = 1 - from;
  }
  data[tid] = buffer[from][tid];
}
