// Stream compaction takes the next free slot atomically.
// weakspot: launch grid=2 block=64
// weakspot: arg in=int[128] fill=random:0:9
// weakspot: arg out=int[128]
// weakspot: arg count=int[1]
// expect: none

__global__ void keep_odd(const int* in, int* out, int* count) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value % 2 == 1) {
    const int slot = atomicAdd(count, 1);
    out[slot] = value;
  }
}
