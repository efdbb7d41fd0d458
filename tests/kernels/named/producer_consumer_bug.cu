// A producer warp refills the buffer for the second round without knowing that the consumer has finished
// the first.
// weakspot: launch grid=1 block=64
// weakspot: arg in=int[128] fill=random
// weakspot: arg out=int[128]
// expect: race E1 shared buffer @w @r

__global__ void pipe(const int* in, int* out) {
  __shared__ int buffer[32];
  const int lane = threadIdx.x % 32;
  for (int round = 0; round < 4; ++round) {
    if (threadIdx.x < 32) {
      buffer[lane] = in[round * 32 + lane];  // @w
      asm volatile("bar.sync 1, 64;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[round * 32 + lane] = buffer[31 - lane];  // @r
    }
  }
}
