// The loop ends for all threads of the block at the same time, decided by __syncthreads_or.
// weakspot: launch grid=1 block=32
// weakspot: arg goal=int[32] fill=iota
// weakspot: arg steps=int[32]
// expect: none

__global__ void search(const int* goal, int* steps) {
  __shared__ int step;
  const int t = threadIdx.x;
  if (t == 31) {
    step = 0;
  }
  bool open = true;
  while (__syncthreads_or(open)) {
    if (open && step >= goal[t]) {
      steps[t] = step;
      open = false;
    }
    __syncthreads();
    if (t == 31) {
      step++;
    }
  }
}
