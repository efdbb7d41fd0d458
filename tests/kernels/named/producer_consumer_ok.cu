// Two named barriers: one says that the buffer is full, the other that it is empty again.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: none

__global__ void pipe(const int* in, int* out) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      if (round > 0) {
        asm volatile("bar.sync 2, 64;" ::: "memory");
      }
      buffer[lane] = in[round * 32 + lane];
      asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[round * 32 + lane] = buffer[31 - lane];
      if (round < 3) {
        asm volatile("bar.arrive 2, 64;" ::: "memory");
      }
    }
  }
}
