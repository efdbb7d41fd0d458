// Writer and reader use atomics for the word that both touch.
// weakspot: launch grid=2 block=32
// weakspot: arg progress=int[1]
// weakspot: arg seen=int[1]
// expect: none

__global__ void watch(int* progress, int* seen) {
  if (threadIdx.x != 0) {
    return;
  }
  if (blockIdx.x == 0) {
    for (int i = 1; i <= 8; ++i) {
      atomicExch(progress, i);
    }
  } else {
    *seen = atomicAdd(progress, 0);
  }
}
